"""Degrees of cover and concealment as the game master declares them."""

from affray.projections.state import Combatant

DEGREES = ("one-quarter", "one-half", "three-quarters", "nine-tenths", "total")
#: What the game master may say of cover instead of a degree: the degree that it comes to, and the rule.
PARTS_COVERED = {
    "bottom half covered": ("one-quarter", "futurepath.cover.degree.bottom-half"),
    "one side covered": ("one-half", "futurepath.cover.degree.one-side"),
}


def declared_degree(target: Combatant, what: str) -> str:
    """Return the best degree of cover or concealment that is declared for somebody, "" for none.

    Cover of the bottom half of the body, or of one side, is a degree too
    (futurepath.cover.degree.bottom-half, futurepath.cover.degree.one-side).
    """
    found = {one for one in DEGREES if f"{one} {what}" in target.conditions}
    if what == "cover":
        found |= {degree for part, (degree, _) in PARTS_COVERED.items() if part in target.conditions}
    return next((one for one in reversed(DEGREES) if one in found), "")
