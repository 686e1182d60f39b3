"""The D&D 3.5 dialect."""
