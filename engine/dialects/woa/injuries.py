"""The table of injuries (woa.injury.table): printed entries as printed, all others flagged as assumed."""

import msgspec
from msgspec import Struct, field

from affray.engine.fight import Fight


class Injury(Struct, frozen=True, forbid_unknown_fields=True):
    """One row: the entries `first` to `last`, the body part, and what the injury does.

    `conditions` gives rounds by name, 0 for lasting. `assumed` marks a row that the text does not print;
    the effects of every row are assumed.
    """

    first: int
    last: int
    name: str
    part: str = ""
    assumed: bool = True
    conditions: dict[str, int] = field(default_factory=dict)


def table(fight: Fight) -> tuple[Injury, ...]:
    """Return the rows in ascending order, without gaps or overlaps."""
    rows: tuple[Injury, ...] | None = fight.cache.get("injuries")
    if rows is None:
        read = msgspec.convert(fight.figure("injury.table"), tuple[Injury, ...])
        rows = fight.cache["injuries"] = tuple(sorted(read, key=lambda row: row.first))
    return rows


def entry_for(fight: Fight, number: int) -> Injury | None:
    """Return the row of an entry, the lowest or highest for one beyond the table.

    None for a row that the text does not print, if only what is printed counts (`unprinted_tables`).
    """
    rows = table(fight)
    bounded = min(max(number, rows[0].first), rows[-1].last)
    row = next(one for one in rows if one.first <= bounded <= one.last)
    return None if row.assumed and fight.option("unprinted_tables") == "printed-only" else row


def nearest(fight: Fight, number: int, part: str) -> Injury:
    """Return the row closest to an entry that fits a body part (woa.injury.random-body-part)."""
    fitting = [row for row in table(fight) if row.part == part]
    return min(fitting, key=lambda row: (max(row.first - number, number - row.last, 0), row.first))
