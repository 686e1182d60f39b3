"""Chances: odds, luck, what turned a fight, and how balance changes."""
