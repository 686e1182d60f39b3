"""Rows of fights: tables and columns, Arrow, and the rows file next to a log."""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from msgspec import Struct

from affray.events.errors import AffrayError

if TYPE_CHECKING:
    import pyarrow


# --- What a column of the rows is: a name, a type, a unit and a meaning, said once for every medium

Kind = Literal["integer", "real", "text", "truth"]
"""What a cell holds where it holds anything: any may be empty (NULL)."""


class Column(Struct, frozen=True):
    """One column: what it is called, what it holds, in which unit ("" for none), and what that means."""

    name: str
    kind: Kind
    unit: str
    meaning: str


class Kinds(Struct, frozen=True):
    """One table: its name, what one of its rows is, the types of events it is made of, its columns."""

    name: str
    row: str
    events: tuple[str, ...]
    columns: tuple[Column, ...]


def number(name: str, meaning: str, unit: str = "") -> Column:
    """Return a column of whole numbers."""
    return Column(name, "integer", unit, meaning)


def text(name: str, meaning: str, unit: str = "") -> Column:
    """Return a column of texts."""
    return Column(name, "text", unit, meaning)


def share(name: str, meaning: str, unit: str = "0 to 1") -> Column:
    """Return a column of fractions: a chance, or a mean."""
    return Column(name, "real", unit, meaning)


def truth(name: str, meaning: str) -> Column:
    """Return a column of truth values; 0 and 1 in SQLite."""
    return Column(name, "truth", "", meaning)


# --- Rows as Arrow tables and Parquet files, with names, units and meanings in the schema (extra `tables`)

EXTRA = "pip install 'affray[tables]'"
"""What brings Arrow and Parquet."""

BATCH = 20_000
"""So many rows of a table are held before they are written: memory stays small whatever a log holds."""


class Writer(Protocol):
    """A writer of the batches of one table: a Parquet or Arrow file."""

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


# --- The tables that say of which logs the rows are, and of which pieces each line of play is made

FIGHTS = Kinds(
    "fights",
    "a log",
    ("encounter.opened",),
    (
        text("fight", "the log, as in every other table"),
        text("log", "the name of its file, without its folder; the name of the fight in a database"),
        text("name", "what the encounter is called"),
        text("dialect", "the rules it is played by"),
        text("main", "its main line"),
        number("events", "events of the main line", "events"),
        number("branches", "branches, the root included"),
        text("date", "when its file was last written, as year and month"),
    ),
)
"""What is known of each log as a whole."""

LINES = Kinds(
    "lines",
    "a piece of a line of play: the events of a branch that the line passes through",
    (),
    (
        text("fight", "the log"),
        text("line", "the line of play: the name of the branch with which it ends"),
        text("branch", "the branch on which these events stand"),
        number("after", "the piece begins behind this position", "events"),
        number("upto", "and ends with this one", "events"),
        truth("main", "whether the line is the main line"),
    ),
)
"""Of which pieces each line of play is made."""


# --- The columns that several tables of rows share

PLACE_COLUMNS = (
    text("fight", "the log: the first 16 digits of the digest of its first event, the same in every copy"),
    text("branch", "the branch on which the event stands; other lines of play may pass through it"),
    number("seq", "the event's position on its line, from 1", "events"),
    number("round", "the round; 0 before the first, and the surprise round", "rounds"),
    number("turn", "the turn within the round; 0 before the first", "turns"),
    text("actor", "whose turn or declaration it is; empty for nobody's"),
    number("declaration", "the position of the declaration that it follows from", "events"),
    text("act", "what was declared there (attack, charge, cast, ...)"),
    text("cites", "the ids of the rules that decided it, in the order in which they are cited, by '; '"),
)
"""The columns with which every table begins."""


