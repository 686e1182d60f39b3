"""Rows of fights: tables and columns, Arrow, and the rows file next to a log."""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, Protocol

from msgspec import Struct

from affray.events.errors import AffrayError

if TYPE_CHECKING:
    import pyarrow


# --- Columns and tables: names, types, units and meanings, defined once for every medium

Kind = Literal["integer", "real", "text", "truth"]
"""The type of a cell; any cell may be empty (NULL)."""


class Column(Struct, frozen=True):
    """A column: its name, type, unit ("" for none) and meaning."""

    name: str
    kind: Kind
    unit: str
    meaning: str


class Kinds(Struct, frozen=True):
    """A table: its name, the subject of a row, the types of events it is made of, its columns."""

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
"""How to install Arrow and Parquet."""

BATCH = 20_000
"""The most rows of a table in memory before they are written."""


class Writer(Protocol):
    """A writer of the batches of one table: a Parquet or Arrow file."""

    def write_table(self, table: Any) -> None:
        """Append some rows."""

    def close(self) -> None:
        """Finish the file."""


def arrow() -> ModuleType:
    """Return the module pyarrow. Raises AffrayError with the way to install it if it is missing."""
    try:
        import pyarrow

        module: ModuleType = pyarrow
    except ImportError as missing:
        raise AffrayError(f"Arrow and Parquet need the extra tables: {EXTRA}") from missing
    return module


def schema(table: Kinds) -> "pyarrow.Schema":
    """Return the Arrow schema of a table: unit and meaning of each column are its metadata."""
    pa = arrow()
    return pa.schema([_field(pa, column) for column in table.columns], {"row": table.row})


def batch(table: Kinds, rows: Sequence[tuple[object, ...]]) -> "pyarrow.Table":
    """Return rows of a table as an Arrow table. O(cells)."""
    pa, shape = arrow(), schema(table)
    columns: Iterable[Sequence[object]] = zip(*rows, strict=True) if rows else [()] * len(shape)
    arrays = [pa.array(cells, field.type) for cells, field in zip(columns, shape, strict=True)]
    return pa.Table.from_arrays(arrays, schema=shape)


def batches(
    rows: Iterable[tuple[str, tuple[object, ...]]], most: int = BATCH
) -> Iterator[tuple[str, list[tuple[object, ...]]]]:
    """Yield the rows by table, `most` at a time, each table in the order of its rows."""
    held: dict[str, list[tuple[object, ...]]] = {}
    for name, row in rows:
        several = held.get(name)
        if several is None:
            several = held[name] = []
        several.append(row)
        if len(several) == most:
            yield name, several
            held[name] = []
    yield from ((name, several) for name, several in held.items() if several)


def _field(pa: ModuleType, column: Column) -> "pyarrow.Field":
    types = {"integer": pa.int64(), "real": pa.float64(), "text": pa.string(), "truth": pa.bool_()}
    told = {"meaning": column.meaning} | ({"unit": column.unit} if column.unit else {})
    return pa.field(column.name, types[column.kind], metadata=told)


# --- The tables of logs and of the pieces of lines of play

FIGHTS = Kinds(
    "fights",
    "a log",
    ("encounter.opened",),
    (
        text("fight", "the log, as in every other table"),
        text("log", "the name of its file, without its folder; the name of the fight in a database"),
        text("name", "the name of the encounter"),
        text("dialect", "the rules of the fight"),
        text("main", "its main line"),
        number("events", "events of the main line", "events"),
        number("branches", "branches, the root included"),
        text("date", "when its file was last written, as year and month"),
    ),
)
"""The data of each log as a whole."""

LINES = Kinds(
    "lines",
    "a piece of a line of play: the events of a branch that the line passes through",
    (),
    (
        text("fight", "the log"),
        text("line", "the line of play: the name of the branch with which it ends"),
        text("branch", "the branch that holds these events"),
        number("after", "the piece begins after this position", "events"),
        number("upto", "and ends with this one", "events"),
        truth("main", "whether the line is the main line"),
    ),
)
"""The pieces of each line of play."""


# --- The columns that several tables of rows share

