"""Shared steps of the rules: each dialect's record takes what it needs by name."""
