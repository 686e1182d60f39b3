"""Who grapples whom: coming together in one space, holds and locks, and coming apart (woa.grapple.*)."""

from collections.abc import Sequence

from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.conditions.mental_actions import STILL
from affray.engine.rules.movement.displaced import displaced
from affray.engine.steps import Refusal, Steps
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.flow import ReadyEnded
from affray.projections.state import Combatant

BETWEEN = ", "
AHEAD = "at an advantage"
#: The holds and locks: the condition of the victim, and the topic of its rule.
LOCKS = {
    "pinned": "woa.grapple.hold.pin.advantage",
    "arm-locked": "woa.grapple.hold.arm-lock",
    "mouth clamped": "woa.grapple.hold.clamp-mouth",
}
#: Those that hold a body down, and what comes of them.
FAST = ("pinned", "arm-locked")
IMMOBILE = "held immobile"
#: What the grapple itself does to those who may not act any more this round.
KEPT = ("locked up", "held in check")


def opponents(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return those with whom a combatant grapples, in the order in which they came together."""
    held = combatant.conditions.get("grappling")
    combatants = fight.state.combatants
    return [combatants[id] for id in held.source.split(BETWEEN) if id in combatants] if held else []


def members_of_grapple(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return all who are in the same grapple as `combatant`, itself among them, in order of entry."""
    found = {combatant.id}
    fresh = [combatant]
    while fresh:
        met = [other for one in fresh for other in opponents(fight, one) if other.id not in found]
        found.update(one.id for one in met)
        fresh = met
    return [one for one in fight.state.combatants.values() if one.id in found]


def grappled_at_round_start(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a combatant was grappling when the round began (woa.grapple.start.ends-actions)."""
    held = combatant.conditions.get("grappling")
    return held is not None and held.level < fight.state.round


def refuse_sizes(fight: Fight, grappler: Combatant, target: Combatant) -> None:
    """Refuse to grapple an opponent more than one size larger or smaller (woa.grapple.size-limits)."""
    steps = size_step(target) - size_step(grappler)
    rule = fight.rule("woa.grapple.size-limits")
    if steps > fight.figure("woa.grapple.size-limits", "max_larger"):
        raise Refusal(f"{target.id} is too large for {grappler.id} to grapple", rule)
    if -steps > fight.figure("woa.grapple.size-limits", "max_smaller"):
        raise Refusal(f"{target.id} is too small for {grappler.id} to grapple", rule)


def refuse_crowded_grapple(fight: Fight, grappler: Combatant, target: Combatant) -> None:
    """Refuse one more than can grapple a single opponent (woa.grapple.multiple.limit).

    Two of its own size; a smaller one counts for half, a larger one for two.
    """
    topic = "woa.grapple.multiple.limit"

    def weight(one: Combatant) -> int:
        steps = size_step(one) - size_step(target)
        if not steps:
            return 100
        return int(fight.figure(topic, "larger_weight" if steps > 0 else "smaller_weight") * 100)

    taken = sum(weight(one) for one in opponents(fight, target)) + weight(grappler)
    if taken > fight.figure(topic, "max_same_size") * 100:
        raise Refusal(f"{target.id} is grappled already by as many as can", fight.rule(topic))


def join(fight: Fight, grappler: Combatant, target: Combatant, *cites: str) -> Steps[None]:
    """Let two combatants grapple: one space for all, nothing more done now, `grappler` at an advantage.

    woa.grapple.start.ends-actions, woa.grapple.modifier.shared-space, woa.grapple.advantage
    """
    for one, other in ((grappler, target), (target, grappler)):
        ids = dict.fromkeys([*(each.id for each in opponents(fight, one)), other.id])
        earlier = one.conditions.get("grappling")
        yield ConditionGained(
            who=one.id,
            condition="grappling",
            source=BETWEEN.join(ids),
            level=earlier.level if earlier else fight.state.round,
            cites=cites,
        )
    if AHEAD not in grappler.conditions:
        rule = fight.rule("woa.grapple.advantage")
        yield ConditionGained(who=grappler.id, condition=AHEAD, source="started the grapple", cites=(rule,))
    yield from share_space(fight, members_of_grapple(fight, grappler))
    until = Until("round-end", "", fight.state.round)
    rule = fight.rule("woa.grapple.start.ends-actions")
    for one, other in ((grappler, target), (target, grappler)):
        yield ConditionGained(who=one.id, condition="locked up", source=other.id, until=until, cites=(rule,))
        if one.readied is not None:
            yield ReadyEnded(who=one.id, how="lapsed", cites=(rule,))


def share_space(fight: Fight, members: Sequence[Combatant]) -> Steps[None]:
    """Put all who grapple together into the space of the largest (woa.grapple.modifier.shared-space)."""
    largest = max(members, key=size_step)
    side = own_space(fight, largest)
    for one in members:
        if (one.at, one.space) != (largest.at, side):
            yield displaced(
                one,
                (largest.at,),
                "into the grapple",
                fight.rule("woa.grapple.modifier.shared-space"),
                space=side,
            )


def own_space(fight: Fight, combatant: Combatant) -> int:
    """Return the squares a side that a combatant takes up by itself."""
    return fight.dialect.position.space_and_reach(fight, combatant.sheet)[0]


def part_from(fight: Fight, combatant: Combatant, other: Combatant, why: str, *cites: str) -> Steps[None]:
    """End the grapple of two combatants and every hold between them."""
    for one, opponent in ((combatant, other), (other, combatant)):
        yield from loosen(fight, one, opponent, why, *cites)
        left = [each.id for each in opponents(fight, one) if each is not opponent]
        if left:
            held = one.conditions["grappling"]
            yield ConditionGained(
                who=one.id, condition="grappling", source=BETWEEN.join(left), level=held.level, cites=cites
            )
        else:
            yield from step_free(fight, one, why, *cites)


def leave_grapple(fight: Fight, combatant: Combatant, why: str, *cites: str) -> Steps[None]:
    """Take a combatant out of its grapple; who has nobody left to grapple is out of it as well."""
    for other in opponents(fight, combatant):
        yield from part_from(fight, combatant, other, why, *cites)


def step_free(fight: Fight, combatant: Combatant, why: str, *cites: str) -> Steps[None]:
    """End what comes of grappling for a grappler that has no opponent left in it."""
    yield ConditionLost(who=combatant.id, condition="grappling", why=why, cites=cites)
    if AHEAD in combatant.conditions:
        yield ConditionLost(who=combatant.id, condition=AHEAD, why=why, cites=cites)
    side = own_space(fight, combatant)
    if side != combatant.space:
        yield displaced(combatant, (combatant.at,), "out of the grapple", *cites, space=side)


def holds_and_locks(fight: Fight, combatant: Combatant, victim: Combatant) -> list[str]:
    """Return the holds and locks that `combatant` has on another, in the order of the rulebook."""
    return [
        name for name in LOCKS if name in victim.conditions and victim.conditions[name].source == combatant.id
    ]


def holds_fast(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a combatant has pinned or locked one of its opponents."""
    return any(
        name in FAST
        for other in opponents(fight, combatant)
        for name in holds_and_locks(fight, combatant, other)
    )


def loosen(fight: Fight, victim: Combatant, holder: Combatant, why: str, *cites: str) -> Steps[None]:
    """End the holds that `holder` has on `victim`, and the immobility that came of them."""
    ended = holds_and_locks(fight, holder, victim)
    for name in ended:
        yield ConditionLost(who=victim.id, condition=name, why=why, cites=cites)
    still = any(name in victim.conditions for name in FAST)
    if ended and IMMOBILE in victim.conditions and not still:
        yield ConditionLost(who=victim.id, condition=IMMOBILE, why=why, cites=cites)


def immobile(fight: Fight, victim: Combatant, holder: str) -> ConditionGained:
    """Return the fact that a pinned combatant counts as immobilized (woa.grapple.hold.pin.immobilized)."""
    cites = fight.rules("woa.grapple.modifier.pinned-immobilized", "woa.grapple.hold.pin.immobilized")
    return ConditionGained(who=victim.id, condition=IMMOBILE, source=holder, cites=cites)


def settle_holds(fight: Fight) -> Steps[None]:
    """As a round begins, let those count as immobilized who were pinned in the round before.

    woa.grapple.modifier.pinned-immobilized (option `pin_takes_effect`).
    """
    for one in fight.state.combatants.values():
        name = next((name for name in FAST if name in one.conditions), "")
        if name and IMMOBILE not in one.conditions:
            yield immobile(fight, one, one.conditions[name].source)


def can_wrestle(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a grappler can wrestle at all: conscious, and neither dazed nor otherwise out of action."""
    return not is_down(fight, combatant) and not is_kept_from_acting(fight, combatant)


def is_kept_from_acting(fight: Fight, combatant: Combatant) -> bool:
    """Say whether something else than the grapple itself keeps a grappler from acting."""
    return any(rule_of(fight, name).actions in STILL for name in combatant.conditions if name not in KEPT)


def end_grapples_of_fallen(fight: Fight) -> Steps[None]:
    """At a round's end, let the grapple end for those who are out of the fight."""
    for combatant in list(fight.state.combatants.values()):
        if "grappling" in combatant.conditions and is_down(fight, combatant):
            why = next(rule_of(fight, name) for name in combatant.conditions if rule_of(fight, name).down)
            yield from leave_grapple(fight, combatant, f"{combatant.id} is down", fight.rule(why.topic))
