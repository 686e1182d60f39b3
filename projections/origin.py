"""How a die came about, in one word, and who could know it before it fell."""

from collections.abc import Collection

ORIGINS = {
    "joint": "joint",
    "alone": "seeded",
    "seeded": "seeded",
    "physical": "thrown by hand",
    "imported": "imported",
    "scripted": "scripted",
    "overridden": "ruled",
}
"""The word for each provenance; faces that a ruling gave are "ruled" too."""

NOBODY = "nobody could know it beforehand"
MASTER = "the game master could know it beforehand"
_FOREKNOWN = {"joint": NOBODY, "physical": NOBODY, "seeded": MASTER, "alone": MASTER}


def origin(provenance: str, contributions: Collection[object] = ()) -> str:
    """Return how a die of this provenance came about.

    `joint`: from links of chains, or from a seed to which players gave `contributions`; `seeded`: from a
    seed or chain of the game master's alone; `thrown by hand`; `imported` and `scripted`: faces from
    elsewhere; `ruled`. A provenance that is unknown here stays as it is.
    """
    if provenance.startswith("ruling:"):
        return "ruled"
    if provenance == "seeded" and contributions:
        return "joint"
    return ORIGINS.get(provenance, provenance)


def foreknown(provenance: str) -> str:
    """Return who could know a die of this provenance beforehand; "" for faces that nobody threw."""
    return _FOREKNOWN.get(provenance, "")
