"""Counterspells in pf1: the same spell alone answers, and the whole caster level dispels.

pf1.ready.counterspell, pf1.cast.counter-identify.
"""

from affray.engine.fight.fight import Fight
from affray.engine.rules.magic.counterspell import answer_casting
from affray.engine.rules.magic.spell_resistance import caster_level
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def counter(fight: Fight, act: acts.Counter) -> Steps[None]:
    """Ruin the spell that is being cast (pf1.ready.counterspell, pf1.cast.counter-identify)."""
    return answer_casting(fight, act, caster_level, only_the_same)


def only_the_same(fight: Fight, caster: Combatant, mine: Spell, theirs: Spell) -> Steps[bool]:
    """Return whether a spell answers one of another name: never."""
    return False
    yield
