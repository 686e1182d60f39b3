"""Damage: dice and multipliers, what is shrugged off, injury, dying, healing."""
