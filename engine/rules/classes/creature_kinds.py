"""The kinds of creature."""

from typing import Final

KINDS: Final = (
    "magical beast",
    "monstrous humanoid",
    "aberration",
    "animal",
    "construct",
    "dragon",
    "elemental",
    "fey",
    "giant",
    "humanoid",
    "ooze",
    "outsider",
    "plant",
    "undead",
    "vermin",
)
