"""Helpless defenders: the blow that finishes them (srd35.helpless.*, srd35.coup-de-grace.*)."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.senses.concealment import how_located, look
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.rules.attacks.coup_de_grace import bows_finish
from affray.engine.rules.gear.held_weapons import strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.position.place import next_to
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps, onward
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import ActionSpent
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

UNSEEN = "srd35.coup-de-grace.total-concealment"
#: The stat of the effect that a round spent on locating an unseen victim leaves.
FOUND = "located"


def refuse_distant_shot(fight: Fight, act: acts.CoupDeGrace) -> None:
    """Refuse to finish somebody with a bow but from next to it (srd35.coup-de-grace.bow-adjacent)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    if is_shot(fight, actor, act) and not next_to(actor, target):
        rule = fight.rule("srd35.coup-de-grace.bow-adjacent")
        raise Refusal(f"{actor.id} must shoot from next to {target.id}", rule)


def is_shot(fight: Fight, actor: Combatant, act: acts.CoupDeGrace) -> bool:
    """Say whether somebody is to be finished with a bow."""
    return bows_finish(find_weapon(fight, actor, act.weapon))


def is_unseen(fight: Fight, actor: Combatant, act: acts.CoupDeGrace) -> bool:
    """Say whether somebody is to be finished whom the attacker does not see."""
    target = fight.combatant(act.target)
    melee = strikes_in_melee(find_weapon(fight, actor, act.weapon))
    return is_helpless(fight, target) and look(fight, actor, target, melee).unseen


def locate_first(fight: Fight, act: acts.CoupDeGrace) -> Steps[None] | None:
    """Locate who is not seen before it can be finished, None if it is seen or located already.

    srd35.coup-de-grace.total-concealment
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    needed = fight.figure(UNSEEN, "full_round_actions") - 1
    if is_unseen(fight, actor, act) and len(rounds_spent(actor, target)) < needed:
        return locate_victim(fight, actor, target)
    return None


def cite_grounds(fight: Fight, act: acts.CoupDeGrace, finishing: Steps[None]) -> Steps[None]:
    """Finish somebody, by the rules on the helpless, on bows and the unseen (srd35.helpless.definition)."""
    actor = fight.combatant(act.actor)
    bow = ("srd35.coup-de-grace.bow-adjacent",) if is_shot(fight, actor, act) else ()
    unseen = (UNSEEN,) if is_unseen(fight, actor, act) else ()
    first = next(finishing)
    if isinstance(first, ActionSpent):
        cites = fight.rules("srd35.helpless.definition", *bow, *unseen)
        first = replace(first, cites=(*first.cites, *cites))
    yield from onward(finishing, first)


def rounds_spent(attacker: Combatant, target: Combatant) -> list[str]:
    """Return the ids of the effects that rounds spent on locating a victim have left."""
    return [effect.id for effect in attacker.effects if effect.stat == FOUND and effect.against == target.id]


def locate_victim(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[None]:
    """Spend a full-round action on finding an unseen victim in a square that one knows."""
    rule = fight.rule(UNSEEN)
    if not next_to(attacker, target) and not how_located(fight, attacker, target):
        raise Refusal(f"{attacker.id} does not know where {target.id} lies", rule)
    yield spending(fight, attacker, "full-round", f"locates {target.id}", rule)
    yield EffectGained(
        who=attacker.id,
        id=f"{fight.declaration}:{FOUND}",
        stat=FOUND,
        modifier=Modifier(0, FOUND, f"{target.id} located", rule),
        until=Until("turn-end", attacker.id, fight.state.round + 1),
        against=target.id,
        cites=(rule,),
    )