PLACE_COLUMNS = (
    text("fight", "the log: the first 16 digits of the digest of its first event, the same in every copy"),
    text("branch", "the branch that holds the event; other lines of play may pass through it"),
    number("seq", "the event's position on its line, from 1", "events"),
    number("round", "the round; 0 before the first, and the surprise round", "rounds"),
    number("turn", "the turn within the round; 0 before the first", "turns"),
    text("actor", "the combatant whose turn or declaration it is; empty for none"),
    number("declaration", "the position of the declaration that caused it", "events"),
    text("act", "the act declared there (attack, charge, cast, ...)"),
    text("cites", "the ids of the rules that decided it, in the order of citation, separated by '; '"),
)
"""The columns with which every table begins."""


def stood(who: str, told: str) -> tuple[Column, ...]:
    """Return the columns for the state of a combatant just before the event."""
    return (
        text(f"{who}_side", f"the side of {told}"),
        number(f"{who}_hp", f"hit points of {told} before the event", "hit points"),
        number(f"{who}_max_hp", f"maximum hit points of {told}", "hit points"),
        number(f"{who}_nonlethal", f"nonlethal damage of {told} before the event", "hit points"),
        number(f"{who}_temporary", f"temporary hit points of {told} before the event", "hit points"),
        number(
            f"{who}_armor_class",
            f"the Armor Class of {told} in the last attack roll compared with it, including this one; "
            "empty before the first",
        ),
        number(f"{who}_x", f"the column of the square of {told}, from 0; the upper left of a large space"),
        number(f"{who}_y", "the row of that square, from 0"),
        number(f"{who}_height", f"the height at which {told} flies or climbs; 0 on the ground", "feet"),
        text(f"{who}_conditions", f"the conditions of {told} before the event, separated by '; '"),
    )


BLOW_COLUMNS = (
    text("attacker", "the id of the attacker"),
    text("target", "the id of the target"),
    *stood("attacker", "the attacker"),
    *stood("target", "the target"),
    number("distance", "feet between the nearest squares of both, height included", "feet"),
)
WHO_COLUMNS = (text("who", "the id of the combatant"), *stood("who", "that combatant"))
D20_COLUMNS = (
    number("face", "the face of the d20, or of the d100 of a percentage check", "points"),
    number("bonus", "the sum of the modifiers: total minus face", "points"),
    number("total", "the whole roll", "points"),
)
CHANCE_COLUMN = share(
    "chance",
    "the exact chance of success before the roll, over all faces of the die; empty if no separate die "
    "decided it, or if a rule decided it in another way",
)
WHY_COLUMN = text("why", "the remark of the event")
KEY_COLUMN = text("key", "the key of the roll in the table rolls; empty if none was needed")
PARTS_COLUMN = text("parts", "every modifier as JSON: value, kind, source, rule, denied")
DICE_CHANCE = share("chance", "the exact chance that these dice total that or more; empty for rerolled dice")
DEFENSE_COLUMNS = (
    number("needed", "the number that the roll had to reach", "points"),
    number("cover", "the bonus of cover to the defense", "points"),
    number("flanking", "the bonus of flanking to the attack", "points"),
    KEY_COLUMN,
)

# Long texts come last, so that SQLite need not read them to reach the columns before.
BOTH_SUMS = (
    text("attack_parts", "every modifier of the attack as JSON: value, kind, source, rule, denied"),
    text("defense_parts", "every modifier of the defense, the same way"),
)


# --- Every table of rows and all its columns: what SQL, Arrow, CSV, frames and the docs are made from
#
# One row is one event, with the state just before it.

