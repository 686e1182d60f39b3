"""Movement on the grid: cost, obstacles, other creatures, and what it provokes."""

from collections.abc import Sequence
from itertools import pairwise

from affray.engine.fight.fight import Fight, Paced, condition_changes, is_down, leaves_nothing, rule_of
from affray.engine.fight.memory import Same, per_scene
from affray.engine.grid.battlefield import Square
from affray.engine.rules.classes.ability_modifiers import has_feat, size_step
from affray.engine.steps import Refusal, Steps
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def speed(fight: Fight, mover: Combatant) -> int:
    """Return the speed in feet that conditions leave to a combatant."""
    return left_by_conditions(fight, mover, fight.dialect.movement.speed(fight, mover))


def left_by_conditions(fight: Fight, mover: Combatant, feet: int) -> int:
    """Return what conditions leave of a speed in feet, on land or in the air."""
    for _, change, denied in condition_changes(fight, mover, "speed"):
        if not denied:
            spared = change.eased is not None and has_feat(mover, change.eased[0])
            place = change.eased[1:] if change.eased and spared else (change.topic, *change.path)
            feet = feet * int(fight.figure(*place) * 100) // 100
    return feet


def unslowed(fight: Fight, mover: Combatant, rule: str) -> str:
    """Return the rule to cite for a way that is too long: that of the movement itself."""
    return rule


def slowing_rule(fight: Fight, mover: Combatant, rule: str) -> str:
    """Return the rule that says how far a combatant gets: that of the first condition that slows it."""
    for _, change, denied in condition_changes(fight, mover, "speed"):
        if not denied:
            return fight.book.place(change.topic, *change.path)[0]
    return rule


def printed_pace(fight: Fight, mover: Combatant) -> int:
    """Return the speed in feet before conditions: the sheet's."""
    return mover.sheet.speed


def refuse_held_fast(fight: Fight, mover: Combatant) -> None:
    """Refuse to move to those whom a condition forbids it."""
    for name in mover.conditions:
        found = rule_of(fight, name)
        if not found.moves:
            raise Refusal(f"{mover.id} is {name} and cannot move", fight.rule(found.topic))


def refuse_path(
    fight: Fight,
    mover: Combatant,
    path: Sequence[Square],
    feet: int,
    rule: str,
    through: Combatant | None = None,
    how: str = "normal",
    *,
    stays: bool = True,
) -> tuple[int, int]:
    """Refuse a path that cannot be walked within `feet`; return its cost in feet and diagonals.

    Walls, corners, opponents on the way and any creature at its end forbid it; difficult ground and
    obstacles cost double; `through` may be passed all the same; who only `stays` at the end must have room
    (srd35.pass.*, srd35.terrain.*, srd35.obstacle.*, srd35.distance.*).
    """
    if not path:
        raise Refusal("the path is empty", rule)
    refuse_held_fast(fight, mover)
    dialect = fight.dialect
    leap = first_leap(fight, mover, tuple(path), through, how, stays)
    if leap is not None:
        (x, y), (far_x, far_y) = leap
        raise Refusal(f"no step leads from {x},{y} to {far_x},{far_y}", rule)
    whole = (mover.at, *path)
    cost = dialect.movement.measure(fight, mover, whole, how)
    feet -= dialect.movement.forfeit(fight, mover)
    fight.paced = Paced(cost.feet, feet, how)
    if cost.feet > feet:
        raise Refusal(
            f"the path costs {cost.feet} ft., {mover.id} has {feet} ft.",
            dialect.movement.too_far(fight, mover, whole, how, feet)
            or dialect.movement.slowing_rule(fight, mover, rule),
        )
    return cost.feet, cost.diagonals


