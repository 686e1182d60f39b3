"""Rolls: the origin of dice, and who could know them in advance."""

from collections.abc import Collection

# --- The origin of a die in one word, and who could know it in advance

ORIGINS = {
    "joint": "joint",
    "alone": "seeded",
    "seeded": "seeded",
    "physical": "thrown by hand",
    "imported": "imported",
    "scripted": "scripted",
    "overridden": "ruled",
}
"""The word for each provenance; faces set by a ruling are "ruled" too."""

NOBODY = "nobody could know it beforehand"
MASTER = "the game master could know it beforehand"
_FOREKNOWN = {"joint": NOBODY, "physical": NOBODY, "seeded": MASTER, "alone": MASTER}


def origin(provenance: str, contributions: Collection[object] = ()) -> str:
    """Return the origin of a die of this provenance.

    `joint`: from links of chains, or from a seed with `contributions` by players; `seeded`: from a seed or
    chain of the game master alone; `thrown by hand`; `imported` and `scripted`: faces from elsewhere;
    `ruled`. An unknown provenance is returned unchanged.
    """
    if provenance.startswith("ruling:"):
        return "ruled"
    if provenance == "seeded" and contributions:
        return "joint"
    return ORIGINS.get(provenance, provenance)


def foreknown(provenance: str) -> str:
    """Return who could know a die of this provenance in advance; "" for faces that were not rolled."""
    return _FOREKNOWN.get(provenance, "")
