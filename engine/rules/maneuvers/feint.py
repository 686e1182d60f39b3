"""Feint: what keeps a target from being misled, what makes it hard, and what follows for the next blow."""

from collections.abc import Collection

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.abilities import score_now
from affray.engine.rules.classes.sheets import is_mindless
from affray.engine.rules.conditions.conditions import refuse_down
from affray.engine.rules.position.places import refuse_no_opponent
from affray.engine.steps import Refusal
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

#: The most Intelligence that an animal has.
ANIMAL = 2


def refuse_to_mislead(fight: Fight, actor: Combatant, target: Combatant, rule: str, of_mindless: str) -> None:
    """Refuse to feint at a friend, at who is down, and by the rule `of_mindless` at who has no mind."""
    refuse_no_opponent(actor, target, rule, "to mislead")
    refuse_down(fight, target, "be misled")
    if is_mindless(target):
        raise Refusal(f"{target.id} has no mind to mislead", of_mindless)


def penalty_by_kind(
    fight: Fight, target: Combatant, topic: str, animal: str, humanoids: Collection[str]
) -> list[Modifier]:
    """Return the penalty for feinting at a creature that is no humanoid, or has an animal's mind.

    `animal` is the figure of the latter; srd35.feint.nonhumanoid, pf1.feint.
    """
    mind = score_now(fight, target, "int")
    if mind is not None and mind <= ANIMAL:
        return [fight.modifier(topic, animal, kind="penalty", source="animal Intelligence")]
    if target.sheet.kind in humanoids:
        return []
    return [fight.modifier(topic, "nonhumanoid", kind="penalty", source="no humanoid")]


def misled(fight: Fight, attacker: Combatant, target: Combatant, rule: str) -> EffectGained:
    """Return that the attacker's next melee attack denies the target its Dexterity bonus.

    It counts for one attack until the end of the attacker's next turn (srd35.feint.effect, pf1.feint,
    futurepath.assumed.feint).
    """
    return EffectGained(
        who=attacker.id,
        id=f"{fight.declaration}:feint",
        stat="denies-dexterity",
        modifier=Modifier(0, "feint", "feint", rule),
        until=Until("turn-end", attacker.id, fight.state.round + 1),
        against=target.id,
        uses=1,
        cites=(rule,),
    )
