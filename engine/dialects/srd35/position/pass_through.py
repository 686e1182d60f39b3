"""Moving through squares that others hold, and staying in them (srd35.pass.*, srd35.size.tiny-*)."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from affray.engine.dialects.srd35.position.inside_objects import on_other_planes
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import Square
from affray.engine.grid.reach import space
from affray.engine.rules.classes.ability_modifiers import has_trait, size_step
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.position.place import squares_of
from affray.engine.steps import Refusal
from affray.events.facts.sheet import Sheet
from affray.projections.state import Combatant

FILLING = "fills its space"
SWARM = "swarm"
GRAPPLING = "grappling"


def may_pass_by_rule(fight: Fight, combatant: Combatant, other: Combatant) -> tuple[bool, str]:
    """Say whether a combatant may move through another's square, and the topic of the rule that decides.

    Friends, the helpless, very small creatures and those of very different size pass; whoever fills its
    squares is passed by nobody.
    """
    if has_trait(other, FILLING) and not is_helpless(fight, other):
        return False, "pass.fills-squares"  # srd35.pass.fills-squares
    if (combatant.conditions or other.conditions) and on_other_planes(combatant, other):
        return True, "etherealness"
    if other.side == combatant.side:
        return True, "srd35.pass.friend"
    if is_helpless(fight, other):
        return True, "srd35.pass.helpless-opponent"
    if has_trait(combatant, SWARM) or has_trait(other, SWARM):
        return True, "srd35.pass.exceptions"
    if very_small(fight, combatant.sheet):
        return True, "pass.very-small"
    larger, smaller = "srd35.pass.three-sizes-larger", "srd35.pass.three-sizes-smaller"
    topic = larger if size_step(other) > size_step(combatant) else smaller
    if far_apart(fight, combatant, other, topic):
        return True, topic
    return False, "srd35.pass.opponent-blocked"


def far_apart(fight: Fight, combatant: Combatant, other: Combatant, topic: str) -> bool:
    """Say whether sizes let one pass the other (pass_size_difference: three or more, or exactly three)."""
    apart = abs(size_step(combatant) - size_step(other))
    least: int = fight.figure(topic, "size_difference")
    return apart == least if fight.option("pass_size_difference") == "exactly-three" else apart >= least


def may_pass(fight: Fight, combatant: Combatant, other: Combatant) -> bool:
    """Say whether one may move through the other's square."""
    return may_pass_by_rule(fight, combatant, other)[0]


def very_small(fight: Fight, sheet: Sheet) -> bool:
    """Say whether a creature is of a size that shares squares: Tiny or less (srd35.pass.very-small)."""
    return sheet.size.capitalize() in fight.figure("srd35.pass.very-small")


def refuse_held(
    fight: Fight,
    combatant: Combatant,
    there: Square,
    others: Iterable[Combatant],
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a square held by somebody whom one cannot pass, or at the end by one not to be shared with."""
    others = list(others)
    for other in others:
        free, topic = may_pass_by_rule(fight, combatant, other)
        bars = topic == "pass.fills-squares" or (other is not through and not last)
        if not free and bars:
            raise Refusal(f"{other.id} bars the way at {there[0]},{there[1]}", fight.rule(topic))
    if last:
        refuse_to_stay(fight, combatant.sheet, there, others)


def refuse_to_stay(fight: Fight, sheet: Sheet, there: Square, others: Iterable[Combatant]) -> None:
    """Refuse to end in squares of others, unless they are helpless or very small ones share them.

    Very small creatures may move into any square that has room for them; swarms into any at all.
    """
    small = very_small(fight, sheet)
    for other in others:
        shares = small or SWARM in sheet.traits or is_helpless(fight, other)
        if not shares:
            raise Refusal(
                f"{other.id} stands at {there[0]},{there[1]}", fight.rule("srd35.pass.ending-movement")
            )
    if small and SWARM not in sheet.traits and fullness(fight, sheet, others) > 1:
        raise Refusal(
            f"there is no room left at {there[0]},{there[1]} for so small a creature",
            fight.rule("srd35.size.tiny-share-square"),
        )


def fullness(fight: Fight, sheet: Sheet, others: Iterable[Combatant]) -> Fraction:
    """Return how much of one square very small creatures fill together, this one included."""
    sheets = [sheet, *(other.sheet for other in others if very_small(fight, other.sheet))]
    return sum((part_of_square(fight, one) for one in sheets), Fraction(0))


def part_of_square(fight: Fight, sheet: Sheet) -> Fraction:
    """Return how much of a square a very small creature fills: 1 of so many, more if its space is unusual."""
    capacity = fight.figure("srd35.size.tiny-share-square", "capacity_per_square")
    part = Fraction(1, capacity[sheet.size.capitalize()])
    if sheet.space is None:
        return part
    return part * (sheet.space / Fraction(size_row(fight, sheet)["space_ft"])) ** 2


def size_row(fight: Fight, sheet: Sheet) -> Any:
    """Return the row of the table of sizes for a creature (srd35.size.table-space-reach)."""
    shape = sheet.size.capitalize()
    rows = {row["size"]: row for row in fight.figure("srd35.size.table-space-reach")}
    return rows.get(shape) or rows[f"{shape} ({'tall' if sheet.tall else 'long'})"]


def may_stop(fight: Fight, combatant: Combatant, at: Square) -> bool:
    """Say whether a mover who is stopped at `at` may stay there: grapplers do in each other's squares."""
    others = occupants(fight, combatant, at)
    if others and GRAPPLING in combatant.conditions:
        others = [other for other in others if not grapples(fight, other)]
    if not others:
        return True
    try:
        refuse_to_stay(fight, combatant.sheet, at, others)
    except Refusal:
        return False
    return True


def grapples(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a combatant grapples, or carries somebody who does."""
    rider = fight.state.combatants.get(combatant.rider)
    return GRAPPLING in combatant.conditions or (rider is not None and GRAPPLING in rider.conditions)


def may_share(fight: Fight, sheet: Sheet, at: Square, side: int) -> bool:
    """Say whether a combatant shares squares with others: very small ones and swarms do."""
    return very_small(fight, sheet) or SWARM in sheet.traits


def refuse_to_share(fight: Fight, sheet: Sheet, at: Square, side: int) -> None:
    """Refuse to bring a combatant in where too many stand, or somebody with whom it shares no square."""
    taken = set(space(at, side))
    others = [one for one in fight.state.combatants.values() if taken.intersection(squares_of(one))]
    refuse_to_stay(fight, sheet, at, others)
