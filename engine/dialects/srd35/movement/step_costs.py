"""What each step costs, by which rules (srd35.terrain.*, srd35.obstacle.*, srd35.special-move.*).

Hampered movement doubles the cost of a step; several doublings multiply. The hampering things of a step
are counted here, each by the rule that says so.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from affray.engine.dialects.srd35.position.pass_through import may_pass_by_rule, very_small
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.fight.memory import per_map, per_scene
from affray.engine.grid.battlefield import Square
from affray.engine.record.movement import Measure
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.natures import CLEAR_OF_GROUND, nature_among
from affray.engine.rules.movement.barriers import barriers_crossed
from affray.engine.rules.movement.on_foot import MINIMUM
from affray.engine.rules.position.occupants import holders_among
from affray.engine.rules.position.squeezing import (
    Form,
    kinds_at,
    squares_at,
    taken_up,
)
from affray.events.facts.terrain import Barrier
from affray.projections.state import Combatant

DIFFICULT, LOW = "~", "="
BULKY = "bulky"
PARALYZED = "srd35.cond.paralyzed"


class Stride(Struct, frozen=True):
    """One step: what it costs in squares, whether its diagonal counts on, and the rules that had a part."""

    squares: int
    diagonal: bool
    topics: tuple[str, ...]
    barrier: int = 0


def measure(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str) -> Measure:
    """Return what it costs to go along squares, the first being where the mover stands, and by which rules.

    A square is 5 feet (srd35.grid.square); the least movement costs what it covers.
    """
    # Who may go a way goes it: the second time it is remembered.
    return measured(fight, mover, tuple(whole), how, parity_of(mover))


@per_scene("mover.id", "whole", "how", "parity")
def measured(fight: Fight, mover: Combatant, whole: tuple[Square, ...], how: str, parity: int) -> Measure:
    """Return what it costs to go along squares, beginning with the dear diagonal or the cheap one."""
    found = list(strides(fight, mover, whole, how, parity))
    feet = sum(one.squares for one in found) * int(fight.figure("srd35.grid.square", "square_ft"))
    if how == MINIMUM:
        feet = int(fight.figure("srd35.special-move.minimum", "distance_ft"))
    topics = dict.fromkeys(topic for one in found for topic in one.topics)
    diagonals = sum(one.diagonal for one in found)
    return Measure(feet, diagonals, fight.rules(*topics))


def parity_of(mover: Combatant) -> int:
    """Return 1 if the next diagonal of a combatant's turn is the dear one of two, else 0."""
    return int(mover.spent.get("diagonals", 0) % 2)


def strides(
    fight: Fight, mover: Combatant, whole: Sequence[Square], how: str, parity: int
) -> Iterator[Stride]:
    """Yield each step of a way."""
    spared = bool(nature_among(mover, CLEAR_OF_GROUND))
    for here, there in pairwise(whole):
        one = stride(fight, mover, here, there, how, parity, spared)
        parity = (parity + one.diagonal) % 2
        yield one


def stride(
    fight: Fight, mover: Combatant, here: Square, there: Square, how: str, parity: int, spared: bool
) -> Stride:
    """Return one step's cost: what the ground makes of it, with those whom it leads past."""
    form = taken_up(fight, mover, here, there, how)
    others = holders_among(fight, mover, squares_at(there, form))
    return stride_on_ground(
        fight,
        here,
        there,
        form,
        parity,
        spared=spared,
        passed=tuple(rules_of_held_squares(fight, mover, others, how)) if others else (),
        body=body_in_way(fight, others) if others else "",
        between=here[0] != there[0]
        and here[1] != there[1]
        and passes_between(fight, mover, here, there, form),
    )


@per_map("here", "there", "form", "parity", "spared", "passed", "body", "between")
def stride_on_ground(
    fight: Fight,
    here: Square,
    there: Square,
    form: Form,
    parity: int,
    *,
    spared: bool,
    passed: tuple[str, ...],
    body: str,
    between: bool,
) -> Stride:
    """Return one step's cost: the doublings multiply, barriers come on top of it.

    The ground may have `spared` the mover. Those who hold squares let it in by the rules `passed`, or are a
    `body` in its way, the topic of whose rule this is; it may slip diagonally `between` others.
    """
    diagonal = here[0] != there[0] and here[1] != there[1]
    topics = list(passed)
    hampering = []
    if spared:
        topics += rules_that_spare(fight, here, there, form)
    else:
        hampering += ground_topics(fight, there, form)
        if hampering and len({kind in DIFFICULT + LOW for kind in kinds_at(fight, there, form)}) > 1:
            topics.append("srd35.terrain.mixed-worst")
    if body and not (hampering and body == PARALYZED):
        hampering.append(body)
    if form.squeezed:
        hampering.append("srd35.squeeze.movement-cost")
        topics += ["srd35.squeeze.past-opponent"] if form.past else []
    if between:
        topics.append("srd35.distance.diagonal-past-creature")
    if diagonal and corners(fight, here, there, form)[1]:
        topics.append("srd35.distance.diagonal-past-pit")
    cost, rules = cost_of_step(fight, diagonal, hampering, parity)
    extra = 0 if spared else len(barriers_between(fight, here, there, form)[:1])
    if extra:
        extra = int(fight.figure("srd35.obstacle.hampering-cost", "cost_squares"))
        rules = [*rules, "srd35.obstacle.hampering-cost", "srd35.obstacle.cost-is-additional"]
    return Stride(cost + extra, diagonal and not hampering, (*rules, *topics), extra)


