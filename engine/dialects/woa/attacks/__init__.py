"""Attacks: declaring a blow, what is added up on both sides, the roll and what follows it."""
