"""Rows as Arrow tables and Parquet files, with names, units and meanings in the schema (extra `tables`)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from affray.events.errors import AffrayError
from affray.projections.rows.column import Column, Kinds

if TYPE_CHECKING:
    import pyarrow

EXTRA = "pip install 'affray[tables]'"
"""What brings Arrow and Parquet."""

BATCH = 20_000
"""So many rows of a table are held before they are written: memory stays small whatever a log holds."""


class Writer(Protocol):
    """What takes the batches of one table: a file of Parquet or of Arrow."""

    def write_table(self, table: Any) -> None:
        """Write some rows behind those before."""

    def close(self) -> None:
        """Finish the file."""


def arrow() -> Any:
    """Return the module pyarrow. Raises AffrayError, saying what brings it, where it is not installed."""
    try:
        import pyarrow
    except ImportError as missing:
        raise AffrayError(f"Arrow and Parquet need the extra tables: {EXTRA}") from missing
    return pyarrow


def schema(table: Kinds) -> "pyarrow.Schema":
    """Return the Arrow schema of a table: unit and meaning of each column are its metadata."""
    pa = arrow()
    return pa.schema([_field(pa, column) for column in table.columns], {"row": table.row})


def batch(table: Kinds, rows: Sequence[tuple[Any, ...]]) -> "pyarrow.Table":
    """Return rows of a table as an Arrow table. O(cells)."""
    pa, shape = arrow(), schema(table)
    columns: Iterable[Sequence[Any]] = zip(*rows, strict=True) if rows else [()] * len(shape)
    arrays = [pa.array(cells, field.type) for cells, field in zip(columns, shape, strict=True)]
    return pa.Table.from_arrays(arrays, schema=shape)


def batches(
    rows: Iterable[tuple[str, tuple[Any, ...]]], most: int = BATCH
) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    """Yield the rows table by table, `most` at a time, each table in the order in which its rows came."""
    held: dict[str, list[tuple[Any, ...]]] = {}
    for name, row in rows:
        several = held.get(name)
        if several is None:
            several = held[name] = []
        several.append(row)
        if len(several) == most:
            yield name, several
            held[name] = []
    yield from ((name, several) for name, several in held.items() if several)


def _field(pa: Any, column: Column) -> Any:
    types = {"integer": pa.int64(), "real": pa.float64(), "text": pa.string(), "truth": pa.bool_()}
    told = {"meaning": column.meaning} | ({"unit": column.unit} if column.unit else {})
    return pa.field(column.name, types[column.kind], metadata=told)
