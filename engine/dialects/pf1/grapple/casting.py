"""Casting while grappled or pinned: the concentration it takes, and what cannot be cast (pf1.cast.pinned)."""

from typing import Final

from affray.engine.dialects.pf1.grapple.grapple_checks import cmb_of
from affray.engine.dialects.pf1.grapple.hold import GRAPPLED, PINNED, TIED, opponent_of
from affray.engine.fight.fight import Fight
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

#: Components that the pinned cannot provide.
OUT_OF_HAND: Final = ("somatic", "material")


def in_a_grapple(fight: Fight, caster: Combatant, spell: Spell) -> list[tuple[str, str, int]]:
    """Return what a grapple makes of casting: DC 10 + the opponent's CMB + spell level, pinned or not.

    pf1.cast.pinned, pf1.grapple.pinned-flow, pf1.cond.grappled, pf1.cond.pinned.
    """
    opponent = opponent_of(fight, caster)
    if GRAPPLED not in caster.conditions or opponent is None:
        return []
    name, topic = (GRAPPLED, "pf1.cast.pinned")
    if PINNED in caster.conditions:
        name, topic = PINNED, "pf1.grapple.pinned-flow"
    dc = fight.figure(topic, "base") + cmb_of(fight, opponent, caster) + spell.level
    return [(name, topic, dc)]


def refuse_gestures(fight: Fight, actor: Combatant, act: acts.Cast) -> None:
    """Refuse to the pinned and the bound a spell with gestures or material components (pf1.cast.pinned)."""
    spell = next((one for one in actor.sheet.spells if one.name == act.spell), None)
    lacking = [one for one in OUT_OF_HAND if spell is not None and one in spell.components]
    if lacking:
        state = PINNED if PINNED in actor.conditions else TIED
        reason = f"{actor.id} is {state}: {act.spell} has {lacking[0]} components"
        raise Refusal(reason, fight.rule("pf1.cast.pinned"))
