"""Grapple: taking hold, the effects of holding and being held, bonds."""
