"""Implement posture: dropping down, crawling and getting up again (woa.posture.*)."""

import re
from collections.abc import Callable, Sequence
from functools import partial

from affray.engine.dialects.woa.movement import movement
from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import threatening
from affray.engine.dialects.woa.opportunity.reaction_budget import EVADING
from affray.engine.dialects.woa.position import shared_space
from affray.engine.dialects.woa.position.size import LOW, lies
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.kernel.actions import check_turn
from affray.engine.rules.classes.checks import check_by, skill_parts
from affray.engine.rules.movement.movement import known_occupants
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.rules.turns.delay_and_ready import footing, goes_on
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, EffectEnded, EffectGained, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

#: Postures to drop into, each with its row in the table of postures ("": has separate rules).
POSTURES = {
    "prone": "",
    "crouching": "",
    "kneeling": "kneeling or sitting on ground",
    "sitting": "kneeling or sitting on ground",
    "seated": "sitting on chair",
}
TABLE = "woa.posture.modifier-table"
#: The condition of having lost the next move action.
SPRAWLING = "sprawling"
FREE = "woa.posture.stand-free-acrobatics"
_NUMBER = re.compile(r"\d+")


def refuse_down(fight: Fight, combatant: Combatant, into: str) -> None:
    """Refuse to drop into the present posture, or from a prone one (woa.posture.drop)."""
    if lies(combatant) or into in combatant.conditions:
        how = "prone" if lies(combatant) else into
        raise Refusal(f"{combatant.id} is {how} already", fight.rule("woa.posture.drop"))


def drop_into_posture(fight: Fight, combatant: Combatant, into: str) -> Steps[None]:
    """Drop into a posture and end the previous one (woa.posture.drop, woa.posture.states)."""
    for name in LOW:
        if name in combatant.conditions:
            why = f"is {into} now"
            yield ConditionLost(
                who=combatant.id, condition=name, why=why, cites=fight.rules("woa.posture.drop")
            )
    cites = fight.rules("woa.posture.drop", "woa.posture.states")
    yield ConditionGained(who=combatant.id, condition=into, source="by choice", cites=cites)


def steps_up(fight: Fight, combatant: Combatant) -> int:
    """Return the number of steps of posture to standing: two from prone, one from a crouch.

    From kneeling or sitting on the ground it is the same as from prone (woa.posture.kneeling-sitting).
    """
    if lies(combatant):
        return 2
    for name in LOW:
        if name in combatant.conditions:
            row = POSTURES[name]
            as_from = fight.figure(TABLE, "rows", f"posture={row}", "stand_up_as") if row else "crouching"
            return 2 if as_from == "prone" else 1
    return 0


