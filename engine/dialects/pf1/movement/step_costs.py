"""What each step costs: what doubles it, what obstacles add to it, whose squares it leads through.

pf1.terrain.difficult, pf1.terrain.multiple, pf1.terrain.obstacle, pf1.squeeze, pf1.pass.*, pf1.minimum-move.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from affray.engine.dialects.pf1.movement.obstacles import OBSTACLE, in_way
from affray.engine.dialects.pf1.position.pass_through import BULKY, rule_of_passing
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.fight.memory import per_scene
from affray.engine.grid.battlefield import Square
from affray.engine.record.movement import Measure
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.natures import CLEAR_OF_GROUND, nature_among
from affray.engine.rules.conditions.mental_actions import PARALYZED
from affray.engine.rules.position.occupants import holders_among
from affray.engine.rules.position.squeezing import Form, kinds_at, squares_at, taken_up
from affray.projections.state import Combatant

DIFFICULT: Final = "pf1.terrain.difficult"
MULTIPLE: Final = "pf1.terrain.multiple"
SQUEEZE: Final = "pf1.squeeze"
ROUGH, LOW = "~", "="


class Stride(Struct, frozen=True):
    """One step: what it costs in squares, whether its diagonal counts on, and the rules that had a part."""

    squares: int
    diagonal: bool
    topics: tuple[str, ...]
    obstacle: bool = False


def measure_strides(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str) -> Measure:
    """Return what it costs to go along squares, the first being where the mover stands, and why.

    A square is 5 feet (pf1.grid).
    """
    # Who may go a way goes it: the second time it is remembered.
    return measured(fight, mover, tuple(whole), how, parity_of(mover, how))


@per_scene(*("mover.id", "whole", "how", "parity"))
def measured(fight: Fight, mover: Combatant, whole: tuple[Square, ...], how: str, parity: int) -> Measure:
    """Return what it costs to go along squares, beginning with the dear diagonal or the cheap one."""
    found = list(strides(fight, mover, whole, how, parity))
    feet = sum(one.squares for one in found) * int(fight.figure("pf1.grid", "square_ft"))
    topics = dict.fromkeys(topic for one in found for topic in one.topics)
    return Measure(feet, sum(one.diagonal for one in found), fight.rules(*topics))


def parity_of(mover: Combatant, how: str) -> int:
    """Return 1 if the next diagonal of a combatant's turn is the dear one of two, else 0.

    A 5-foot step is one square, whatever diagonals the round had before it.
    """
    return int(mover.spent.get("diagonals", 0) % 2) if how != "step" else 0


def measure_least(
    fight: Fight, mover: Combatant, whole: Sequence[Square], how: str, found: Measure
) -> Measure:
    """Return what the least movement costs: what it covers, whatever hampers it (pf1.minimum-move)."""
    return Measure(int(fight.figure("pf1.minimum-move", "ft")), found.diagonals, found.cites)


def strides(
    fight: Fight, mover: Combatant, whole: Sequence[Square], how: str, parity: int
) -> Iterator[Stride]:
    """Yield each step of a way."""
    for here, there in pairwise(whole):
        one = stride(fight, mover, here, there, how, parity)
        parity ^= one.diagonal
        yield one


def stride(fight: Fight, mover: Combatant, here: Square, there: Square, how: str, parity: int) -> Stride:
    """Return one step's cost: what hampers it doubles it each time, and obstacles come on top of it."""
    form = taken_up(fight, mover, here, there, how)
    diagonal = here[0] != there[0] and here[1] != there[1]
    others = holders_among(fight, mover, squares_at(there, form))
    topics = [rule_of_passing(fight, mover, other, how) for other in others]
    hampering, sparing = ground(fight, mover, there, form)
    hampering += list(filter(None, [dear_to_pass(fight, other) for other in others]))[:1]
    hampering += [SQUEEZE] if form.squeezed else []
    cost, rules = cost_of_step(fight, diagonal, hampering, parity)
    crossed = bool(in_way(fight, mover, here, there))
    if crossed:
        cost += int(fight.figure(OBSTACLE, "extra_squares"))
        rules.append(OBSTACLE)
    return Stride(
        cost,
        diagonal and not hampering,
        (*rules, *sparing, *filter(None, topics)),
        crossed,
    )


def dear_to_pass(fight: Fight, other: Combatant) -> str:
    """Return the topic of the rule by which a creature's square costs more to go through, "" if it does not.

    That of the paralyzed, and of what is bulky and helpless (pf1.cond.paralyzed, pf1.pass.opponent).
    """
    if PARALYZED in other.conditions:
        return "pf1.cond.paralyzed"
    return "pf1.pass.opponent" if has_trait(other, BULKY) and is_helpless(fight, other) else ""


def ground(fight: Fight, mover: Combatant, there: Square, form: Form) -> tuple[list[str], list[str]]:
    """Return the rules by which the ground hampers a step, and those that spare the mover from it.

    The worst of several kinds of ground counts, and only that.
    """
    kinds = kinds_at(fight, there, form)
    if ROUGH not in kinds and LOW not in kinds:
        return [], []
    topic = DIFFICULT if ROUGH in kinds else OBSTACLE
    return ([], [DIFFICULT]) if nature_among(mover, CLEAR_OF_GROUND) else ([topic], [])


def cost_of_step(
    fight: Fight, diagonal: bool, hampering: Sequence[str], parity: int
) -> tuple[int, list[str]]:
    """Return the squares that a step costs, and the topics of the rules that say so.

    1, or 2 for every second diagonal; 2 if something hampers it, diagonally 3; of several things each doubles
    it once more: 4 and 8, diagonally 6 and 12, and so on (pf1.grid, pf1.terrain.*).
    """
    count = len(hampering)
    if not count:
        return (int(fight.figure("pf1.grid", "diagonals")[parity]) if diagonal else 1), []
    steep = int(fight.figure(DIFFICULT, "diagonal"))
    if count == 1:
        topic = hampering[0] if hampering[0] in (SQUEEZE, "pf1.cond.paralyzed") else DIFFICULT
        cost = steep if diagonal else int(fight.figure(topic, "cost"))
        return cost, [*hampering, *([DIFFICULT] if diagonal else [])]
    table = fight.figure(MULTIPLE)
    most = min(count, len(table))
    cost = (steep * table[most - 2] if diagonal else table[most - 1]) << (count - most)
    return cost, [*hampering, MULTIPLE, *([DIFFICULT] if diagonal else [])]


def too_far(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str, feet: int) -> str:
    """Return the rule by which a way is too long if it is an obstacle that cannot be crossed any more."""
    spent = 0
    for one in strides(fight, mover, whole, how, parity_of(mover, how)):
        spent += one.squares * int(fight.figure("pf1.grid", "square_ft"))
        if spent > feet:
            return fight.rule(OBSTACLE) if one.obstacle else ""
    return ""
