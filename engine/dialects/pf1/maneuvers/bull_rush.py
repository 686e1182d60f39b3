"""Bull rush: an opponent pushed straight back, and whoever stands behind it (pf1.bull-rush.*)."""

from contextlib import suppress
from functools import partial
from typing import Final

from msgspec import Struct

from affray.engine.dialects.pf1.maneuvers.forced_movement import (
    choose_feet,
    feet_of,
    force,
    forced_feet,
    refuse_to_go,
)
from affray.engine.dialects.pf1.maneuvers.maneuver_check import (
    MODES,
    Check,
    attempt_maneuver,
    maneuver_blow,
    refuse_immovable,
    roll_maneuver,
)
from affray.engine.dialects.pf1.maneuvers.maneuver_feats import has_improved
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.record.blow import Blow, Intent
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.attacks.charge import begin_charge, refuse_no_charge, refuse_to_charge
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.maneuvers.bull_rush import is_walled_off, straight_on
from affray.engine.rules.movement.brink import falls_at
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, speed
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.rules.turns.interruption import attack_is_lost, footing, goes_on, refuse_impeded
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

NAME: Final = "bull rush"
TOPIC: Final = "pf1.bull-rush"
CHAIN: Final = "pf1.bull-rush.chain"


class Push(Struct, frozen=True, gc=False):
    """A push: the direction, (dx, dy), the squares it went, and the feet that it was meant to go."""

    way: Square
    squares: int
    feet: int


