"""Who has whom in a grapple: taking hold, letting go, and how many can hold one (srd35.grapple.*)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.conditions.condition_rules import come_over
from affray.engine.steps import Refusal, Steps
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.projections.state import Combatant

BETWEEN = ", "


def opponents(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return those with whom a combatant grapples, in the order in which they took hold."""
    held = combatant.conditions.get("grappling") or combatant.conditions.get("holding")
    combatants = fight.state.combatants
    return [combatants[id] for id in held.source.split(BETWEEN) if id in combatants] if held else []


def is_pinning(grappler: Combatant, target: Combatant) -> bool:
    """Say whether a combatant has pinned another."""
    return "pinned" in target.conditions and target.conditions["pinned"].source == grappler.id


def pins_an_opponent(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a combatant has pinned any of its opponents."""
    return any(is_pinning(combatant, other) for other in opponents(fight, combatant))


def take_hold(fight: Fight, grappler: Combatant, target: Combatant, *cites: str) -> Steps[None]:
    """Let two combatants grapple each other from now on.

    srd35.cond.grappling, futurepath.grapple.hold-means-grapple.
    """
    for one, other in ((grappler, target), (target, grappler)):
        ids = dict.fromkeys([*(each.id for each in opponents(fight, one)), other.id])
        grappling = (*cites, fight.rule("cond.grappling"))
        source = BETWEEN.join(ids)
        fact = ConditionGained(who=one.id, condition="grappling", source=source, cites=grappling)
        yield from come_over(fight, fact)


def end_grapple(fight: Fight, grappler: Combatant, target: Combatant, why: str, *cites: str) -> Steps[None]:
    """End the grapple of two combatants, and a pin between them; who is free of all steps apart."""
    for one, other in ((grappler, target), (target, grappler)):
        if is_pinning(other, one):
            yield from free_of_pin(one, why, *cites)
        left = [each.id for each in opponents(fight, one) if each is not other]
        how = "holding" if "holding" in one.conditions else "grappling"
        if left:
            source = BETWEEN.join(left)
            yield ConditionGained(who=one.id, condition=how, source=source, cites=cites)
        elif how in one.conditions:
            yield ConditionLost(who=one.id, condition=how, why=why, cites=cites)


def free_of_pin(combatant: Combatant, why: str, *cites: str) -> Steps[None]:
    """End a pin, and the silence that came with it; the grapple goes on."""
    for condition in ("pinned", "silenced"):
        if condition in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=condition, why=why, cites=cites)


def share_of_opponent(fight: Fight, grappler: Combatant, target: Combatant) -> int:
    """Return how much of a target one grappler takes up, in hundredths of a place."""
    bigger = size_step(grappler) - size_step(target)
    name = (
        "one_or_more_smaller"
        if bigger < 0
        else "same"
        if bigger == 0
        else "one_larger"
        if bigger == 1
        else "two_or_more_larger"
    )
    return int(fight.figure("grapple.max-grapplers", "weights", name) * 100)


def refuse_too_many(fight: Fight, grappler: Combatant, target: Combatant) -> None:
    """Refuse one grappler more than can hold a single opponent (srd35.grapple.max-grapplers).

    futurepath.grapple.multi.limit, futurepath.grapple.multi.size-counting.
    """
    shares = [share_of_opponent(fight, one, target) for one in (*opponents(fight, target), grappler)]
    if sum(shares) > fight.figure("grapple.max-grapplers", "max") * 100:
        alike = all(share == 100 for share in shares)
        rule = fight.rule("grapple.max-grapplers" if alike else "grapple.size-counting")
        raise Refusal(f"no more can grapple {target.id}", rule)


def holds_nothing_out_of_turn(fight: Fight, blow: Blow) -> bool:
    """Say whether no hold follows a touch or hit, since it is an attack of opportunity.

    The check to hold is a free action, which is for one's own turn (option `hold_out_of_turn`).
    """
    return blow.intent.kind == "opportunity" and fight.option("hold_out_of_turn") == "no-hold"
