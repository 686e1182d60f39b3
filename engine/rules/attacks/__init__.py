"""Attacks: declaring a blow, the modifiers on both sides, the roll and its consequences."""
