"""What may last on somebody in srd35 besides the conditions of its table, by name."""

from collections.abc import Mapping
from typing import Final

STATES = frozenset(
    {
        # spells and their like
        *("antimagic", "blinking", "blurred", "charmed", "concentrating", "ethereal", "holding a charge"),
        *("in a chasm", "incorporeal", "spell resistance lowered", "making music"),
        # the voice, the ears, the eyes
        *(
            "distracted",
            "gagged",
            "in silence",
            "on noisy ground",
            "on very noisy ground",
            "silenced",
        ),
        *("bearing a light", "behind improved cover", "unlit", "veiled"),
        # in somebody's hold, in the saddle, on the move
        *("borne aloft", "holding", "immobile", "tethered", "under attack", "under orders"),
    }
)
"""What rules ask for, and spells or the game master bring about."""

#: What is nothing without a degree, or the kind of light, each with the exposure that says it.
DEGREES: Final[Mapping[str, str]] = {"veiled": "veil", "bearing a light": "light"}
