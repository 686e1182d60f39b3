"""Points of srd35 in which turning and class abilities have a part beside the shared steps."""

from collections.abc import Sequence
from typing import Any

from affray.engine.blow import Blow
from affray.engine.dialects.srd35.attacks import declared_feats, natural_weapons
from affray.engine.dialects.srd35.classes import monk, paladin, rogue, turned_undead
from affray.engine.dialects.srd35.classes.sneak_attack import look_for_opening
from affray.engine.dialects.srd35.grapple import grapple_state, snaring_hits
from affray.engine.dialects.srd35.senses import seek
from affray.engine.fight import Fight
from affray.engine.memory import per_scene
from affray.engine.rules.classes.features import having
from affray.engine.rules.turns.action_budget import ATTACKS, is_open
from affray.engine.steps import Steps
from affray.events.facts.acts import FullAttack
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def reactions(fight: Fight, blow: Blow) -> Steps[None]:
    """Settle before the roll whom a blow strikes, what it smites or breaks, what opening it finds."""
    if blow.target.conditions:
        yield from grapple_state.into_grapple(fight, blow)
        yield from turned_undead.before_blow(fight, blow)
    if blow.attacker.effects:
        yield from paladin.smite(fight, blow)
    if blow.attacker.id in fight.memory.company[sneaking]:
        look_for_opening(fight, blow)


@per_scene(reads=("combatants",))
def sneaking(fight: Fight) -> set[str]:
    """Return those whose features may add dice to a blow."""
    return {one.id for one in fight.state.combatants.values() if having(fight, one, "dice")}


def full_attacks(fight: Fight, who: Combatant, act: FullAttack) -> list[list[Modifier]]:
    """Return the modifiers of each attack that a full attack allows, in order; a flurry has more of them."""
    if act.flurry or who.effects:
        monk.refuse_midway(fight, who, act)
    if not act.flurry:
        return natural_weapons.full_attacks(fight, who, act)
    return monk.flurry(fight, who, act)[who.spent.get(ATTACKS, 0) :]


def pledged(fight: Fight, who: Combatant, act: Any, blows: Sequence[Blow]) -> list[Any]:
    """Return what an attack pledges before its first blow: feats, and what a flurry takes off."""
    facts = declared_feats.pledged(fight, who, act, blows)
    if isinstance(act, FullAttack) and act.flurry and not is_open(who):
        facts = [*facts, monk.flurried(fight, who)]
    return facts


def struck(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Settle what a hit brings beyond its damage; last, opportunists strike whom another has hit."""
    plain = not (blow.weapon.traits or blow.stunning or blow.arrows > 1)
    if plain and not blow.attacker.conditions and not blow.target.conditions:
        return rogue.after_hit(fight, blow)
    return struck_hard(fight, blow, before, standing)


def struck_hard(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Settle what weapon and blow bring, and what either side's state brings; last, opportunists strike."""
    yield from snaring_hits.struck(fight, blow, before, standing)
    if blow.attacker.conditions or blow.target.conditions:
        yield from seek.struck(fight, blow)
    yield from rogue.after_hit(fight, blow)
