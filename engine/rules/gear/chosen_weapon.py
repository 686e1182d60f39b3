"""With which of several weapons a combatant strikes, where no declaration could name one."""

from collections.abc import Sequence

from affray.engine.steps import Choice, Steps
from affray.events.facts.sheet import Weapon


def choose_weapon(who: str, question: str, weapons: Sequence[Weapon], rule: str) -> Steps[Weapon]:
    """Return the weapon that a combatant chooses, usually the first at hand; a single one unasked."""
    named = {one.name: one for one in reversed(weapons)}
    if len(named) == 1:
        return weapons[0]
    return named[(yield Choice(who, "with", question, tuple(reversed(named)), rule))]
