"""What each kind of creature is immune to in pf1, and how far it sees in the dark (pf1.creature.*)."""

from collections.abc import Mapping
from typing import Final

#: The rule on what each kind of creature has by its nature.
RULES: Final[Mapping[str, str]] = {
    "undead": "pf1.creature.undead",
    "construct": "pf1.creature.construct",
    "ooze": "pf1.creature.ooze",
    "plant": "pf1.creature.plant",
    "vermin": "pf1.creature.vermin",
    "elemental": "pf1.creature.elemental",
    "swarm": "pf1.creature.swarm",
}
#: The figure of what each kind is immune to.
IMMUNE: Final = {nature: (rule, "immune") for nature, rule in RULES.items()}
#: The rule by which a kind of creature has darkvision.
SEEING_IN_THE_DARK: Final[Mapping[str, str]] = {
    **{nature: RULES[nature] for nature in ("undead", "construct", "vermin", "elemental")},
    "outsider": "pf1.creature.outsider",
}
