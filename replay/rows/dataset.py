"""Rows as a data set: a folder for each table, in which `dialect=/year=/month=` group the files.

DuckDB, Arrow, polars and Spark read such a folder as one table with the additional columns dialect, year and
month. Its content does not depend on the number of workers: logs are grouped by their size alone.
"""

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, Literal

from affray.events.errors import AffrayError, printable
from affray.events.files import atomic_folder
from affray.projections.rows import FIGHTS, TABLES, Kinds, Writer, arrow, batch, batches, schema
from affray.projections.tables import defuse_formula
from affray.replay.rows.source import Source, opened
from affray.replay.rows.walk import rows_of
from affray.replay.workers import fan_out

Format = Literal["parquet", "arrow", "csv"]
"""The formats of a data set's files; arrow is the file format of Arrow IPC, also called Feather."""

MOST_EVENTS, MOST_LOGS = 100_000, 200
"""Most events, or logs, of one month and dialect in one file of a table."""

Part = tuple[str, str, int, tuple[Source, ...], str, tuple[str, ...]]
"""A worker's task: folder, format, number of the part, logs, and the side that reads."""


def make_dataset(
    folder: Path,
    logs: Sequence[Source],
    format: Format = "parquet",
    *,
    side: str = "",
    hide: Sequence[str] = (),
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, int]:
    """Make a data set of the main lines of logs in a new folder; return the number of rows of each table.

    With `side` or `hide`, as that side may see them (`rows_of`). `progress` is called with the number of
    finished events and of all. O(events), shared among `jobs` processes. Afterwards the folder is complete or
    does not exist. Raises AffrayError if a folder or file exists already or pyarrow is missing, and what
    `rows_of` raises.
    """
    if folder.exists():
        raise AffrayError(
            f"{folder}: a {'folder' if folder.is_dir() else 'file'} exists already; choose another name"
        )
    for log in logs:
        if not log.date:
            raise AffrayError(f"{log.path}: the month of play is unknown: give it with --date")
    if format != "csv":
        arrow()
    counts: dict[str, int] = {name: 0 for name in TABLES}
    done, total = 0, sum(one.events for one in logs)
    with atomic_folder(folder) as beside:
        parts = [
            (str(beside), format, number, several, side, tuple(hide))
            for number, several in enumerate(_together(logs), 1)
        ]
        for part, made in zip(parts, fan_out(make_part, parts, jobs=jobs), strict=True):
            for name, count in made.items():
                counts[name] += count
            done += sum(one.events for one in part[3])
            if progress is not None:
                progress(done, total)
    return counts


def make_part(part: Part) -> dict[str, int]:
    """Write the files of some logs of one dialect and month; return the number of rows of each table."""
    folder, format, number, logs, side, hide = part
    counts: dict[str, int] = {}
    with ExitStack() as held:
        writers: dict[str, Writer] = {}

        def writer(table: Kinds) -> Writer:
            if table.name not in writers:
                file = _partition(Path(folder), table, logs[0]) / f"part-{number:05}.{format}"
                file.parent.mkdir(parents=True, exist_ok=True)
                writers[table.name] = held.enter_context(closing(_writer(file, table, format)))
            return writers[table.name]

        for name, several in batches(_rows_of_several(logs, side, hide)):
            writer(TABLES[name]).write_table(_made(TABLES[name], several, format))
            counts[name] = counts.get(name, 0) + len(several)
        writer(FIGHTS).write_table(_made(FIGHTS, [one.row for one in logs], format))
    return counts


def _rows_of_several(
    logs: Sequence[Source], side: str, hide: tuple[str, ...]
) -> Iterator[tuple[str, tuple[object, ...]]]:
    for log in logs:
        with opened(log.place) as store:
            yield from rows_of(store, log.main, side=side, hide=hide)


def _together(logs: Sequence[Source]) -> Iterator[tuple[Source, ...]]:
    """Yield the logs of one dialect and month together, some at a time."""
    held: list[Source] = []
    for log in sorted(logs, key=lambda one: (one.dialect, one.date, one.path)):
        other = held and (held[0].dialect, held[0].date) != (log.dialect, log.date)
        full = len(held) == MOST_LOGS or sum(one.events for one in held) >= MOST_EVENTS
        if other or full:
            yield tuple(held)
            held = []
        held.append(log)
    if held:
        yield tuple(held)


def _partition(folder: Path, table: Kinds, log: Source) -> Path:
    year, _, month = log.date.partition("-")
    return folder / table.name / f"dialect={log.dialect}" / f"year={year}" / f"month={month}"


def _made(table: Kinds, rows: list[tuple[object, ...]], format: str) -> object:
    return rows if format == "csv" else batch(table, rows)


def _writer(file: Path, table: Kinds, format: str) -> Writer:
    if format == "csv":
        return CsvWriter(file.open("wb"), table)
    pa = arrow()
    if format == "arrow":
        made: Writer = pa.ipc.new_file(str(file), schema(table))
        return made
    import pyarrow.parquet

    made = pyarrow.parquet.ParquetWriter(file, schema(table))
    return made


class CsvWriter:
    """A table as CSV with a header, which a spreadsheet opens without executing players' text."""

    def __init__(self, out: BinaryIO, table: Kinds) -> None:
        self._out = TextIOWrapper(out, encoding="utf-8", newline="")
        self._csv = csv.writer(self._out)
        self._csv.writerow([one.name for one in table.columns])

    def write_table(self, rows: list[tuple[object, ...]]) -> None:
        """Write further rows; a truth value as 0 or 1, a missing one as an empty cell."""
        for row in rows:
            self._csv.writerow([_csv_cell(one) for one in row])

    def close(self) -> None:
        """Finish the file."""
        self._out.close()


def _csv_cell(value: object) -> object:
    if isinstance(value, str):
        return defuse_formula(printable(value))
    return int(value) if isinstance(value, bool) else value
