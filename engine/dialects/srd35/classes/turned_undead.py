"""Being turned, rebuked or commanded: flight, cowering, what breaks it, orders (srd35.turn.*)."""

from collections.abc import Iterable

from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import per_company
from affray.engine.grid.battlefield import Square
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.flight_from_turner import turner_of
from affray.engine.rules.conditions.condition_rules import come_over
from affray.engine.rules.conditions.flight import UNWILLED
from affray.engine.rules.movement.flee import feet_apart, flight_path
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: What comes of being turned: cowering, or what takes its place where only attackers gain by it.
COWED = ("cowering", "cornered")


def cower_or_flee(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let a turned creature that cannot flee cower, and one that can do so no longer (srd35.turn.cower)."""
    turner = turner_of(fight, combatant)
    if turner is None or is_down(fight, combatant):
        return
    rule = fight.rule("srd35.turn.cower")
    cowed = next(
        (name for name in COWED if name in combatant.conditions and is_of_turning(combatant, name)), ""
    )
    if flight_path(fight, combatant, turner):
        if cowed:
            yield ConditionLost(who=combatant.id, condition=cowed, why="has a way to flee", cites=(rule,))
    elif not any(name in combatant.conditions for name in COWED):
        until = combatant.conditions["turned"].until
        yield from cower(fight, combatant, f"cannot flee from {turner.id}", until, "cornered", rule)


def is_of_turning(combatant: Combatant, name: str) -> bool:
    """Say whether a cowering comes from being turned: it lasts as long."""
    return combatant.conditions[name].until == combatant.conditions["turned"].until


def cower(
    fight: Fight, combatant: Combatant, why: str, until: Until, otherwise: str, rule: str
) -> Steps[None]:
    """Give the cowering condition, or only `otherwise` where attackers gain a bonus instead.

    Which of the two counts is contested, never both: option `turned_cowering`.
    """
    cites: tuple[str, ...] = (rule,)
    if fight.option("turned_cowering") == "condition-only":
        cites, otherwise = (rule, fight.rule("srd35.cond.cowering")), "cowering"
    if otherwise:
        gained = ConditionGained(who=combatant.id, condition=otherwise, source=why, until=until, cites=cites)
        yield from come_over(fight, gained)


def cowering_undead(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus against undead that cower, where cowering itself changes nothing."""
    conditions = blow.target.conditions
    if fight.option("turned_cowering") == "condition-only":
        return []
    for name, topic in (("rebuked", "srd35.turn.rebuked"), ("cornered", "srd35.turn.cower")):
        if name in conditions:
            source = f"{blow.target.id} cowers"
            return [fight.modifier(topic, "attack_bonus_against", kind="circumstance", source=source)]
    return []


def end_turning(fight: Fight, combatant: Combatant, why: str, *cites: str) -> Steps[None]:
    """End a turning before its time, and the cowering that came of it."""
    for name in COWED:
        if name in combatant.conditions and is_of_turning(combatant, name):
            yield ConditionLost(who=combatant.id, condition=name, why=why, cites=cites)
    yield ConditionLost(who=combatant.id, condition="turned", why=why, cites=cites)


@per_company()
def turned_creatures(fight: Fight) -> list[Combatant]:
    """Return those who have been turned."""
    return [one for one in fight.state.combatants.values() if "turned" in one.conditions]


def approach(fight: Fight, combatant: Combatant, here: Square, there: Square) -> Steps[None] | None:
    """Return what follows when a turner's step brings it near to those it turned; None for nothing.

    Only a step that lessens the distance breaks the turning, not standing where one is (srd35.turn.break).
    """
    shy = turned_creatures(fight)
    if not shy:
        return None
    near = fight.figure("srd35.turn.break", "approach_ft")
    roused = [
        one
        for one in shy
        if one.conditions["turned"].source == combatant.id
        and feet_apart(combatant, there, one) <= near
        and feet_apart(combatant, there, one) < feet_apart(combatant, here, one)
    ]
    return end_turning_of_all(fight, combatant, roused) if roused else None


def end_turning_of_all(fight: Fight, combatant: Combatant, roused: Iterable[Combatant]) -> Steps[None]:
    """Let those whom their turner approaches overcome being turned."""
    for one in roused:
        near = fight.figure("srd35.turn.break", "approach_ft")
        yield from end_turning(
            fight, one, f"{combatant.id} comes within {near} ft.", fight.rule("srd35.turn.break")
        )


def break_turning(fight: Fight, blow: Blow) -> Steps[None]:
    """Let the turner's own attack break the turning, but for shots from far enough.

    Others may attack as they like (srd35.turn.attack-safe).
    """
    turned = blow.target.conditions.get("turned")
    if turned is None:
        return
    rule = fight.rule("srd35.turn.attack-safe")
    least = fight.figure("srd35.turn.attack-safe", "min_ft")
    if turned.source == blow.attacker.id and (blow.melee or blow.distance < least):
        yield from end_turning(fight, blow.target, f"{blow.attacker.id} attacks from near by", rule)
        return
    how = f"from {blow.distance} ft. away " if turned.source == blow.attacker.id else "by another "
    yield RuleApplied(who=blow.target.id, what=f"an attack {how}does not break the turning", cites=(rule,))


def refuse_without_orders(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse to the commanded what they have no orders for (srd35.turn.commanded)."""
    if "under orders" not in actor.conditions and not isinstance(act, (acts.EndTurn, *UNWILLED)):
        master = actor.conditions["commanded"].source
        raise Refusal(f"{actor.id} waits for orders of {master}", fight.rule("srd35.turn.commanded"))
