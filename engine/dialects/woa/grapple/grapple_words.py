"""Words and figures of a grapple check (woa.grapple.activity.list)."""

from affray.events.facts.sheet import Spell

POSTURES = ("prone", "kneeling", "crouching")

#: Under these names the round's check and a change of advantage stand among what a round has spent.
MARGIN, CHANGED = "grapple", "advantage"

HANDS = 2


def needs_no_win(spell: Spell) -> bool:
    """Say whether a spell can be cast in a grapple without winning its check.

    woa.grapple.activity.cast-components
    """
    return set(spell.components) <= {"verbal"}
