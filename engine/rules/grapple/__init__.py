"""Grapple: taking hold, what holding and being held allow, bonds."""