def stood(who: str, told: str) -> tuple[Column, ...]:
    """Return the columns that say how a combatant stood just before the event."""
    return (
        text(f"{who}_side", f"the side of {told}"),
        number(f"{who}_hp", f"hit points of {told} before the event", "hit points"),
        number(f"{who}_max_hp", f"full hit points of {told}", "hit points"),
        number(f"{who}_nonlethal", f"nonlethal damage of {told} before the event", "hit points"),
        number(f"{who}_temporary", f"temporary hit points of {told} before the event", "hit points"),
        number(
            f"{who}_armor_class",
            f"what the last attack roll at {told} had to reach that was compared with its armor class, this "
            "one included; empty before the first",
        ),
        number(f"{who}_x", f"the column of the square of {told}, from 0; the upper left of a large space"),
        number(f"{who}_y", "the row of that square, from 0"),
        number(f"{who}_height", f"how high {told} flies or climbs; 0 on the ground", "feet"),
        text(f"{who}_conditions", f"the conditions of {told} before the event, by '; '"),
    )


BLOW_COLUMNS = (
    text("attacker", "who strikes"),
    text("target", "who is struck at"),
    *stood("attacker", "the attacker"),
    *stood("target", "the target"),
    number("distance", "feet between the nearest squares of both, height included", "feet"),
)
WHO_COLUMNS = (text("who", "whom it is about"), *stood("who", "that combatant"))
D20_COLUMNS = (
    number("face", "what the d20 showed; the d100 of a check by percent", "points"),
    number("bonus", "what was added to it: total less face", "points"),
    number("total", "the whole roll", "points"),
)
CHANCE_COLUMN = share(
    "chance",
    "the exact chance beforehand that it would succeed, over all faces of the die; empty where no die of its "
    "own decided it, or where it was not decided by that arithmetic",
)
WHY_COLUMN = text("why", "what the record says about it")
KEY_COLUMN = text("key", "the key of the roll in the table rolls; empty where none was needed")
PARTS_COLUMN = text("parts", "every modifier as JSON: value, kind, source, rule, denied")
DICE_CHANCE = share(
    "chance", "the exact chance that these dice come to that or more; empty for dice rolled again"
)
DEFENSE_COLUMNS = (
    number("needed", "what the roll had to reach", "points"),
    number("cover", "what cover added to the defense", "points"),
    number("flanking", "what flanking added to the attack", "points"),
    KEY_COLUMN,
)

# Long texts come last, so that SQLite need not read them to reach the columns before.
BOTH_SUMS = (
    text("attack_parts", "every modifier of the attack as JSON: value, kind, source, rule, denied"),
    text("defense_parts", "every modifier of the defense, the same way"),
)


# --- Every table of rows and all its columns: what SQL, Arrow, CSV, frames and the docs are made from
#
# One row stands for one event. A row says what the event says, and how things stood just before it.

