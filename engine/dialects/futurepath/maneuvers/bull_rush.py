"""Bull rush: in a move or a charge, into an opponent's square, to push it straight back.

futurepath.bull-rush.*.
"""

from typing import Final

from affray.engine.dialects.futurepath.attacks.charge import (
    begin_rush,
    refuse_no_rush,
    refuse_short_or_swerving,
)
from affray.engine.dialects.futurepath.maneuvers.attack_in_move import refuse_attack_in_move, refuse_stepped
from affray.engine.dialects.futurepath.maneuvers.provoking import rules_of_table
from affray.engine.dialects.futurepath.maneuvers.sizes import refuse_unfit
from affray.engine.dialects.futurepath.maneuvers.strength_checks import (
    Check,
    check_of_attacker,
    check_of_target,
    oppose_strength,
)
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed
from affray.engine.rules.attacks.charge import refuse_swerving
from affray.engine.rules.maneuvers.bull_rush import (
    drive_back,
    go_back,
    is_hindered,
    still_before,
    straight_on,
    would_be_adjacent,
)
from affray.engine.rules.movement.displaced import stepped
from affray.engine.rules.movement.footing import last_stop
from affray.engine.rules.movement.movement import refuse_path, speed
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

WHEN: Final = "futurepath.bull-rush.when"
ENTER: Final = "futurepath.bull-rush.move-in-provokes"
CHECK: Final = Check("futurepath.bull-rush.opposed-strength", "futurepath.bull-rush.modifiers")
SUCCESS: Final = "futurepath.bull-rush.success"
#: What a turn has spent that has gone into a bull rush.
SPENT: Final = "bull rush"


def bull_rush(fight: Fight, act: acts.BullRush) -> Steps[None]:
    """Push an opponent back: an attack action in the midst of one's move, or in place of a charge's attack.

    `path` leads up to the target, through the squares of friends too; the step into its square comes then.
    """
    mover, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_stepped(fight, mover, "bull rush")
    if act.charge:
        kind, rule, feet = refuse_no_rush(fight, mover)
    else:
        kind, rule, feet = "move", fight.rule(WHEN), speed(fight, mover)
        refuse_attack_in_move(fight, mover, "bull rush")
    refuse_unfit(fight, mover, target, "bull rush")
    if act.path or act.charge:
        cost, _ = refuse_path(fight, mover, act.path, feet, rule, stays=False)
        feet -= cost
    start = act.path[-1] if act.path else mover.at
    way = way_into(fight, mover, target, start, feet)
    into = (start[0] + way[0], start[1] + way[1])
    if act.charge:
        refuse_no_line(fight, mover, target, act.path, into)
        yield from begin_rush(fight, mover, target, kind, rule)
        yield bull_rush_spent(fight, mover, "futurepath.action.charge.bull-rush-option")
    else:
        yield spending(fight, mover, "move", "move", rule)
        yield spending(fight, mover, "standard", "bull rush", rule)
        yield bull_rush_spent(fight, mover, WHEN)
    legal = last_stop(fight, mover, (mover.at, *act.path))
    if act.path:
        how = "charge" if act.charge else "normal"
        if not (yield from fight.dialect.movement.walk(fight, mover, act.path, how, rule)):
            return
    if (yield from enter_square(fight, mover, target, into, act.charge)):
        yield from contend(fight, mover, target, way, start, feet - SQUARE_FT, act.charge)
    else:
        yield from fight.dialect.movement.step_aside(fight, mover, legal)


def refuse_no_line(
    fight: Fight, mover: Combatant, target: Combatant, path: tuple[Square, ...], into: Square
) -> None:
    """Refuse a charge that is too short, goes on next to the target, or enters its square aslant."""
    refuse_short_or_swerving(fight, mover, path)
    if any(would_be_adjacent(square, mover, target) for square in path[:-1]):
        stop = fight.rule("futurepath.action.charge.stop-in-reach")
        raise Refusal(f"the charge must stop at the first square next to {target.id}", stop)
    refuse_swerving(mover, (*path, into), fight.rule("futurepath.action.charge.straight-line"))


def bull_rush_spent(fight: Fight, mover: Combatant, topic: str) -> ActionSpent:
    """Return that a turn has gone into a bull rush, which leaves no 5-foot step."""
    return ActionSpent(who=mover.id, kind=SPENT, what=SPENT, cites=fight.rules(topic))


