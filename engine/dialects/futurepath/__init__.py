"""The Futurepath dialect."""
