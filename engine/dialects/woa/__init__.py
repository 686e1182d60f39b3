"""The Worlds of Adventure dialect."""