def way_into(fight: Fight, mover: Combatant, target: Combatant, start: Square, feet: int) -> Square:
    """Return the step, (dx, dy), from `start` into the target's square. Refuses where none leads in."""
    rule = fight.rule(ENTER)
    if not would_be_adjacent(start, mover, target):
        raise Refusal(f"{mover.id} does not come next to {target.id}", rule)
    step = straight_on(start, mover, target)
    into = (start[0] + step[0], start[1] + step[1])
    if not any(step) or obstructed(fight.field, start, into, mover.space) or feet < SQUARE_FT:
        raise Refusal(f"{mover.id} cannot enter the square of {target.id}", rule)
    # Who is big comes to stand on more squares than the target's.
    for other in occupants(fight, mover, into):
        if other is not target and other.at != target.at:
            raise Refusal(f"{other.id} stands beside {target.id}, in the way of {mover.id}", rule)
    return step


def enter_square(
    fight: Fight, mover: Combatant, target: Combatant, into: Square, charging: bool
) -> Steps[bool]:
    """Move into the target's square before the eyes of all who threaten; return whether it came so far.

    By the new table the attack action itself provokes from the same ones: that is one opening
    (futurepath.action.combat-maneuver, futurepath.bull-rush.move-in-provokes).
    """
    start, cites = mover.at, fight.rules(ENTER)
    table = () if charging else rules_of_table(fight, "attack", "bull rush")
    yield from fight.dialect.opportunity.provoke(
        fight,
        mover,
        threatening(fight, mover),
        f"enters the square of {target.id}",
        f"bull rush:{fight.declaration}",
        *cites,
        *table,
    )
    if not (yield from still_before(fight, mover, target, start, into)):
        return False
    yield stepped(mover, into, "bull rush", *cites)
    yield from fight.dialect.movement.after_movement(fight, mover)
    return (yield from still_before(fight, mover, target, into, into))


def contend(
    fight: Fight,
    mover: Combatant,
    target: Combatant,
    way: Square,
    start: Square,
    left: int,
    charging: bool,
) -> Steps[None]:
    """Oppose Strength; push the loser back 5 feet and more, or go back where one came from.

    Going along, 5 feet more for each 5 points of margin, within the `left` feet of movement.
    """
    margin = yield from oppose_strength(
        fight,
        "bull rush",
        check_of_attacker(fight, mover, target, CHECK, charging),
        check_of_target(fight, target, mover, CHECK, False),
        CHECK,
        *fight.rules("futurepath.bull-rush.purpose"),
    )
    back = int(fight.figure("futurepath.bull-rush.failure", "distance_ft"))
    if margin <= 0:
        yield from go_back(fight, mover, start, back)
        return
    if is_hindered(fight, mover, target, way):
        cites = fight.rules(SUCCESS)
        yield RuleApplied(who=target.id, what="there is no room to be pushed into", cites=cites)
        yield from go_back(fight, mover, start, back)
        return
    feet, extra, per = (
        int(fight.figure(SUCCESS, name)) for name in ("feet", "extra_feet_per_margin", "margin")
    )
    most = min(margin // per * extra, left // SQUARE_FT * SQUARE_FT)
    if most:
        question = f"how many feet does {mover.id} push {target.id}, going along beyond {feet}?"
        options = tuple(str(feet + more) for more in range(most, -1, -extra))
        feet = int((yield Choice(mover.id, "push", question, options, fight.rule(SUCCESS))))
    yield from drive_back(fight, mover, target, way, feet, expose_pushed)
    # Others who stood where the target did are still there.
    yield from fight.dialect.movement.step_aside(fight, mover, start)


def expose_pushed(fight: Fight, mover: Combatant, other: Combatant, opportunity: str) -> Steps[None]:
    """Let all who threaten the mover strike at it, but for the one it contends with.

    futurepath.bull-rush.aoos.
    """
    enemies = [enemy for enemy in threatening(fight, mover) if enemy is not other]
    if enemies:
        reason, cites = "is moved by the bull rush", fight.rules("futurepath.bull-rush.aoos")
        yield from fight.dialect.opportunity.provoke(fight, mover, enemies, reason, opportunity, *cites)