TABLES: dict[str, Kinds] = {
    one.name: one
    for one in (
        Kinds(
            "combatants",
            "a combatant that entered",
            ("combatant.entered",),
            (
                *PLACE_COLUMNS,
                text("id", "the id by which everything else speaks of it"),
                text("name", "what it is called"),
                text("side", "the side on which it entered"),
                text("kind", "humanoid, giant, undead, ..."),
                text("size", "its size"),
                number("hit_dice", "Hit Dice or levels"),
                number("base_attack", "base attack bonus", "points"),
                number("speed", "speed", "feet"),
                number("hp", "hit points as it entered", "hit points"),
                number("max_hp", "full hit points", "hit points"),
                number("x", "the column of its square, from 0"),
                number("y", "the row of its square, from 0"),
            ),
        ),
        Kinds(
            "attacks",
            "an attack roll that was compared with a defense",
            ("attack.resolved",),
            (
                *PLACE_COLUMNS,
                *BLOW_COLUMNS,
                text("weapon", "the weapon"),
                text("mode", "melee or ranged"),
                text("against", "what was to be reached: armor class, touch, ..."),
                text("result", "miss, hit, threat or critical"),
                truth("hit", "whether it was no miss; concealment may still have averted it (miss_chances)"),
                *D20_COLUMNS,
                *DEFENSE_COLUMNS,
                number("margin", "total less needed: below 0 it fell short", "points"),
                CHANCE_COLUMN,
                truth("thrown", "whether dice of the fight decided it: no faces laid down, ruled or by hand"),
                truth(
                    "reaction",
                    "whether it was a reaction: an attack of opportunity, a readied act, a throw back",
                ),
                WHY_COLUMN,
                *BOTH_SUMS,
            ),
        ),
        Kinds(
            "confirmations",
            "a critical threat that was confirmed or not",
            ("confirmation.resolved",),
            (
                *PLACE_COLUMNS,
                *BLOW_COLUMNS,
                truth("confirmed", "whether it became a critical hit"),
                *D20_COLUMNS,
                *DEFENSE_COLUMNS,
                number("margin", "total less needed: below 0 it fell short", "points"),
                CHANCE_COLUMN,
                *BOTH_SUMS,
            ),
        ),
        Kinds(
            "miss_chances",
            "a hit that concealment could avert",
            ("miss-chance.resolved",),
            (
                *PLACE_COLUMNS,
                *BLOW_COLUMNS,
                number("percent", "the chance to miss", "percent"),
                number("rolled", "what the d100 showed", "percent"),
                truth("missed", "whether the blow missed"),
                KEY_COLUMN,
                WHY_COLUMN,
            ),
        ),
        Kinds(
            "damage",
            "a hit's damage",
            ("damage.resolved",),
            (
                *PLACE_COLUMNS,
                *BLOW_COLUMNS,
                number("attack", "the position of the attack roll it follows from; empty for none", "events"),
                text("weapon", "the weapon"),
                number(
                    "total", "what the hit amounts to, before the target shrugs anything off", "hit points"
                ),
                number("reduced", "what the target shrugged off", "hit points"),
                number("dealt", "damage dealt: total less reduced", "hit points"),
                number("rolled", "what the dice came to", "hit points"),
                number("multiplier", "how often a critical hit counted"),
                truth("nonlethal", "whether it was nonlethal"),
                text("types", "the types of damage, by '; '"),
                text("dice", "the notations of the dice, by '; '"),
                share(
                    "expected",
                    "what these dice bring on average, with what was added; empty where a rule made "
                    "something else of the sum (half, nothing), and for dice rolled again",
                    "hit points",
                ),
                share(
                    "chance",
                    "the exact chance that these dice come to that or more; empty for dice rolled again",
                ),
                WHY_COLUMN,
                PARTS_COLUMN,
            ),
        ),
        Kinds(
            "hit_points",
            "a change of somebody's hit points",
            ("hit-points.changed",),
            (
                *PLACE_COLUMNS,
                *WHO_COLUMNS,
                number("change", "what was added; below 0 what was lost", "hit points"),
                number("hp", "hit points afterwards", "hit points"),
                number("nonlethal", "nonlethal damage afterwards", "hit points"),
                number("temporary", "temporary hit points afterwards", "hit points"),
                WHY_COLUMN,
            ),
        ),
        Kinds(
            "saves",
            "a saving throw",
            ("check.resolved",),
            (
                *PLACE_COLUMNS,
                *WHO_COLUMNS,
                text("save", "fort, ref or will"),
                truth("success", "whether it succeeded"),
                *D20_COLUMNS,
                number("dc", "what it had to reach", "points"),
                CHANCE_COLUMN,
                PARTS_COLUMN,
                KEY_COLUMN,
                WHY_COLUMN,
            ),
        ),
        Kinds(
            "checks",
            "a check other than a saving throw: alone, opposed, or a turning check",
            ("check.resolved", "contest.resolved", "turning.resolved"),
            (
                *PLACE_COLUMNS,
                *WHO_COLUMNS,
                text("form", "check, contest or turning"),
                text("checked", "what was checked (stabilize, grapple, turn, ...)"),
                text("against", "who opposed it; empty for nobody"),
                truth("success", "whether it succeeded; empty for a turning check"),
                *D20_COLUMNS,
                number("dc", "what it had to reach: the DC, or what the other came to", "points"),
                CHANCE_COLUMN,
                PARTS_COLUMN,
                text("opposed_parts", "those of whoever opposed it"),
                KEY_COLUMN,
                WHY_COLUMN,
            ),
        ),
        Kinds(
            "moves",
            "a movement, or the part of one up to an interruption",
            ("moved", "mounted", "dismounted"),
            (
                *PLACE_COLUMNS,
                *WHO_COLUMNS,
                text("how", "how: normal, step, charge, withdraw, mounts, dismounts, ..."),
                number("feet", "what it cost", "feet"),
                number("squares", "squares entered", "squares"),
                number("diagonals", "diagonal steps among them"),
                number("to_x", "the column of the square where it ended"),
                number("to_y", "the row of that square"),
                text("path", "the squares entered as JSON: [[x, y], ...]"),
                text("mount", "whom it rides, where it mounts or dismounts"),
            ),
        ),
        Kinds(
            "conditions",
            "a condition or passing modifier that began or ended",
            ("condition.gained", "condition.lost", "effect.gained", "effect.ended"),
            (
                *PLACE_COLUMNS,
                *WHO_COLUMNS,
                text("form", "condition or effect"),
                text("change", "began or ended"),
                text("condition", "the condition, or the id of the effect"),
                text("source", "what brought it; for an end why it ended"),
                number("level", "how high it stands, where it has a level"),
                text("modifies", "what an effect modifies: attack, defense, save.ref, ..."),
                number("value", "by how much", "points"),
                text("until_when", "turn-start, turn-end, round-end, rest; empty until something ends it"),
                text("until_who", "of whose turn"),
                number("until_round", "in that round or later", "rounds"),
            ),
        ),
        Kinds(
            "rounds",
            "a round as it begins",
            ("round.began",),
            (
                *PLACE_COLUMNS,
                number("number", "the round that begins; 0 is the surprise round", "rounds"),
                text("phase", "the phase with which it begins"),
                number("standing", "combatants with more than 0 hit points", "combatants"),
                text("standing_by_side", 'the same by side as JSON: {"side": number}'),
                text("hp_by_side", "the hit points above 0 of each side added up, as JSON"),
            ),
        ),
        Kinds(
            "rolls",
            "dice that were thrown",
            ("rolled",),
            (
                *PLACE_COLUMNS,
                *WHO_COLUMNS,
                text("key", "what the roll was for, in full"),
                text("purpose", "the same in a word: attack, damage, initiative, ..."),
                text("notation", "the dice"),
                number("sides", "the sides of the dice, where all have as many"),
                text("faces", "what they showed, by '; '"),
                number("face", "what a single die showed; empty for several"),
                number("total", "what they came to, constants included", "points"),
                number("dropped", "dice that did not count"),
                number("rerolled", "dice that were thrown again"),
                number("exploded", "dice that brought another one"),
                share("expected", "what these dice come to on average", "points"),
                DICE_CHANCE,
                text("provenance", "where the faces are from: seeded, joint, physical, overridden, ..."),
                truth("thrown", "whether dice of the fight were thrown: not laid down, ruled or by hand"),
            ),
        ),
        Kinds(
            "choices",
            "a question that was answered",
            ("chosen",),
            (
                *PLACE_COLUMNS,
                *WHO_COLUMNS,
                text("key", "what was asked, in full"),
                text("question", "the question in words"),
                text("options", "the possible answers, by '; '"),
                text("answer", "the answer"),
                text("answered_by", "who gave it: a person, the script, or a policy"),
                text("rule", "the rule that asks"),
            ),
        ),
        Kinds(
            "rulings",
            "a dispute, or a ruling of the game master",
            ("ruled", "disputed"),
            (
                *PLACE_COLUMNS,
                text("form", "ruling or dispute"),
                text("id", "R1, R2, ...; Q1, Q2, ... of a dispute"),
                text("said_by", "who said it"),
                text("verdict", "void, upheld, overturned, amended or ends; empty for a dispute"),
                text("text", "what was said"),
                text("subject", "the declaration that it is about"),
                number("event", "the event that it is about", "events"),
                text("dispute", "the dispute that a ruling settles"),
                text("scope", "how far a ruling reaches: event, onward or fight"),
                text("changes", "what it changes, by '; '"),
            ),
        ),
        Kinds(
            "refusals",
            "a declaration that the rules refused, or that became impossible on a branch",
            ("refused", "invalidated"),
            (
                *PLACE_COLUMNS,
                text("form", "refused or invalidated"),
                text("id", "the declaration"),
                text("reason", "why"),
                text("rule", "the rule that forbids it"),
            ),
        ),
    )
}
"""Every table by name, in the order in which they are told."""


