"""What Datasette tells of a rows file: titles, what columns mean and in which unit, and the ten questions."""

from pathlib import Path
from typing import Any

import msgspec

from affray.projections.rows.column import Kinds
from affray.projections.rows.declared_tables import TABLES
from affray.projections.rows.log_tables import FIGHTS, LINES
from affray.replay.rows.questions import QUESTIONS


def metadata(database: str) -> dict[str, Any]:
    """Return the metadata of a rows file that Datasette serves under the name `database`."""
    tables: dict[str, Any] = {"fights": _described(FIGHTS), "lines": _described(LINES)}
    for name, table in TABLES.items():
        tables[name] = {**_described(table), "size": 50}
        tables[f"{name}_by_line"] = {**_described(table), "description": "The same for every line of play."}
        tables[f"own_{name}"] = {**_described(table), "hidden": True}
    queries = {
        one.name: {"title": one.asked, "sql": one.sql.strip(), "description": f"Bars: {one.bars}."}
        for one in QUESTIONS.values()
    }
    return {"databases": {database: {"tables": tables, "queries": queries}}}


def metadata_json(rows: Path) -> bytes:
    """Return the metadata of a rows file as JSON; `datasette ROWS --metadata PATH` reads it."""
    return msgspec.json.format(msgspec.json.encode(metadata(rows.stem))) + b"\n"


def _described(table: Kinds) -> dict[str, Any]:
    columns = {one.name: one.meaning + (f" ({one.unit})" if one.unit else "") for one in table.columns}
    return {"description": f"One row is {table.row}.", "columns": columns}
