"""How much room a combatant takes, and how far it reaches."""

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.grid.reach import space as squares
from affray.engine.rules.position.place import squares_of
from affray.engine.steps import Refusal
from affray.events.facts.sheet import Sheet


def refuse_taken(fight: Fight, sheet: Sheet, at: tuple[int, int], side: int) -> None:
    """Refuse to bring a combatant in where somebody stands."""
    taken = {square: one.id for one in fight.state.combatants.values() for square in squares_of(one)}
    for square in squares(at, side):
        if square in taken:
            raise Refusal(
                f"{taken[square]} stands at {square[0]},{square[1]} already",
                fight.rule("pass.ending-movement"),
            )


def rules_of_space(fight: Fight, sheet: Sheet, side: int, reach: int) -> tuple[str, ...]:
    """Return the rule that space and reach of a newcomer follow from, unless its sheet has both."""
    own = sheet.space is not None and sheet.reach is not None
    return () if own else fight.rules("size.table-space-reach")


def space_and_reach(fight: Fight, sheet: Sheet) -> tuple[int, int]:
    """Return the squares along a side and the natural reach in feet of a creature of that size."""
    table = fight.figure("size.table-space-reach")
    shape = sheet.size.capitalize()
    rows = {row["size"]: row for row in table}
    row = rows.get(shape) or rows[f"{shape} ({'tall' if sheet.tall else 'long'})"]
    feet = sheet.space if sheet.space is not None else row["space_ft"]
    return max(1, int(feet) // SQUARE_FT), int(sheet.reach if sheet.reach is not None else row["reach_ft"])