# --- The rows file: a SQLite file beside the log with its rows, and a view for each table by line of play
#
# The log itself is not touched. It is append-only and under a seal, an old one may hold its seed, and what
# makes a row (who stood where, which chance there was) is no part of its bytes; a file of rows can be thrown
# away and made again. It holds nothing of the table of secrets, no seed and no sheet.
#
# `own_attacks` has each attack of the log once, on the branch on which it stands. The view `attacks` has
# those of the main line, so that a query that knows nothing of branches counts no event twice and none that
# was taken back. `attacks_by_line` has those of every line of play, each with the name of its `line`: there
# what lines have in common stands once for each of them.

ROWS_ID = 0x41465252
"""The application id of a rows file, "AFRR": no log is ever taken for one, and none for a log."""

_TYPES = {"integer": "INTEGER", "real": "REAL", "text": "TEXT", "truth": "INTEGER"}

_PLAIN_TABLE = re.compile(
    r"CREATE TABLE \w+ \((?:\w+ (?:INTEGER|REAL|TEXT), )+PRIMARY KEY \([\w, ]+\)\) STRICT, WITHOUT ROWID"
)


def statements() -> Iterator[str]:
    """Yield what makes the tables and views of a rows file."""
    yield f"PRAGMA application_id = {ROWS_ID}"
    yield _table("fights", FIGHTS, "PRIMARY KEY (fight)")
    yield _table("lines", LINES, "PRIMARY KEY (fight, line, branch)")
    for name, table in TABLES.items():
        yield _table(f"own_{name}", table, "PRIMARY KEY (fight, branch, seq)")
        pieces = f"lines JOIN own_{name} o ON o.fight = lines.fight AND o.branch = lines.branch"
        pieces += " AND o.seq > lines.after AND o.seq <= lines.upto"
        yield f"CREATE VIEW {name} AS SELECT o.* FROM {pieces} WHERE lines.main"
        yield f"CREATE VIEW {name}_by_line AS SELECT lines.line, o.* FROM {pieces}"