def bull_rush(fight: Fight, act: acts.BullRush) -> Steps[None]:
    """Push an opponent back: a standard action, or at the end of a charge along `path`."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    if act.charge:
        yield from charge_into(fight, actor, target, act.path)
        return
    if act.path:
        raise Refusal("only a bull rush in a charge has a path", fight.rule(TOPIC))
    attempt = Attempt(maneuver_blow(fight, actor, target, NAME), name=fight.declaration)
    yield spending(fight, actor, "standard", NAME, *fight.rules(TOPIC, MODES))
    yield from carry_out(fight, attempt, None)


def charge_into(
    fight: Fight, attacker: Combatant, target: Combatant, path: tuple[Square, ...]
) -> Steps[None]:
    """Charge along a path and push at its end, with the bonus of a charge (pf1.charge.attack)."""
    refuse_immovable(fight, attacker, target, NAME, unarmed(fight, attacker))
    kind, rule, feet = refuse_to_charge(fight, attacker)
    cost, _ = refuse_path(fight, attacker, path, feet, rule)
    refuse_no_charge(fight, attacker, target, path, unarmed(fight, attacker))
    yield from begin_charge(fight, attacker, target, rule, kind)
    if not (yield from fight.dialect.movement.walk(fight, attacker, path, "charge", rule)):
        return
    try:
        attempt = Attempt(maneuver_blow(fight, attacker, target, NAME, kind="charge"), name=fight.declaration)
    except Refusal as lost:
        yield attack_is_lost(attacker, lost, "the bull rush")
        return
    rush = fight.modifier("charge.attack", "bull_rush", kind="circumstance", source="charging")
    attempt.blow.attack_extra.append(rush)
    yield from carry_out(fight, attempt, feet - cost)


def carry_out(fight: Fight, attempt: Attempt, left: int | None) -> Steps[None]:
    """Make the attempt and push; who charged has so many feet `left` to go along, None stands for a move.

    Who fails stays in front of its target.
    """
    attacker, target = attempt.blow.attacker, attempt.blow.target
    check = yield from attempt_maneuver(fight, attempt, TOPIC)
    if check is None or not check.won:
        return
    pushed = yield from push_straight(fight, attacker, target, check)
    yield from follow(fight, attacker, pushed.way, pushed.squares, left)


def push_straight(fight: Fight, attacker: Combatant, target: Combatant, check: Check) -> Steps[Push]:
    """Push a target straight back as far as a check allows and the attacker chooses; return how it went."""
    way = straight_on(attacker.at, attacker, target)
    if not any(way):
        where = f"{attacker.id} stands where {target.id} does: no way leads straight back"
        yield RuleApplied(who=target.id, what=where, cites=fight.rules(TOPIC))
        return Push(way, 0, 0)
    question = f"how many feet does {attacker.id} push {target.id}?"
    feet = yield from choose_feet(fight, attacker, feet_of(fight, check, TOPIC, "push_ft"), TOPIC, question)
    return Push(way, (yield from push_back(fight, attacker, target, way, feet)), feet)


def push_back(fight: Fight, attacker: Combatant, target: Combatant, way: Square, feet: int) -> Steps[int]:
    """Push the target so many feet, and those that it is pushed into; return by how many squares.

    Each has its own limit, and the least stops all. Walls and what does not give way stop them too.
    """
    pushed, start, limits, squares = [target], {target.id: target.at}, {target.id: feet}, 0
    while True:
        there = {one.id: (one.at[0] + way[0], one.at[1] + way[1]) for one in pushed}
        if any(forced_feet(line(start[one.id], way, there[one.id])) > limits[one.id] for one in pushed):
            return squares
        if any(is_walled_off(fight, one, there[one.id]) for one in pushed):
            what = "something solid is in the way of the bull rush"
            yield RuleApplied(who=target.id, what=what, cites=fight.rules(CHAIN))
            return squares
        behind = [
            other
            for one in pushed
            for other in occupants(fight, one, there[one.id])
            if other is not attacker and other not in pushed
        ]
        if behind:
            further = yield from push_another(fight, attacker, behind[0], len(pushed))
            if not further:
                return squares
            pushed.append(behind[0])
            start[behind[0].id], limits[behind[0].id] = behind[0].at, further
            continue
        fallen = [one for one in pushed if falls_at(fight, one, one.at, there[one.id])]
        for one in reversed(pushed):
            yield from force(fight, attacker, one, there[one.id], NAME, *fight.rules(TOPIC, CHAIN))
        if any(one.at != there[one.id] for one in pushed):
            return squares
        squares += 1
        pushed = [one for one in pushed if one not in fallen]
        if target in fallen:
            return squares


def line(start: Square, way: Square, end: Square) -> list[Square]:
    """Return the squares from one to another that lies straight on in a direction."""
    found = [start]
    while found[-1] != end:
        found.append((found[-1][0] + way[0], found[-1][1] + way[1]))
    return found


def push_another(fight: Fight, attacker: Combatant, other: Combatant, pushed: int) -> Steps[int]:
    """Try to push one more creature that stands in the way; return how many feet it gives way, 0 for none.

    The new check has a penalty for each creature beyond the first (pf1.bull-rush.chain).
    """
    cites, means = fight.rules(CHAIN), unarmed(fight, attacker)
    try:
        refuse_immovable(fight, attacker, other, NAME, means)
    except Refusal as refused:
        yield RuleApplied(who=other.id, what=refused.reason, cites=(refused.rule, *cites))
        return 0
    intent = Intent("through", maneuver=NAME, against=f"CMD against {NAME}")
    blow = Blow(attacker, other, means, True, distance(attacker, other), intent)
    less = int(fight.figure(CHAIN, "extra_creature")) * pushed
    blow.attack_extra.append(Modifier(less, "penalty", f"{pushed} pushed already", cites[0]))
    if not (yield from provoke_in_the_way(fight, blow)):
        return 0
    check = yield from roll_maneuver(fight, blow, TOPIC, CHAIN)
    return feet_of(fight, check, TOPIC, "push_ft") if check.won else 0


def provoke_in_the_way(fight: Fight, blow: Blow) -> Steps[bool]:
    """Let a creature that stands in the way have its attack of opportunity, as the target of the new check.

    What it deals is taken off that check; return whether the push goes on (pf1.maneuver.provokes).
    """
    attacker, other, rule = blow.attacker, blow.target, fight.rule("pf1.maneuver.provokes")
    if has_improved(attacker, NAME) or not threatens(fight, other, attacker):
        return True
    stood, before = footing(fight, attacker, other), attacker.hp - attacker.nonlethal + attacker.temporary
    name = f"{NAME}:{fight.declaration}:{other.id}"
    yield from fight.dialect.opportunity.provoke(fight, attacker, [other], f"tries to {NAME}", name, rule)
    hurt = before - (attacker.hp - attacker.nonlethal + attacker.temporary)
    if hurt > 0:
        blow.attack_extra.append(Modifier(-hurt, "penalty", f"hurt by {other.id}", rule))
    return (yield from goes_on(fight, stood, partial(refuse_impeded, fight, attacker, False), "the push"))


def follow(fight: Fight, attacker: Combatant, way: Square, squares: int, left: int | None) -> Steps[None]:
    """Ask the attacker whether it goes along, as far as the rest of its charge, or a move, lasts.

    A rider stays in the saddle.
    """
    cites = fight.rules(TOPIC)
    if attacker.mount:
        return
    if left is None:
        try:
            refuse_unless_allowed(fight, attacker, "move")
            refuse_after_step(fight, attacker)
        except Refusal:
            return
        if fight.readied == attacker.id:
            return
    feet = speed(fight, attacker) if left is None else left
    path = line(attacker.at, way, (attacker.at[0] + squares * way[0], attacker.at[1] + squares * way[1]))[1:]
    while path:
        with suppress(Refusal):
            refuse_to_go(fight, attacker, tuple(path))
            refuse_path(fight, attacker, path, feet, cites[0])
            break
        path.pop()
    if not path:
        return
    question = f"does {attacker.id} go along for {len(path) * SQUARE_FT} ft.?"
    if (yield Choice(attacker.id, "follow", question, ("follow", "stay"), cites[0])) != "follow":
        return
    if left is None:
        yield ActionSpent(who=attacker.id, kind="move", what="move", cites=cites)
    how = "normal" if left is None else "charge"
    yield from fight.dialect.movement.walk(fight, attacker, path, how, *cites)
