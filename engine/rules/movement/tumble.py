"""Tumbling past opponents and through their spaces (srd35.skill.tumble, pf1.skill.acrobatics).

srd35.pass.tumble, pf1.pass.opponent, futurepath.movement.pass-through-enemy, futurepath.assumed.tumble.
"""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import Square
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, refuse_prone, speed
from affray.engine.rules.movement.unseen import known_occupants
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.projections.state import Combatant

TOPIC: Final = "skill.tumble"


class Tumbling(Struct, frozen=True):
    """Who may tumble, and how a rulebook has one get past an opponent.

    refuse: refuse who cannot tumble there.
    gets_past: check whether a mover gets past an opponent, or (the fifth argument) through its space, after
        so many others.
    """

    refuse: Callable[[Fight, Combatant, acts.Move], None]
    gets_past: Callable[[Fight, Combatant, Combatant, acts.Move, bool, int], Steps[bool]]


def tumble(fight: Fight, act: acts.Move, by: Tumbling) -> Steps[None]:
    """Tumble at half speed, or at full speed, which is harder, without provoking as far as checks succeed.

    Each opponent whose threatened squares are left, or whose space is entered, takes one check, each but
    the first with a DC higher by 2. Past one a failure provokes as usual; into a space it also stops the
    tumbler before it.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    by.refuse(fight, mover, act)
    feet = speed(fight, mover)
    if not act.fast:
        feet = int(feet * fight.figure(TOPIC, "speed"))
    through = opponents_in_way(fight, mover, act.path)
    refuse_path(fight, mover, act.path, feet, rule, through[0] if through else None)
    cites = [rule, *fight.rules(*(("pass.tumble",) if through else ()))]
    yield spending(fight, mover, "move", "tumble", *cites)
    if pace := fight.dialect.movement.speed_told(fight, mover):
        yield pace
    yield from tumble_along(fight, mover, act, through, by)


def gets_past_by_skill(
    fight: Fight,
    mover: Combatant,
    enemy: Combatant,
    act: acts.Move,
    through: bool,
    others: int,
    *,
    harder: int = 0,
    cites: tuple[str, ...] = (),
) -> Steps[bool]:
    """Check by the skill of tumbling whether a mover gets past, or through the space of, one opponent.

    `harder` is what the ground adds to the DC, by the rules cited (srd35.skill.tumble,
    futurepath.assumed.tumble).
    """
    rule = fight.rule(TOPIC)
    dc = fight.figure(TOPIC, "through" if through else "past") + others * fight.figure(TOPIC, "per_extra_foe")
    parts = skill_parts(fight, mover, "tumble", "dex", rule)
    if act.fast:
        parts.append(fight.modifier(TOPIC, "full_speed_penalty", kind="penalty", source="at full speed"))
    why = f"{'through the space of' if through else 'past'} {enemy.id}"
    return (yield from check(fight, mover, "tumble", parts, dc + harder, rule, *cites, why=why))


def opponents_in_way(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> list[Combatant]:
    """Return the opponents whose spaces a path is known to lead through and who could forbid it."""
    met = {other.id: other for square in path for other in known_occupants(fight, mover, square)}
    return [one for one in met.values() if not fight.dialect.movement.may_pass(fight, mover, one)]


def tumble_along(
    fight: Fight, mover: Combatant, act: acts.Move, through: list[Combatant], by: Tumbling
) -> Steps[None]:
    """Go square by square, with a check before each step that gets past somebody new."""
    dialect = fight.dialect
    opportunity = dialect.opportunity.opportunity_name(fight, mover)
    evaded: dict[str, bool] = {}
    rule = fight.rule(TOPIC)
    done = 0
    for place, there in enumerate(act.path):
        here = act.path[place - 1] if place else mover.at
        inside = [one for one in through if one in occupants(fight, mover, there)]
        leaving = [
            enemy
            for enemy in dialect.movement.leaving(fight, mover, here, there, "tumble")
            if opportunity not in enemy.opportunities and not is_helpless(fight, enemy)
        ]
        met = [one for one in (*leaving, *inside) if one.id not in evaded]
        if met:
            if not (yield from tumble_part_of_way(fight, mover, act.path[done:place], evaded, True)):
                return
            done = place
        for enemy in {one.id: one for one in met}.values():
            evaded[enemy.id] = yield from by.gets_past(
                fight, mover, enemy, act, enemy in through, len(evaded)
            )
        for enemy in inside:
            if not evaded[enemy.id]:
                if not (yield from tumble_part_of_way(fight, mover, act.path[done:place], evaded, False)):
                    return
                reason = f"fails to tumble through the space of {enemy.id}"
                yield from fight.dialect.opportunity.provoke(fight, mover, [enemy], reason, opportunity, rule)
                return
    yield from tumble_part_of_way(fight, mover, act.path[done:], evaded, False)


def tumble_part_of_way(
    fight: Fight, mover: Combatant, path: tuple[Square, ...], evaded: dict[str, bool], onward: bool
) -> Steps[bool]:
    """Go part of the way, provoking from whom one has not evaded; return whether its end was reached."""
    rule = fight.rule(TOPIC)
    return (
        yield from fight.dialect.movement.walk(
            fight,
            mover,
            path,
            "tumble",
            rule,
            spare=lambda step, enemy: evaded.get(enemy.id, False),
            onward=onward,
        )
    )