def foreign_part(connection: sqlite3.Connection) -> str:
    """Return the name of a part of a rows file that no release has created, "" where there is none.

    Columns may be those of another release. Anything that evaluates expressions may not: a foreign view might
    never end.
    """
    own = {*statements()}
    found = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    return next((name for name, sql in found if sql not in own and not _PLAIN_TABLE.fullmatch(sql or "")), "")


def begin(connection: sqlite3.Connection) -> None:
    """Make the tables and views in a file that is empty."""
    # It is written under another name, so that only a complete file is read.
    for statement in ("PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", *statements()):
        connection.execute(statement)


def fill(connection: sqlite3.Connection, rows: Iterable[tuple[str, tuple[Any, ...]]]) -> dict[str, int]:
    """Write rows into a file that was begun, and return how many there are of each table. O(cells)."""
    counts: dict[str, int] = {}
    for name, several in batches(rows):
        connection.executemany(_insert(f"own_{name}", TABLES[name].columns), several)
        counts[name] = counts.get(name, 0) + len(several)
    return counts


def enter(connection: sqlite3.Connection, fight: tuple[Any, ...], pieces: Iterable[tuple[Any, ...]]) -> None:
    """Write what is known of a log, and the pieces of its lines of play, in the order of their columns."""
    connection.execute(_insert("fights", FIGHTS.columns), fight)
    connection.executemany(_insert("lines", LINES.columns), pieces)


def _table(name: str, table: Kinds, key: str) -> str:
    columns = ", ".join(f"{one.name} {_TYPES[one.kind]}" for one in table.columns)
    return f"CREATE TABLE {name} ({columns}, {key}) STRICT, WITHOUT ROWID"


def _insert(name: str, columns: tuple[Column, ...]) -> str:
    return f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})"