def stand(fight: Fight, act: acts.Stand) -> Steps[None]:
    """Get up, or from prone into a crouch, which provokes from all who threaten (woa.posture.stand-*).

    "slowly" costs twice as much and makes it easier to avoid the attacks by Acrobatics; "evading" is at the
    usual pace; "quickly" is a free action, if an Acrobatics check succeeds.
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("woa.posture.stand-cost")
    rises = refuse_rising(fight, actor, act.to)
    if act.how == "quickly":
        check_turn(fight, actor)
        yield from get_up_quickly(fight, actor, rises)
        return
    refuse_too_slow(fight, actor, act, rises)
    cites = [rule]
    if any(POSTURES.get(name) for name in actor.conditions):
        cites.append(fight.rule("woa.posture.kneeling-sitting"))
    yield spending(fight, actor, "move", "stand up", *cites)
    if act.how in ("evading", "slowly"):
        yield from evading(fight, actor, act.how == "slowly")
    yield from get_up(fight, actor, rises, act.to)


def rise_and_move(
    fight: Fight, act: acts.Move, way: Callable[[Fight, acts.Move, movement.Rising], Steps[None]]
) -> Steps[None]:
    """Get up as part of another movement, which is shortened by it (woa.posture.stand-as-movement)."""
    actor = fight.combatant(act.actor)
    to = "crouching" if act.rise == "crouching" else ""
    rises = refuse_rising(fight, actor, to)
    feet = cost_of_standing(fight, actor, rises)
    yield from way(fight, act, movement.Rising(feet, get_up(fight, actor, rises, to)))


def refuse_rising(fight: Fight, actor: Combatant, to: str) -> int:
    """Return the number of steps of posture by which the actor rises. Refuse an actor that cannot."""
    steps = steps_up(fight, actor)
    rule = fight.rule("woa.posture.stand-cost")
    if not steps:
        raise Refusal(f"{actor.id} stands already", rule)
    if to == "crouching" and steps < 2:
        raise Refusal(f"{actor.id} crouches already", rule)
    if fight.option("standing_up_and_step") == "forbids-step":
        movement.refuse_after_step(fight, actor)
    if movement.speed_with_burdens(fight, actor) == 0:
        raise Refusal(f"{actor.id} has no speed left to get up with", rule)
    return 1 if to == "crouching" else steps


def refuse_too_slow(fight: Fight, actor: Combatant, act: acts.Stand, rises: int) -> None:
    """Refuse to get up slowly if it costs more than one move: from prone only into a crouch at a time.

    Each step costs half the speed or a short step, slowly twice that (woa.posture.stand-slowly).
    """
    topic = "woa.posture.stand-cost"
    speed, cost = movement.speed_with_burdens(fight, actor), cost_of_standing(fight, actor, rises)
    if act.how == "slowly":
        topic = "woa.posture.stand-slowly"
        cost *= fight.figure(topic, "cost_multiplier")
    if cost > speed:
        raise Refusal(
            f"{actor.id} cannot get up this way in one move: it costs {cost} ft., its speed is {speed} ft.",
            fight.rule(topic),
        )


def cost_of_standing(fight: Fight, combatant: Combatant, rises: int) -> int:
    """Return the cost of getting up in feet of movement (woa.posture.stand-cost)."""
    short, speed = max(combatant.reach, SQUARE_FT), movement.speed_with_burdens(fight, combatant)
    if rises == 1:
        share = _NUMBER.search(fight.figure("woa.posture.stand-cost", "one_step"))
        return max(speed // int(share.group()), short) if share else short
    times = _NUMBER.search(fight.figure("woa.posture.stand-cost", "prone_to_standing"))
    return max(speed, int(times.group()) * short) if times else speed


def get_up(fight: Fight, combatant: Combatant, rises: int, to: str, *cites: str) -> Steps[bool]:
    """Resolve the attacks of opportunity, once from prone to standing, and get up; return whether it got up.

    A combatant brought down again by them, or unable to act, does not get up.

    woa.posture.stand-aoo, woa.posture.stand-aoo-once, woa.aoo.resolve.interrupt
    """
    before = footing(fight, combatant)
    felled = partial(refuse_felled, fight, combatant, lies(combatant))
    again = bool(combatant.spent.get("crouched")) and not lies(combatant)
    kind = "crouched" if to == "crouching" else "stood"
    what = f"stand up, {cost_of_standing(fight, combatant, rises)} ft."
    if kind == "crouched":
        yield ActionSpent(
            who=combatant.id, kind="stood", what="rise", cites=fight.rules("woa.posture.stand-as-movement")
        )
    yield ActionSpent(
        who=combatant.id, kind=kind, what=what, cites=fight.rules("woa.posture.stand-as-movement")
    )
    if again:
        told = "has risen from prone already this round and provokes no second time"
        yield RuleApplied(who=combatant.id, what=told, cites=fight.rules("woa.posture.stand-aoo-once"))
    else:
        topics = fight.rules("woa.posture.stand-aoo", "woa.aoo.provoke.standing-up")
        opportunity = f"stand:{fight.declaration}"
        yield from fight.dialect.opportunity.provoke(
            fight, combatant, threatening(fight, combatant), "gets up", opportunity, *topics
        )
    for effect in combatant.effects:
        if effect.stat == EVADING:
            yield EffectEnded(who=combatant.id, id=effect.id, why="is up", cites=(effect.modifier.rule,))
    if not (yield from goes_on(fight, before, felled, "the getting up")):
        return False
    yield from leave_posture(fight, combatant, to, *cites)
    return True


def refuse_felled(fight: Fight, combatant: Combatant, lay: bool) -> None:
    """Refuse to get up if the combatant has been brought down since; `lay` is set if it was prone before."""
    if lies(combatant) and not lay:
        raise Refusal(f"{combatant.id} has been brought down and is prone", fight.rule("woa.posture.states"))


def leave_posture(fight: Fight, combatant: Combatant, to: str, *cites: str) -> Steps[None]:
    """Leave the posture for a crouch or for standing, which has no modifiers."""
    cites = cites or fight.rules("woa.posture.stand-cost")
    for name in ("prone", "crawling", *LOW):
        if name in combatant.conditions:
            ends = (*cites, fight.rule("woa.posture.standing")) if not to else cites
            yield ConditionLost(who=combatant.id, condition=name, why="gets up", cites=ends)
    if to:
        states = fight.rules("woa.posture.states")
        yield ConditionGained(who=combatant.id, condition=to, source="rises into a crouch", cites=states)


def evading(fight: Fight, combatant: Combatant, slowly: bool) -> Steps[None]:
    """Make an Acrobatics check that replaces AC against attacks provoked by getting up.

    woa.posture.stand-acrobatics, woa.posture.stand-slowly
    """
    rule = fight.rule("woa.posture.stand-acrobatics")
    parts = skill_parts(fight, combatant, "acrobatics", "dex", rule)
    if slowly:
        slow = "woa.posture.stand-slowly"
        parts.append(fight.modifier(slow, "acrobatics_bonus", kind="circumstance", source="slowly"))
    total = yield from check_by(fight, combatant, "acrobatics", parts, 0, rule, why="for its Armor Class")
    yield evasion(fight, combatant, total, rule)


def evasion(fight: Fight, combatant: Combatant, total: int, rule: str) -> EffectGained:
    """Return the effect of an Acrobatics check that replaces a combatant's AC while it gets up."""
    return EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:{EVADING}",
        stat=EVADING,
        modifier=Modifier(total, "check", f"Acrobatics {total}", rule),
        until=Until("round-end", "", fight.state.round),
        cites=(rule,),
    )


