"""What may last on somebody in woa besides the conditions of its table, by name."""

from collections.abc import Mapping
from typing import Final

STATES = frozenset(
    {
        # what conceals, and what sees through it
        *("blurred", "camouflaged", "in moderate darkness", "in near-total darkness"),
        *("in supernatural darkness", "in total darkness", "invisible", "veiled"),
        *("see invisibility", "sees through smoke", "true seeing"),
        *("in a chasm", "in silence", "used to being blinded", "used to being deafened"),
        # without a body, or with one of air
        *("gaseous", "incorporeal"),
        # where somebody is, and how it holds itself there
        *("balancing", "behind cover", "behind the mount", "borne aloft", "bound", "clinging", "cornered"),
        *("holding breath", "raised", "wind stance"),
        # what takes concentration (woa.damage.concentration)
        *("disarming a trap", "picking a lock", "readying for an extended period", "similar tasks"),
        *("spellcasting", "using certain magic devices"),
    }
)
"""What rules ask for, and spells or the game master bring about."""

#: What is nothing without a degree, each with the exposure that says it.
DEGREES: Final[Mapping[str, str]] = {
    "veiled": "veil",
    "behind cover": "improved cover",
    "raised": "height",
    "in water": "water",
    "in waters": "water",
    "in a current": "water",
}


#: The stat of the effect by which the first attack with a weapon comes as a surprise.
SURPRISE = "surprise attack"
