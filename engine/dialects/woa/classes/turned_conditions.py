"""What a turning makes of those it has gripped, by name (woa.turn-undead.turned-effects)."""

TURNING = "turning undead"
"""What a turner concentrates on, and the stat of the effect that says how: direction, kind and DC."""

CORNERED = "cornered"
"""Has been attacked without being able to flee, by whom the condition names, and may defend itself."""

GRIPPED = ("turned", "awed")

#: What those may declare who flee from a turning.
FLEEING = ("move", "run", "stand")