def get_up_quickly(fight: Fight, combatant: Combatant, steps: int) -> Steps[None]:
    """Get up from prone as a free action by Acrobatics; a failure costs the next move action.

    It still provokes, but the check may replace the Armor Class (woa.posture.stand-free-acrobatics,
    woa.posture.stand-free-aoo).
    """
    rule = fight.rule(FREE)
    if steps < 2:
        raise Refusal(f"{combatant.id} is not prone: getting up at once is only for the prone", rule)
    yield ActionSpent(who=combatant.id, kind=fight.figure(FREE, "action"), what="get up", cites=(rule,))
    parts = skill_parts(fight, combatant, "acrobatics", "dex", rule)
    dc = fight.figure(FREE, "dc")
    by = yield from check_by(fight, combatant, "acrobatics", parts, dc, rule, why="to get up at once")
    if by < 0:
        yield from lose_move_action(fight, combatant, rule)
        return
    yield evasion(fight, combatant, by + dc, fight.rule("woa.posture.stand-free-aoo"))
    yield from get_up(fight, combatant, steps, "", rule)


def lose_move_action(fight: Fight, combatant: Combatant, rule: str) -> Steps[None]:
    """Take the next move action of a combatant: one of this round if any is left, otherwise of the next."""
    try:
        refuse_unless_allowed(fight, combatant, "move")
    except Refusal:
        until = Until("round-end", "", fight.state.round + 1)
        yield ConditionGained(
            who=combatant.id, condition=SPRAWLING, source="failed to get up", until=until, cites=(rule,)
        )
        return
    yield ActionSpent(who=combatant.id, kind="move", what="failed to get up", cites=(rule,))


def crawl(fight: Fight, act: acts.Move) -> Steps[None]:
    """Crawl as far as a short step, prone or crouching, as a move action (woa.posture.crawl).

    A crawling combatant counts as prone for the round (woa.posture.crawl-prone).
    """
    actor = fight.combatant(act.actor)
    topic = "woa.posture.crawl"
    movement.refuse_after_step(fight, actor)
    rule = fight.rule(topic)
    if not (lies(actor) or "crouching" in actor.conditions):
        raise Refusal(f"{actor.id} is neither prone nor crouching and does not crawl", rule)
    feet = fight.figure(topic, "medium_ft") if actor.sheet.size == "medium" else max(actor.reach, SQUARE_FT)
    # A square that begins beyond the distance is out of range.
    shared_space.refuse_way(fight, actor, act.path, feet + SQUARE_FT - 1, rule)
    refuse_ending(fight, actor, act.path)
    yield spending(fight, actor, fight.figure(topic, "action"), "crawl", rule)
    if "prone" not in actor.conditions and "crawling" not in actor.conditions:
        until = Until("round-end", "", fight.state.round)
        cites = fight.rules("woa.posture.crawl-prone")
        yield ConditionGained(who=actor.id, condition="crawling", source="crawl", until=until, cites=cites)
    yield from fight.dialect.movement.walk(fight, actor, act.path, "crawl", rule)


def refuse_ending(fight: Fight, combatant: Combatant, path: Sequence[tuple[int, int]]) -> None:
    """Refuse to end movement in another creature's space."""
    there = known_occupants(fight, combatant, path[-1])
    if there:
        x, y = path[-1]
        raise Refusal(f"{there[0].id} stands at {x},{y}", fight.rule("woa.space.definition"))