@per_scene(*("mover.id", "path", Same("through"), "how", "stays"))
def first_leap(
    fight: Fight,
    mover: Combatant,
    path: tuple[Square, ...],
    through: Combatant | None,
    how: str,
    stays: bool,
) -> tuple[Square, Square] | None:
    """Refuse the steps of a path that are forbidden; return the first two squares that no step joins."""
    refuse_step, end = fight.dialect.movement.refuse_step, path[-1]
    for here, there in pairwise((mover.at, *path)):
        if max(abs(here[0] - there[0]), abs(here[1] - there[1])) != 1:
            return here, there
        refuse_step(fight, mover, here, there, stays and there == end, through, how)
    return None


def sizes_apart(fight: Fight, mover: Combatant, other: Combatant) -> bool:
    """Say whether two creatures differ enough in size to pass each other (srd35.pass.three-sizes-*)."""
    least: int = fight.figure("pass.three-sizes-larger", "size_difference")
    return abs(size_step(mover) - size_step(other)) >= least


def once_a_round(fight: Fight, mover: Combatant) -> str:
    """Return the name of the opportunity that all of a mover's movement in one round is."""
    return f"move:{mover.id}:{fight.state.round}"


def halted(fight: Fight, mover: Combatant, here: Square, how: str = "") -> bool:
    """Say whether a mover can go no further: down, prone, held fast, or no longer where it was.

    Who crawls, as `how` it moves may say, is prone anyway.
    """
    if not mover.conditions:
        return mover.at != here
    return bool(what_halts(fight, mover, how)) or is_down(fight, mover) or mover.at != here


def what_halts(fight: Fight, mover: Combatant, how: str = "") -> str:
    """Return the condition in which a mover goes no further, "" for none: held, prone, or unable to act."""
    for name in mover.conditions:
        if (
            (name == "prone" and how != "crawl")
            or not rule_of(fight, name).moves
            or leaves_nothing(fight, name)
        ):
            return name
    return ""


def tell_halt(fight: Fight, mover: Combatant, how: str) -> Steps[None]:
    """Say why a mover goes no further; those who are down have been told so."""
    name = what_halts(fight, mover, how)
    if name and not is_down(fight, mover):
        reason = f"the {'move' if how == 'normal' else how} ends: {mover.id} is {name}"
        yield RuleApplied(who=mover.id, what=reason, cites=fight.rules(rule_of(fight, name).topic))


def refuse_prone(fight: Fight, mover: Combatant) -> None:
    """Refuse to walk while prone."""
    if "prone" in mover.conditions:
        raise Refusal(f"{mover.id} is prone and must stand up first", fight.rule("move-action.stand"))


def refuse_rush(fight: Fight, mover: Combatant) -> None:
    """Refuse to run or charge while a condition forbids it."""
    for name in mover.conditions:
        found = rule_of(fight, name)
        if not found.rushes:
            raise Refusal(f"{mover.id} is {name} and can neither run nor charge", fight.rule(found.topic))


def refuse_after_step(fight: Fight, mover: Combatant) -> None:
    """Refuse to move any distance in a round with a 5-foot step (srd35.five-foot-step).

    futurepath.movement.no-5-foot-step-with-move.
    """
    if mover.spent.get("step"):
        raise Refusal(f"{mover.id} has taken a 5-foot step this round", fight.rule("five-foot-step"))


def run_multiple(fight: Fight, mover: Combatant) -> int:
    """Return how many times its speed a combatant runs: four, in heavy armor three."""
    heavy = mover.sheet.armor_weight == "heavy"
    return int(fight.figure("run.action", "heavy" if heavy else "multiple"))


def refuse_crooked(mover: Combatant, path: Sequence[Square], rule: str) -> None:
    """Refuse a path that is not straight."""
    whole = (mover.at, *path)
    ways = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(whole)}
    if len(ways) > 1:
        raise Refusal("the path is not straight", rule)


def running(fight: Fight, mover: Combatant) -> ConditionGained:
    """Return the loss of the Dexterity bonus that running brings (srd35.run.action)."""
    until = Until("turn-start", mover.id, fight.state.round + 1)
    return ConditionGained(
        who=mover.id, condition="running", source="run", until=until, cites=(fight.rule("run.action"),)
    )
