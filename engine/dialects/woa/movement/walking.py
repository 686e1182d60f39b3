"""Resolve walking along a path, with the attacks, obstacles and dangers of each step (woa.move.*)."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from affray.engine.dialects.woa.classes.turned_undead import find_turning
from affray.engine.dialects.woa.environment import environment
from affray.engine.dialects.woa.movement import movement
from affray.engine.dialects.woa.movement import speed as movement_speed
from affray.engine.dialects.woa.movement.flight import strike_ground
from affray.engine.dialects.woa.movement.movement import refuse_after_step, refuse_lying
from affray.engine.dialects.woa.movement.speed import Pace, listed_speed, speed, speed_told
from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import (
    ENGAGING,
    Guard,
    provoke_by_movement,
    report_still_engaged,
    rules_of_no_opening,
    who_may_strike,
)
from affray.engine.dialects.woa.opportunity.reactions import take_stance
from affray.engine.dialects.woa.position import creature_as_terrain, shared_space, size
from affray.engine.dialects.woa.table_cells import cell, table_modifier
from affray.engine.dialects.woa.turns.declared_actions import triggered
from affray.engine.fight.fight import Dialect, Fight, is_down
from affray.engine.grid.battlefield import Square
from affray.engine.record.blow import Blow, Harm
from affray.engine.record.compose import about, when
from affray.engine.rules.conditions.conditions import number_of_condition
from affray.engine.rules.movement.movement import (
    find_unseen_in_step,
    halted,
    refuse_path,
    report_halt,
    step_aside,
    stop_short,
)
from affray.engine.rules.position.places import occupants
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.rules.turns.delay_and_ready import MOVES, leaves_watched
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Moved
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- Ways of moving other than on foot: climbing, brachiation, burrowing (woa.movement.*)
# A mode with a listed speed is natural: no check in ordinary conditions, at that speed. Any other takes an
# Athletics check for half the speed on the ground, and the mover is easier to hit.

CLIMBING, BRACHIATING, BURROWING = "climbing", "brachiating", "burrowing"


class MovementMode(Struct, frozen=True):
    """A way of moving: its listed speed, its condition, and the usual surface for moving by skill."""

    mode: str
    condition: str
    surface: str = ""
    by_skill: bool = True


WAYS = {
    "climb": MovementMode("climb", CLIMBING, "rough wall"),
    "brachiate": MovementMode("brachiation", BRACHIATING, "overhang or ceiling"),
    "burrow": MovementMode("burrow", BURROWING, by_skill=False),
}
#: The listed speed for each condition of moving.
OF_CONDITION = {way.condition: way.mode for way in WAYS.values()}


def climb_or_burrow(fight: Fight, act: acts.Move) -> Steps[None]:
    """Climb, swing or burrow as a move action: `up` feet higher or lower, and along `path`.

    The wall has the `dc` that the game master gives, or that of its `surface`. A natural climber rolls only
    to go `fast`, at twice its listed speed. A failure makes no progress; by the margin of the table it is a
    fall.
    """
    mover = fight.combatant(act.actor)
    way = WAYS[act.how]
    refuse_unless_allowed(fight, mover, "move")
    refuse_after_step(fight, mover)
    refuse_lying(fight, mover)
    own = listed_speed(fight, mover, way.mode)
    refuse_impossible(fight, mover, way, own)
    height = level_of(mover, way.condition)
    if height + act.up < 0:
        why = f"{mover.id} is {height} ft. up and cannot go {-act.up} ft. down"
        raise Refusal(why, fight.rule("woa.move.unusual-modes"))
    feet, topics = reach_of_move(fight, mover, own, act.fast)
    if abs(act.up) > feet:
        raise Refusal(
            f"{mover.id} gets {feet} ft. with this action, not {abs(act.up)}", fight.rule(topics[0])
        )
    dc, rules = dc_of_climbing(fight, mover, way, act)
    if act.path:
        refuse_path(fight, mover, act.path, feet - abs(act.up), fight.rule(topics[0]))
    if way.condition != BURROWING:
        topics = [*topics, "woa.environment.three-dimensional"]
    yield spending(fight, mover, "move", act.how, *fight.rules(*topics))
    if pace := (None if own.feet else speed_told(fight, mover)):
        yield pace
    if own.told:
        yield RuleApplied(who=mover.id, what=f"speed: {own.told}", cites=own.cites)
    if not own.feet or act.fast:
        cites = fight.rules(
            "woa.movement.skills.basis", "woa.movement.skills.affected-options", "woa.move.unusual-modes"
        )
        margin = yield from movement_speed.athletics(
            fight, mover, dc, *cites, *rules, mode=way.mode, why=act.how
        )
        if margin < 0:
            yield from fall_or_stay(fight, mover, way.condition, margin)
            return
    if act.path:
        yield from fight.dialect.movement.walk(fight, mover, act.path, act.how, fight.rule(topics[0]))
        if is_down(fight, mover) or mover.at != act.path[-1]:
            return
    yield from note_height_and_dc(fight, mover, way, height + act.up, dc)


def refuse_impossible(fight: Fight, mover: Combatant, way: MovementMode, own: Pace) -> None:
    """Refuse ways of moving that are impossible for the mover (woa.movement.unavailable-modes)."""
    if not own.feet and (not way.by_skill or not mover.sheet.legs):
        raise Refusal(
            f"{mover.id} cannot {way.mode} without magic or devices",
            fight.rule("woa.movement.unavailable-modes"),
        )


def reach_of_move(fight: Fight, mover: Combatant, own: Pace, fast: bool) -> tuple[int, list[str]]:
    """Return the feet of a move action in this mode, and the topics of the rules.

    woa.movement.distance.natural, woa.movement.distance.skill-based
    """
    if own.feet and fast:
        return own.feet * fight.figure("woa.move.double-move", "multiplier"), [
            "woa.movement.natural-mode-no-check",
            "woa.movement.distance.natural",
        ]
    if own.feet:
        return own.feet, ["woa.movement.distance.natural", "woa.movement.natural-mode-no-check"]
    topic = "woa.movement.distance.skill-based"
    above, below = str(fight.figure(topic, "distance")).split()[0].split("/")
    return speed(fight, mover) * int(above) // int(below), [topic, "woa.movement.natural-mode-no-check"]


def dc_of_climbing(
    fight: Fight, mover: Combatant, way: MovementMode, act: acts.Move
) -> tuple[int, tuple[str, ...]]:
    """Return the DC of a surface, the game master's or the table's, and the rule of the table."""
    if act.dc or not way.surface:
        return act.dc, ()
    found = cell(fight, "woa.movement.common-modes", f"surface={act.surface or way.surface}", "dc")
    if found is None and not listed_speed(fight, mover, way.mode).feet:
        reason = f"no DC is printed for {act.surface or way.surface!r}: the game master must give one"
        raise Refusal(reason, fight.rule("woa.movement.common-modes"))
    return (0, ()) if found is None else (found.value, (found.rule,))


def climbable_surfaces(dialect: Dialect) -> tuple[str, ...]:
    """Return the names of surfaces that can be climbed."""
    return tuple(row["surface"] for row in dialect.book.topic_figure("woa.movement.common-modes"))


def note_height_and_dc(
    fight: Fight, mover: Combatant, way: MovementMode, height: int, dc: int
) -> Steps[None]:
    """Record a mover's height after climbing or the like, and the DC for keeping its hold."""
    rules = fight.rules("woa.move.unusual-modes")
    if not height and way.condition != BURROWING:
        if way.condition in mover.conditions:
            yield ConditionLost(who=mover.id, condition=way.condition, why="on the ground", cites=rules)
        return
    source = f"at DC {dc}"
    yield ConditionGained(who=mover.id, condition=way.condition, source=source, level=height, cites=rules)


