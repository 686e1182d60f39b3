"""Armor that is made of force, told by the source of a part of Armor Class.

srd35.ac.incorporeal-touch, pf1.touch.incorporeal-vs-force.
"""

from typing import Final

#: What gives an armor bonus of force, by the examples of the rules.
EXAMPLES: Final = ("mage armor", "bracers of armor")


def is_of_force(source: str) -> bool:
    """Say whether what gives a bonus is made of force: by its name, or by the word in it."""
    name = source.casefold()
    return "force" in name.replace("(", " ").replace(")", " ").split() or any(one in name for one in EXAMPLES)
