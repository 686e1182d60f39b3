"""Riders and their mounts."""
