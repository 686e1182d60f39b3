"""Rows as frames: Arrow tables, and data frames of pandas or polars, one for each table.

    from affray.projections import frames
    from affray.replay import rows_of

    with SqliteStore("fight.db", readonly=True) as store:
        attacks = frames.in_pandas(rows_of(store))["attacks"]

Several logs can be combined: `itertools.chain(rows_of(a), rows_of(b))`. Every table is included, even without
rows. Each function raises AffrayError if its library is not installed.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from affray.events.errors import AffrayError
from affray.projections.rows import TABLES, batch

if TYPE_CHECKING:
    import pyarrow

Rows = Iterable[tuple[str, tuple[object, ...]]]
"""Rows, each with the name of its table."""

_PANDAS = {"integer": "Int64", "real": "Float64", "text": "string", "truth": "boolean"}


def in_arrow(rows: Rows) -> dict[str, "pyarrow.Table"]:
    """Return the rows as Arrow tables by name, units and meanings in their schema. O(cells)."""
    held = _by_table(rows)
    return {name: batch(table, held[name]) for name, table in TABLES.items()}


def in_pandas(rows: Rows) -> dict[str, object]:
    """Return the rows as frames of pandas by name; empty cells are `pandas.NA`. O(cells)."""
    try:
        import pandas
    except ImportError as missing:
        raise AffrayError("frames of pandas need it: pip install pandas") from missing
    held, made = _by_table(rows), {}
    for name, table in TABLES.items():
        columns = list(zip(*held[name], strict=True)) or [()] * len(table.columns)
        made[name] = pandas.DataFrame(
            {
                one.name: pandas.array(list(cells), dtype=_PANDAS[one.kind])
                for one, cells in zip(table.columns, columns, strict=True)
            }
        )
    return made


def in_polars(rows: Rows) -> dict[str, object]:
    """Return the rows as frames of polars by name. O(cells)."""
    try:
        import polars
    except ImportError as missing:
        raise AffrayError("frames of polars need it: pip install polars") from missing
    kinds = {"integer": polars.Int64, "real": polars.Float64, "text": polars.String, "truth": polars.Boolean}
    held = _by_table(rows)
    return {
        name: polars.DataFrame(
            held[name], schema={one.name: kinds[one.kind] for one in table.columns}, orient="row"
        )
        for name, table in TABLES.items()
    }


def _by_table(rows: Rows) -> dict[str, list[tuple[object, ...]]]:
    held: dict[str, list[tuple[object, ...]]] = defaultdict(list)
    for name, row in rows:
        held[name].append(row)
    return held
