"""Grapple: taking hold, the acts of grapplers, bonds."""
