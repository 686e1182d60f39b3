"""Purely mental acts: all that is left to who cannot move a finger.

pf1.cond.paralyzed, srd35.cond.paralyzed, woa.condition.paralyzed.
"""

from typing import Final

from affray.events.facts import acts
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

PARALYZED: Final = "paralyzed"
#: The components for which a caster needs its body.
BODILY: Final = frozenset({"verbal", "somatic", "material", "focus", "divine focus"})
#: What takes no more than a thought; a spell may.
THOUGHTS: Final = (acts.EndTurn, acts.Maintain, acts.Plan, acts.Redirect)


def is_mental(spell: Spell) -> bool:
    """Say whether casting takes the mind alone: no words, gestures and materials, or a spell-like ability."""
    if spell.item:
        return False
    return spell.ability == "spell-like" if spell.ability else BODILY.isdisjoint(spell.components)


def can_act_by_mind(combatant: Combatant) -> bool:
    """Say whether a combatant has anything left to do by its mind alone: a spell to keep up or to cast."""
    kept_up = {held.source for held in combatant.conditions.values()}
    return any(
        (spell.concentration and spell.name in kept_up)
        or (is_mental(spell) and (spell.uses is None or combatant.resources.get(spell.name, 0) < spell.uses))
        for spell in combatant.sheet.spells
    )


#: Where no more is left of a turn, the body keeps still.
STILL = ("mental", "none")
