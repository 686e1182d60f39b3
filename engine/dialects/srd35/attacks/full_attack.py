"""How a full attack begins in srd35: by which rules, and what Rapid Shot costs."""

from collections.abc import Iterator

from affray.engine.fight.fight import Fight
from affray.engine.rules.attacks import full_attack as shared_full_attack
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant


def spend_full_round(
    fight: Fight, actor: Combatant, act: acts.FullAttack, second: str, attacks: int
) -> tuple[ActionSpent]:
    """Spend the full-round action of a full attack, by the rules that it rests on.

    Its order where there is one, its step, its specials.
    """
    topics = ["srd35.attack-action.multiple", "srd35.action.full-round"]
    if attacks > 1:
        topics.append("srd35.full-attack.order")
    if actor.spent.get("step"):
        topics.append("srd35.full-attack.step")
    if act.whirlwind:
        topics.append("srd35.feat.whirlwind-attack")
    for one in act.strikes:
        if one.special:
            topics.append("srd35.actions-table.notes")
            break
    cites = fight.rules(*topics)
    return (ActionSpent(who=actor.id, kind="full-round", what="full attack", cites=cites),)


def shoot_rapidly(
    fight: Fight, actor: Combatant, act: acts.FullAttack, second: str, attacks: int
) -> Iterator[EffectGained]:
    """Take what Rapid Shot costs off all attacks until the next turn (srd35.feat.rapid-shot)."""
    until = Until("turn-start", actor.id, fight.state.round + 1)
    yield shared_full_attack.rapid_shot(fight, actor, until)
