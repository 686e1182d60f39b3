"""Grapple: taking hold of an opponent, what is done with it, and getting free."""
