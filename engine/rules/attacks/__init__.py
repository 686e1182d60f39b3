"""Attacks: what a blow adds up to, what it must reach, and the harm that it does."""
