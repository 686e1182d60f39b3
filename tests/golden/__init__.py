"""Logs of every released schema, byte for byte as they were written."""