def body_in_way(fight: Fight, others: Sequence[Combatant]) -> str:
    """Return the topic of the rule by which those in a square hamper whoever goes over them, "" for none."""
    if any(has_trait(other, BULKY) and is_helpless(fight, other) for other in others):
        return "srd35.pass.helpless-bulky"
    return PARALYZED if any("paralyzed" in other.conditions for other in others) else ""


def cost_of_step(
    fight: Fight, diagonal: bool, hampering: Sequence[str], parity: int
) -> tuple[int, list[str]]:
    """Return the squares that a step costs, and the topics of the rules that say so.

    1, or 2 for every second diagonal; doubled once by what hampers, 4 and 8 squares (diagonally 6 and 12) for
    two and three doublings, and so on (srd35.special-move.double-cost-multiple).
    """
    count = len(hampering)
    if not count:
        return (int(fight.figure("srd35.distance.diagonals", "cost_cycle")[parity]) if diagonal else 1), []
    table = "srd35.special-move.double-cost-multiple"
    rows = {row["doublings"]: row for row in fight.figure(table)}
    if count > 1:
        row = rows[min(count, max(rows))]
        cost = row["diagonal" if diagonal else "square"] << max(0, count - max(rows))
        return cost, [*hampering, table, "srd35.special-move.double-cost-exception"]
    topic = hampering[0]
    if not diagonal:
        return int(fight.figure(topic, "cost_squares")), [topic, "srd35.special-move.double-cost"]
    if topic == "terrain.difficult-cost":  # srd35.terrain.difficult-cost
        steep = "srd35.terrain.difficult-diagonal"
        return int(fight.figure(steep, "cost_squares")), [topic, steep, "srd35.special-move.double-cost"]
    return int(rows[1]["diagonal"]), [topic, "srd35.special-move.double-cost", table]


def ground_topics(fight: Fight, there: Square, form: Form) -> list[str]:
    """Return the topic of what hampers whoever stands there: difficult terrain, or an obstacle, if any.

    The worst of several kinds of ground counts, and only that (srd35.terrain.mixed-worst).
    """
    kinds = kinds_at(fight, there, form)
    if DIFFICULT in kinds:
        return ["terrain.difficult-cost"]
    return ["srd35.obstacle.hampering-cost"] if LOW in kinds else []


def rules_that_spare(fight: Fight, here: Square, there: Square, form: Form) -> list[str]:
    """Return the rules that spare fliers and the incorporeal what the ground would cost others."""
    kinds = kinds_at(fight, there, form)
    found = ["srd35.terrain.flying-incorporeal"] if DIFFICULT in kinds else []
    if kinds & {LOW, " "} or barriers_between(fight, here, there, form):
        found.append("srd35.obstacle.flying-incorporeal")
    return found


def rules_of_held_squares(
    fight: Fight, mover: Combatant, others: Sequence[Combatant], how: str
) -> Iterator[str]:
    """Yield the rules that let a mover into squares that others hold; a charge ignores the helpless."""
    for other in others:
        free, topic = may_pass_by_rule(fight, mover, other)
        if free and how == "charge" and is_helpless(fight, other):
            yield "srd35.charge.line-test"
        elif free:
            yield topic
        if very_small(fight, mover.sheet) and very_small(fight, other.sheet):
            yield "srd35.size.tiny-share-square"


def passes_between(fight: Fight, mover: Combatant, here: Square, there: Square, form: Form) -> bool:
    """Say whether a diagonal step leads past the corner of a square that somebody holds."""
    return bool(holders_among(fight, mover, corners(fight, here, there, form)[0]))


@per_map("here", "there", "form")
def corners(fight: Fight, here: Square, there: Square, form: Form) -> tuple[frozenset[Square], bool]:
    """Return the squares that a diagonal step passes between, and whether there is a pit or pillar."""
    side = form.side
    beside = {
        square
        for dx in range(side)
        for dy in range(side)
        for square in ((there[0] + dx, here[1] + dy), (here[0] + dx, there[1] + dy))
    }
    beside -= {*squares_at(there, form), *squares_at(here, form)}
    return frozenset(beside), any(fight.field.at(square) in " T" for square in beside)


def barriers_between(fight: Fight, here: Square, there: Square, form: Form) -> list[Barrier]:
    """Return the obstacles between squares that a step of such a creature crosses."""
    if not fight.state.barriers:
        return []
    return barriers_crossed(fight, squares_at(here, form), here, there)


def too_far(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str, feet: int) -> str:
    """Return the rule that a way longer than `feet` breaks in particular: no barrier is crossed in part."""
    spent = 0
    for one in strides(fight, mover, whole, how, parity_of(mover)):
        spent += one.squares * int(fight.figure("srd35.grid.square", "square_ft"))
        if spent > feet:
            return fight.rule("srd35.obstacle.insufficient-movement") if one.barrier else ""
    return ""