def level_of(mover: Combatant, condition: str) -> int:
    """Return the height in feet of a mover with a condition of climbing or the like."""
    return mover.conditions[condition].level if condition in mover.conditions else 0


def fall_or_stay(fight: Fight, mover: Combatant, condition: str, margin: int) -> Steps[None]:
    """Make no progress, or fall if the check failed by enough."""
    found = cell(fight, "woa.movement.unusual.vulnerability", f"mode={condition}", "fall_by")
    rules = fight.rules("woa.movement.unusual.vulnerability")
    if condition in mover.conditions and found is not None and margin <= -found.value:
        yield from let_go(fight, mover, condition)
    else:
        yield RuleApplied(who=mover.id, what="makes no progress", cites=rules)


def fall_off_wall(fight: Fight, mover: Combatant) -> Steps[None]:
    """Make a climber fall that is knocked prone, or out."""
    for condition in OF_CONDITION:
        if condition != BURROWING and condition in mover.conditions:
            yield from let_go(fight, mover, condition)


def let_go(fight: Fight, mover: Combatant, condition: str, *cites: str) -> Steps[None]:
    """Fall from the height reached: damage for each full measure of it, and prone."""
    topic = "woa.movement.unusual.vulnerability"
    rules = (*cites, *fight.rules(topic))
    height = level_of(mover, condition)
    yield ConditionLost(who=mover.id, condition=condition, why="falls", cites=rules)
    die, per = (cell(fight, topic, f"mode={condition}", name) for name in ("die", "per_ft"))
    if die is not None and per is not None and height >= per.value:
        rolled = yield Roll(mover.id, "fall", f"{height // per.value}d{die.value}")
        harm = Harm(mover, rolled.total, "bludgeoning", f"a fall of {height} ft.", cites=rules)
        yield from strike_ground(fight, harm)
    if "prone" not in mover.conditions:
        yield ConditionGained(who=mover.id, condition="prone", source="a fall", cites=rules)