TABLES: dict[str, Kinds] = {
    one.name: one
    for one in (
        Kinds(
            "combatants",
            "a combatant that entered",
            ("combatant.entered",),
            (
                *PLACE_COLUMNS,
                text("id", "its id in all other tables"),
                text("name", "its name"),
                text("side", "the side on which it entered"),
                text("kind", "humanoid, giant, undead, ..."),
                text("size", "its size"),
                number("hit_dice", "Hit Dice or levels"),
                number("base_attack", "base attack bonus", "points"),
                number("speed", "speed", "feet"),
                number("hp", "hit points on entry", "hit points"),
                number("max_hp", "maximum hit points", "hit points"),
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
                text("against", "the defense it was compared with: armor class, touch, ..."),
                text("result", "miss, hit, threat or critical"),
                truth("hit", "whether it was not a miss; concealment may still prevent it (miss_chances)"),
                *D20_COLUMNS,
                *DEFENSE_COLUMNS,
                number("margin", "total minus needed; negative for a failure", "points"),
                CHANCE_COLUMN,
                truth("thrown", "whether the fight's dice decided it, not scripted, ruled or typed faces"),
                truth(
                    "reaction",
                    "whether it was a reaction: attack of opportunity, readied act, missile thrown back",
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
                number("margin", "total minus needed; negative for a failure", "points"),
                CHANCE_COLUMN,
                *BOTH_SUMS,
            ),
        ),
        Kinds(
            "miss_chances",
            "a hit with a miss chance from concealment",
            ("miss-chance.resolved",),
            (
                *PLACE_COLUMNS,
                *BLOW_COLUMNS,
                number("percent", "the chance to miss", "percent"),
                number("rolled", "the result of the d100", "percent"),
                truth("missed", "whether the attack missed"),
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
                number("attack", "the position of its attack roll; empty for none", "events"),
                text("weapon", "the weapon"),
                number("total", "the damage before reductions of the target", "hit points"),
                number("reduced", "the reduction by the target", "hit points"),
                number("dealt", "damage dealt: total minus reduced", "hit points"),
                number("rolled", "the total of the dice", "hit points"),
                number("multiplier", "the multiplier of a critical hit"),
                truth("nonlethal", "whether it was nonlethal"),
                text("types", "the types of damage, separated by '; '"),
                text("dice", "the notations of the dice, separated by '; '"),
                share(
                    "expected",
                    "the average of these dice with their modifiers; empty if a rule changed the "
                    "sum (half, nothing), and for rerolled dice",
                    "hit points",
                ),
                share(
                    "chance",
                    "the exact chance that these dice total that or more; empty for rerolled dice",
                ),
                WHY_COLUMN,
                PARTS_COLUMN,
            ),
        ),
        Kinds(
            "hit_points",
            "a change of a combatant's hit points",
            ("hit-points.changed",),
            (
                *PLACE_COLUMNS,
                *WHO_COLUMNS,
                number("change", "the hit points gained; negative for lost", "hit points"),
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
                number("dc", "the DC", "points"),
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
                text("checked", "the kind of check (stabilize, grapple, turn, ...)"),
                text("against", "the opponent; empty for none"),
                truth("success", "whether it succeeded; empty for a turning check"),
                *D20_COLUMNS,
                number("dc", "the DC, or the total of the opponent", "points"),
                CHANCE_COLUMN,
                PARTS_COLUMN,
                text("opposed_parts", "the modifiers of the opponent as JSON"),
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
                text("how", "the kind: normal, step, charge, withdraw, mounts, dismounts, ..."),
                number("feet", "the cost in feet of movement", "feet"),
                number("squares", "squares entered", "squares"),
                number("diagonals", "diagonal steps among them"),
                number("to_x", "the column of the square where it ended"),
                number("to_y", "the row of that square"),
                text("path", "the squares entered as JSON: [[x, y], ...]"),
                text("mount", "the mount, for mounting and dismounting"),
            ),
        ),
        Kinds(
            "conditions",
            "a condition or temporary modifier that began or ended",
            ("condition.gained", "condition.lost", "effect.gained", "effect.ended"),
            (
                *PLACE_COLUMNS,
                *WHO_COLUMNS,
                text("form", "condition or effect"),
                text("change", "began or ended"),
                text("condition", "the condition, or the id of the effect"),
                text("source", "the source; for an end the reason"),
                number("level", "its level, if it has one"),
                text("modifies", "the value that an effect modifies: attack, defense, save.ref, ..."),
                number("value", "the bonus or penalty", "points"),
                text("until_when", "turn-start, turn-end, round-end, rest; empty until something ends it"),
                text("until_who", "the combatant whose turn it is"),
                number("until_round", "in that round or later", "rounds"),
            ),
        ),
        Kinds(
            "rounds",
            "the beginning of a round",
            ("round.began",),
            (
                *PLACE_COLUMNS,
                number("number", "the round that begins; 0 is the surprise round", "rounds"),
                text("phase", "the phase with which it begins"),
                number("standing", "combatants with more than 0 hit points", "combatants"),
                text("standing_by_side", 'their numbers by side as JSON: {"side": number}'),
                text("hp_by_side", "the sum of positive hit points of each side, as JSON"),
            ),
        ),
        Kinds(
            "rolls",
            "a roll of dice",
            ("rolled",),
            (
                *PLACE_COLUMNS,
                *WHO_COLUMNS,
                text("key", "the purpose of the roll, in full"),
                text("purpose", "its purpose in a word: attack, damage, initiative, ..."),
                text("notation", "the dice"),
                number("sides", "the number of sides, if the same for all dice"),
                text("faces", "the faces, separated by '; '"),
                number("face", "the face of a single die; empty for several"),
                number("total", "the total, including constants", "points"),
                number("dropped", "dice that did not count"),
                number("rerolled", "rerolled dice"),
                number("exploded", "dice that exploded into another"),
                share("expected", "the average total of these dice", "points"),
                DICE_CHANCE,
                text("provenance", "the source of the faces: seeded, joint, physical, overridden, ..."),
                truth("thrown", "whether the fight's dice were rolled, not scripted, ruled or typed faces"),
            ),
        ),
        Kinds(
            "choices",
            "a question that was answered",
            ("chosen",),
            (
                *PLACE_COLUMNS,
                *WHO_COLUMNS,
                text("key", "the key of the question, in full"),
                text("question", "the question in words"),
                text("options", "the possible answers, separated by '; '"),
                text("answer", "the answer"),
                text("answered_by", "the source of the answer: a person, the script, or a policy"),
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
                text("id", "R1, R2, ... of a ruling; Q1, Q2, ... of a dispute"),
                text("said_by", "the author"),
                text("verdict", "void, upheld, overturned, amended or ends; empty for a dispute"),
                text("text", "the text"),
                text("subject", "the declaration concerned"),
                number("event", "the event concerned", "events"),
                text("dispute", "the dispute that a ruling settles"),
                text("scope", "the scope of a ruling: event, onward or fight"),
                text("changes", "its changes, separated by '; '"),
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
                text("rule", "the rule that refuses it"),
            ),
        ),
    )
}
"""All tables by name, in the order of the documentation."""


# --- The rows file: a SQLite file next to the log with its rows, and views for each table by line of play
#
# The log itself is unchanged. It is append-only and sealed, an old one may contain its seed, and most of a
# row (positions, chances) is not part of its bytes; a rows file can be deleted and made again. It contains no
# secrets, no seed and no sheet.
#
# `own_attacks` has each attack of the log once, on its branch. The view `attacks` has those of the main line,
# so that a query that ignores branches counts no event twice and no event that was undone. `attacks_by_line`
# has those of every line of play with the name of its `line`; events that lines share are listed for each of
# them.

ROWS_ID = 0x41465252
"""The application id of a rows file, "AFRR", which distinguishes it from a log."""

_TYPES = {"integer": "INTEGER", "real": "REAL", "text": "TEXT", "truth": "INTEGER"}

_PLAIN_TABLE = re.compile(
    r"CREATE TABLE \w+ \((?:\w+ (?:INTEGER|REAL|TEXT), )+PRIMARY KEY \([\w, ]+\)\) STRICT, WITHOUT ROWID"
)


def statements() -> Iterator[str]:
    """Yield the statements that create the tables and views of a rows file."""
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
    """Return the name of a part of a rows file that no release has created, "" if there is none.

    Columns may be those of another release. Anything that evaluates expressions may not: a foreign view might
    never end.
    """
    own = {*statements()}
    found = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    return next((name for name, sql in found if sql not in own and not _PLAIN_TABLE.fullmatch(sql or "")), "")


def begin(connection: sqlite3.Connection) -> None:
    """Create the tables and views in an empty file."""
    # It is written under another name, so that only a complete file is read.
    for statement in ("PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", *statements()):
        connection.execute(statement)


def fill(connection: sqlite3.Connection, rows: Iterable[tuple[str, tuple[object, ...]]]) -> dict[str, int]:
    """Write rows into a new rows file, and return their number by table. O(cells)."""
    counts: dict[str, int] = {}
    for name, several in batches(rows):
        connection.executemany(_insert(f"own_{name}", TABLES[name].columns), several)
        counts[name] = counts.get(name, 0) + len(several)
    return counts


def enter(
    connection: sqlite3.Connection, fight: tuple[object, ...], pieces: Iterable[tuple[object, ...]]
) -> None:
    """Write the data of a log and the pieces of its lines of play, in the order of their columns."""
    connection.execute(_insert("fights", FIGHTS.columns), fight)
    connection.executemany(_insert("lines", LINES.columns), pieces)


def _table(name: str, table: Kinds, key: str) -> str:
    columns = ", ".join(f"{one.name} {_TYPES[one.kind]}" for one in table.columns)
    return f"CREATE TABLE {name} ({columns}, {key}) STRICT, WITHOUT ROWID"


def _insert(name: str, columns: tuple[Column, ...]) -> str:
    return f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})"
