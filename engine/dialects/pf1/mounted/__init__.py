"""Mounted combat: in and out of the saddle, directing the mount, staying mounted."""
