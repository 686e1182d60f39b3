"""Helpless defenders: the blow that finishes them (srd35.helpless.*, srd35.coup-de-grace.*)."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.senses.concealment import locates, look
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.rules.attacks import coup_de_grace as shared_coup_de_grace
from affray.engine.rules.gear.weapons_in_hand import find_weapon, strikes_in_melee
from affray.engine.rules.position.place import next_to
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import ActionSpent
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

UNSEEN = "coup-de-grace.total-concealment"
#: The stat of the effect that a round spent on locating an unseen victim leaves.
FOUND = "located"


def coup_de_grace(fight: Fight, act: acts.CoupDeGrace) -> Steps[None]:
    """Finish somebody helpless, with a bow only from next to it; who is not seen must be located first.

    srd35.helpless.definition, srd35.coup-de-grace.bow-adjacent, .total-concealment.
    """
    who, target = fight.combatant(act.actor), fight.combatant(act.target)
    weapon = find_weapon(fight, who, act.weapon)
    melee = strikes_in_melee(weapon)
    cites = [fight.rule("helpless.definition")]
    if not melee and shared_coup_de_grace.bows_finish(weapon):
        cites.append(fight.rule("coup-de-grace.bow-adjacent"))
        if not next_to(who, target):
            raise Refusal(f"{who.id} must shoot from next to {target.id}", cites[-1])
    if is_helpless(fight, target) and look(fight, who, target, melee).unseen:
        cites.append(fight.rule(UNSEEN))
        if len(rounds_spent(who, target)) < fight.figure(UNSEEN, "full_round_actions") - 1:
            yield from locate(fight, who, target)
            return
    steps = shared_coup_de_grace.coup_de_grace(fight, act)
    first = next(steps)
    if isinstance(first, ActionSpent):
        first = replace(first, cites=(*first.cites, *cites))
    yield first
    yield from steps


def rounds_spent(who: Combatant, target: Combatant) -> list[str]:
    """Return the ids of the effects that rounds spent on locating a victim have left."""
    return [effect.id for effect in who.effects if effect.stat == FOUND and effect.against == target.id]


def locate(fight: Fight, who: Combatant, target: Combatant) -> Steps[None]:
    """Spend a full-round action on finding an unseen victim in a square that one knows."""
    rule = fight.rule(UNSEEN)
    refuse_unless_allowed(fight, who, "full-round")
    if not next_to(who, target) and not locates(fight, who, target):
        raise Refusal(f"{who.id} does not know where {target.id} lies", rule)
    yield spending(fight, who, "full-round", f"locates {target.id}", rule)
    yield EffectGained(
        who=who.id,
        id=f"{fight.declaration}:{FOUND}",
        stat=FOUND,
        modifier=Modifier(0, FOUND, f"{target.id} located", rule),
        until=Until("turn-end", who.id, fight.state.round + 1),
        against=target.id,
        cites=(rule,),
    )
