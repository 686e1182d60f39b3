"""The table of injuries, a data file: printed entries as printed, all others flagged as assumed."""

import tomllib
from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct, field


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


class _Table(Struct, forbid_unknown_fields=True):
    injury: list[Injury]


@cache
def table() -> tuple[Injury, ...]:
    """Return the rows in ascending order, without gaps or overlaps."""
    file = resources.files("affray.engine").joinpath("dialects", "woa", "tables", "injuries.toml")
    rows = msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), _Table).injury
    return tuple(sorted(rows, key=lambda row: row.first))


def entry_for(number: int, printed_only: bool = False) -> Injury | None:
    """Return the row of an entry, the lowest or highest for one beyond the table.

    None with `printed_only` for a row that the text does not print.
    """
    rows = table()
    bounded = min(max(number, rows[0].first), rows[-1].last)
    row = next(one for one in rows if one.first <= bounded <= one.last)
    return None if printed_only and row.assumed else row


def nearest(number: int, part: str) -> Injury:
    """Return the row closest to an entry that fits a body part (woa.injury.random-body-part)."""
    fitting = [row for row in table() if row.part == part]
    return min(fitting, key=lambda row: (max(row.first - number, number - row.last, 0), row.first))
