"""Attacks: declaring them, modifiers of both sides, the roll and its consequences."""