def lose_hold(fight: Fight, mover: Combatant, feet: int) -> Steps[None]:
    """End the hold of a falling mover (woa.movement.unusual.vulnerability)."""
    for name in (CLIMBING, BRACHIATING):
        if name in mover.conditions:
            rules = fight.rules("woa.movement.unusual.vulnerability")
            yield ConditionLost(who=mover.id, condition=name, why="falls", cites=rules)


def moving_by_skill(fight: Fight, mover: Combatant) -> Iterator[tuple[str, str]]:
    """Yield the condition and the mode by which a combatant moves without a listed speed."""
    for name in mover.conditions:
        mode = OF_CONDITION.get(name)
        if mode is not None and not listed_speed(fight, mover, mode).feet:
            yield name, mode


def penalty_of_skill_movement(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield the penalty to the target's AC for moving by skill (woa.movement.unusual.vulnerability).

    Flying and swimming have separate rules.
    """
    target, topic = blow.target, "woa.movement.unusual.vulnerability"
    for name, _ in moving_by_skill(fight, target):
        if name in (CLIMBING, BRACHIATING):
            yield from table_modifier(fight, topic, f"mode={name}", "ac", kind="penalty", source=name)
    if movement.perilous_underfoot(fight, target, target.at):
        yield from table_modifier(
            fight, topic, "mode=balancing", "ac", kind="penalty", source="keeping its balance"
        )


def check_attacked_climber(fight: Fight, mover: Combatant) -> Steps[None]:
    """Make a combatant attacked while climbing or balancing check at the DC of its movement.

    A failure has the consequences of failing to move (woa.movement.unusual.attacked-check).
    """
    rule = fight.rule("woa.movement.unusual.attacked-check")
    for name in (CLIMBING, BRACHIATING):
        if name not in mover.conditions:
            continue
        if is_down(fight, mover):
            yield from let_go(fight, mover, name)
            continue
        dc = number_of_condition(mover, name)
        why = f"attacked while {name}"
        margin = yield from movement_speed.athletics(fight, mover, dc, rule, mode=OF_CONDITION[name], why=why)
        if margin < 0:
            yield from fall_or_stay(fight, mover, name, margin)
    perilous = (
        []
        if is_down(fight, mover) or "prone" in mover.conditions
        else movement.perilous_underfoot(fight, mover, mover.at)
    )
    if perilous:
        yield RuleApplied(who=mover.id, what="attacked while balancing", cites=(rule,))
        yield from movement.keep_footing(fight, mover, perilous, "normal", "attacked while balancing")


def refuse_unnatural(fight: Fight, mover: Combatant, act: acts.Act) -> None:
    """Refuse acts that only a natural way of moving allows, and walking where there is no ground.

    woa.movement.natural-mode-only-actions, woa.short-step.listed-speed-only, woa.run.restrictions
    """
    for name, mode in moving_by_skill(fight, mover):
        kinds = {
            acts.Step: ("take a short step", "woa.short-step.listed-speed-only"),
            acts.Run: ("run", "woa.run.restrictions"),
            acts.Charge: ("charge", "woa.movement.natural-mode-only-actions"),
        }
        what, topic = kinds.get(type(act), ("", ""))
        if isinstance(act, acts.Move) and act.how == "defensive":
            what, topic = "disengage defensively", "woa.movement.natural-mode-only-actions"
        if topic:
            reason = f"{mover.id} is {name} without a {mode} speed and cannot {what}"
            raise Refusal(reason, fight.rule(topic))
    for name in (CLIMBING, BRACHIATING):
        if level_of(mover, name) > 0 and is_on_foot(act):
            why = f"{mover.id} is {level_of(mover, name)} ft. up and has no ground to walk on"
            raise Refusal(why, fight.rule("woa.move.unusual-modes"))
    refuse_rush_in_water(fight, mover, act)


#: Ways of a move over the ground.
ON_FOOT = (
    "normal",
    "defensive",
    "double",
    "tumble",
    "leave",
    "vault",
    "squeeze",
    "wriggle",
    "crowd",
    "crawl",
)


def is_on_foot(act: acts.Act) -> bool:
    """Return whether an act walks over the ground, on a way past or over an opponent too."""
    return act.how in ON_FOOT if isinstance(act, acts.Move) else isinstance(act, acts.Overrun | acts.Skirmish)


def refuse_rush_in_water(fight: Fight, mover: Combatant, act: acts.Act) -> None:
    """Refuse what deep water forbids to those without a swim speed: steps, runs, and passing over opponents.

    A swimmer moves by a skill, and who walks along the bottom is on difficult terrain (woa.water.swim-check,
    woa.water.bottom-walk, woa.short-step.blocked-by-hampered, woa.terrain.difficult.no-run-charge).
    """
    depth = environment.depth_of(mover)
    if depth in ("", environment.CHEST) or listed_speed(fight, mover, "swim").feet:
        return
    bottom = depth == environment.BOTTOM
    where = "on the bottom of deep water" if bottom else "swimming without a swim speed"
    if isinstance(act, acts.Step):
        topic = "woa.short-step.blocked-by-hampered" if bottom else "woa.short-step.listed-speed-only"
        raise Refusal(f"{mover.id} is {where} and cannot take a short step", fight.rule(topic))
    if isinstance(act, acts.Run) or (bottom and isinstance(act, acts.Charge)):
        topic = "woa.terrain.difficult.no-run-charge" if bottom else "woa.run.restrictions"
        what = "charge" if isinstance(act, acts.Charge) else "run"
        raise Refusal(f"{mover.id} is {where} and cannot {what}", fight.rule(topic))
    crosses = isinstance(act, acts.Skirmish) or (isinstance(act, acts.Overrun) and not act.charge)
    if crosses and not bottom:
        raise Refusal(f"{mover.id} is {where} and cannot walk", fight.rule("woa.water.swim-check"))


def shake_climber_by_hit(
    fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool
) -> Steps[None]:
    """Check the hold of a target that moves by skill after a hit."""
    return check_attacked_climber(fight, blow.target)


def shake_climber(fight: Fight, blow: Blow) -> Steps[None]:
    """Check the hold of a target that moves by skill after an attack, hit or miss."""
    return check_attacked_climber(fight, blow.target)


# --- Movement and size in the dialect's record: modifiers and prohibitions

#: Acts that move over the ground, even to attack on the way.
STRIDING = (acts.Move, acts.Step, acts.Run, acts.Charge, acts.Overrun, acts.Skirmish)

PROHIBITIONS = (
    about(STRIDING, refuse_unnatural),
    about(
        (acts.Move, acts.Run, acts.Charge),
        when(f"{movement.WINDED!r} in conditions", movement.refuse_winded),
    ),
    about((acts.Attack, acts.FullAttack, acts.Charge), size.refuse_too_large),
    about(
        (*STRIDING, acts.Attack, acts.FullAttack),
        when(f"{size.PERCHED!r} in conditions", creature_as_terrain.refuse_hanging),
    ),
)


def walk(
    fight: Fight,
    mover: Combatant,
    path: Sequence[Square],
    how: str,
    *cites: str,
    spared: Sequence[str] = (),
    legal: Square | None = None,
    onward: bool = False,
) -> Steps[bool]:
    """Walk along a legal path, provoking step by step; return whether the end was reached.

    A mover that drops stays in the square it was about to leave. A mover that starts from a square where it
    may not stay, entered on the same path, goes back to `legal` if it is stopped before it reaches a better
    one. It stops before a creature that it does not perceive and cannot pass; the end of the path must be
    empty, unless the movement goes `onward`. Leaving opponents whose ids are in `spared` does not provoke
    (woa.aoo.avoid.improved-overrun).
    """
    start = here = mover.at
    legal = here if legal is None else legal
    done: list[Square] = []
    perilous = movement.perilous_underfoot(fight, mover, here)
    if perilous and not (yield from movement.keep_footing(fight, mover, perilous, how, "moving on")):
        return False
    awaited = any(
        one.readied is not None or find_turning(one) is not None for one in fight.state.combatants.values()
    )

    def so_far() -> Moved:
        whole = (start, *done)
        cost = shared_space.measure(fight, mover, whole, how)
        counted = fight.rules("woa.distance.grid") if cost.diagonals else ()
        return Moved(
            who=mover.id,
            start=start,
            path=tuple(done),
            feet=cost.feet,
            diagonals=cost.diagonals,
            how=how,
            cites=tuple(
                dict.fromkeys((*cites, *counted, *cost.cites, *rules_of_no_opening(fight, mover, whole, how)))
            ),
        )

    begun = here
    for step, there in enumerate(path):
        met = find_unseen_in_step(fight, mover, here, there, step == len(path) - 1 and not onward, how)
        if met is not None:
            if done:
                yield so_far()
            yield from stop_short(fight, mover, met, how, legal, here != begun)
            return False
        if shared_space.step_needs_check(fight, mover, here, there, how):
            if done:
                yield so_far()
                start, done = here, []
            if not (yield from shared_space.check_before_step(fight, mover, here, there, how)):
                yield from step_aside(fight, mover, legal)
                return False
        if awaited and leaves_watched(fight, mover, there):
            yield from triggered(fight, mover, MOVES, there)
            if halted(fight, mover, here, how):
                yield from report_halt(fight, mover, how)
                yield from step_aside(fight, mover, legal)
                return False
        found = who_may_strike(fight, mover, here, there, how)
        if spared:
            found = yield from without_spared_openings(fight, mover, found, spared)
        anew = [guard for guard in found if guard[2] == ENGAGING]
        found = [guard for guard in found if guard[2] != ENGAGING]
        if found:
            if done:
                yield so_far()
                start, done = here, []
            yield from provoke_by_movement(fight, mover, found, how, passing=there != path[-1])
            if halted(fight, mover, here, how):
                yield from report_halt(fight, mover, how)
                yield from step_aside(fight, mover, legal)
                return False
        yield from report_still_engaged(fight, mover, here, there, how)
        before, here = here, there
        if not occupants(fight, mover, here):
            legal = here
        done.append(there)
        danger = [name for name in movement.perilous_underfoot(fight, mover, there) if name not in perilous]
        trodden = creature_as_terrain.underfoot(fight, mover, before, there)
        if awaited or anew or danger or trodden or there == path[-1]:
            yield so_far()
            if mover.sheet.feats:
                yield from take_stance(fight, mover)
            start, done = here, []
            yield from creature_as_terrain.endanger_underfoot(fight, mover, trodden)
            if danger:
                perilous = [*perilous, *danger]
                yield from movement.keep_footing(fight, mover, danger, how, f"on {danger[0]}")
            yield from provoke_by_movement(fight, mover, anew, how)
            if not is_down(fight, mover):
                yield from fight.dialect.movement.after_movement(fight, mover)
            if halted(fight, mover, here, how):
                if how == "charge" or there != path[-1]:
                    yield from report_halt(fight, mover, how)
                yield from step_aside(fight, mover, legal)
                return False
    return True


def without_spared_openings(
    fight: Fight, mover: Combatant, found: Sequence[Guard], spared: Sequence[str]
) -> Steps[list[Guard]]:
    """Return the attacks of opportunity except those from leaving overrun opponents, which are reported."""
    left = []
    for guard in found:
        if guard[0].id in spared and guard[2] == "aoo.provoke.disengaging":
            what = f"gives {guard[0].id}, whom it has overrun, no opening"
            yield RuleApplied(who=mover.id, what=what, cites=fight.rules("woa.aoo.avoid.improved-overrun"))
        else:
            left.append(guard)
    return left
