"""Damage: dice and multipliers, reductions, injury, dying, healing."""
