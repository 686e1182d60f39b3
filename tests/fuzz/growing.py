"""Inputs of any size for every reader of what comes from outside: texts of one piece many times, files, logs.

A kind makes an input of a size, reads it, and says up to which size it makes sense: further on the reader
refuses it by a bound of its own.
"""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from affray.engine.book import Book
from affray.engine.book.card import search
from affray.engine.dice import parse
from affray.engine.maps import drawn, parse_document
from affray.engine.notation.statements import statements
from affray.engine.statblock import read as read_block
from affray.engine.table.scenario import parse_scenario, play
from affray.engine.table.table import Table
from affray.events import MemoryStore, SqliteStore
from affray.events.codec import encode
from affray.events.envelope import Entry
from affray.events.errors import AffrayError, clear_line, did_you_mean
from affray.events.exports import import_jsonl
from affray.events.facts.acts import Speak
from affray.events.facts.flow import Disputed, Ruled
from affray.projections.timeline import parse as parse_position
from affray.replay.cli.terminal.prompt import split_typed_lines
from affray.replay.log.register import register
from affray.replay.notation.reading import import_notation
from affray.replay.predicates import outcome
from affray.replay.privacy.redaction import Redaction, export_redacted
from affray.replay.redecide.rulings import Ruling, parse_amendment, sort
from affray.replay.referee.formats import READERS
from affray.replay.referee.judge import judge_text
from affray.replay.verification.seals import parse_seal
from affray.replay.verification.verify import verify
from affray.replay.verification.witness import BadStatement, parse_statement, parse_witness
from tests.fuzz.grounds import middle
from tests.fuzz.monsters import exported, fill, rows, stored
from tests.serve.following import fight as begun_fight
from tests.serve.served import Served, server

MOST_BYTES = 4_000_000
"""As large as the texts get of readers that have no bound, or a higher one."""


class Kind(NamedTuple):
    """Inputs that grow: `made` makes one of a size, `read` reads it; sizes go from `first` to `most`."""

    name: str
    made: Callable[[int], Any]
    read: Callable[[Any], object]
    first: int = 64
    most: int = MOST_BYTES


def kinds() -> Iterator[Kind]:
    """Yield every kind."""
    yield from structured()
    yield from texts()


# Texts: each reader with each piece, as one line and as many.

PIECES = (
    "", " ", "\t", "a", "A", "word ", "Word ", "1", "12 ", "d", "1d6", "1d6+", "1d6r", "1d20+5 = 12 ",
    "1d20 (5) + 3 = 8, ", "(", ")", "(1", "(1+", "[", "[1, ", "[a", "{", "{{", "<", "<br ", '<span title="',
    "<span dropped>", "&", "&amp;", "&#1", "*", "`", "~~", "~~1", "=", "= ", "=> ", "->", "-", "+", "+ 1 ",
    "/", ".", ". ", ",", ", ", ":", ": ", ";", "|", "'", '"', '"""', "\\", "#", "@", "%", "!", "?", "é",
    "\u00a0", "\u200b", "a-", "a'", "attack ", "attacks ", "A hits B ", "hit ", "damage ", "5 damage ",
    "half of 5 is 2 ", "hp 5 -> 3 ", "AC ", "AC 15 ", "natural ", "rolling ", "rolling 1d6\n",
    "rolled 5 using 1d6 ", "to hit: ", "A attacks with a ", "critical ", "concealment ", "+5 melee ",
    "Armor Class: ", "Feats: ", "a b: ", "a = 1\n", "a.", "[[a]]", "[a]\n", "a={", "and ", "(not ", "main:",
    "a+", ".hp=1", "\x00", "\r", "\u2028", "_", "$[[1]]", "{{a=b}}", "1,", "1>", "1,1>", "[12:30] ",
)  # fmt: skip
"""What texts are made of: words and signs of the formats, and openings that are never closed."""

BLOCK = """Ogre
Large Giant
Hit Dice: 4d8+11 (29 hp)
Initiative: -1
Speed: 30 ft.
Armor Class: 16 (-1 size, -1 Dex, +5 natural, +3 hide armor), touch 8, flat-footed 16
Attack: Greatclub +8 melee (2d8+7)
"""


def _lines(text: str) -> Iterator[bytes]:
    return (line.encode("utf-8", "replace") + b"\n" for line in text.split("\n"))


@cache
def _table() -> Table:
    return Table(middle("srd35", 1))


def _within(text: str, field: str, piece: str) -> str:
    return text.replace(field, f"{field} {' '.join(piece.split())} ", 1)


READERS_OF_TEXT: dict[str, tuple[Callable[[str], object], int]] = {
    "referee": (judge_text, MOST_BYTES),
    **{f"referee {name}": (partial(judge_text, format=name), MOST_BYTES) for name in READERS},
    "dice": (parse, MOST_BYTES),
    "notation": (
        lambda text: import_notation(f"affray notation 1\n{text}".encode(), MemoryStore()),
        MOST_BYTES,
    ),
    "notation line": (lambda text: [*statements(f"begin {text}")], MOST_BYTES),
    "stat block": (lambda text: read_block(BLOCK + text), 120_000),
    "stat block, attacks": (lambda text: read_block(_within(BLOCK, "Attack:", text)), 120_000),
    "stat block, armor": (lambda text: read_block(_within(BLOCK, "Class: 16 (", text)), 120_000),
    "stat block, feats": (lambda text: read_block(f"{BLOCK}Feats: {text}"), 120_000),
    "scenario": (parse_scenario, 2_000_000),
    "scenario, a text": (lambda text: parse_scenario(f'name = """{text}'), 2_000_000),
    "map": (lambda text: parse_document(text.encode("utf-8", "replace")), MOST_BYTES),
    "export": (lambda text: import_jsonl(_lines(text), MemoryStore()), MOST_BYTES),
    "seal": (parse_seal, MOST_BYTES),
    "witness file": (lambda text: parse_witness(text.encode("utf-8", "replace")), MOST_BYTES),
    "signed text": (parse_statement, MOST_BYTES),
    "effect": (lambda text: sort(Ruling("why", (text,), "")), MOST_BYTES),
    "typed lines": (lambda text: [*split_typed_lines(text)], MOST_BYTES),
    "amendment": (lambda text: parse_amendment(text, ""), MOST_BYTES),
    "outcome": (lambda text: outcome(_table().fight, text), MOST_BYTES),
    "position": (parse_position, MOST_BYTES),
    "search": (lambda text: search(Book.load("srd35"), text), MOST_BYTES),
    "suggestion": (lambda text: did_you_mean(text, ("longsword", "greatclub", "attack")), MOST_BYTES),
    "message": (clear_line, MOST_BYTES),
}
"""Each reader of a text, and the bytes up to which it is tried; where that is less than MOST_BYTES, or a text
of this reader has a bound, the reader refuses more."""


def texts() -> Iterator[Kind]:
    """Yield each reader of texts with each piece, in one line and in many."""
    for reader, (read, most) in READERS_OF_TEXT.items():
        for piece in PIECES:
            for unit in filter(None, (piece, f"{piece}\n")):
                name = f"text of {reader}: {unit!r}"
                size = len(unit.encode("utf-8", "replace"))
                yield Kind(name, unit.__mul__, read, max(1, 256 // size), most // size)


# What is built: logs, maps, fights.


def structured() -> Iterator[Kind]:
    """Yield the kinds that are more than one piece many times."""
    yield from _notations()
    yield from _maps()
    yield from _scenarios()
    yield from _blocks()
    yield from _logs()
    yield from _chats()
    yield from _served()


def _notations() -> Iterator[Kind]:
    head = "affray notation 1\n[name a]\n[dialect srd35]\n|..........\n|..........\n|..........\n"
    began = "* combatant.entered hero a orc 0,0\n"

    def read(text: str) -> object:
        return import_notation(text.encode(), MemoryStore(), roll=True)

    lines = {
        "comments": lambda n: "# a\n" * n,
        "sheets": lambda n: "".join(f"[sheet s{i} orc {{hp:{i % 50 + 1}}}]\n" for i in range(n)),
        "packed lines": lambda n: "% aaaa\n" * n,
        "speeches": lambda n: 'speak words="a"\n' * n,
        "events": lambda n: began * n,
        "variations": lambda n: "speak a\n" + "".join(f"(v{i}\nspeak b\n)\n" for i in range(n)),
    }
    for name, made in lines.items():
        yield Kind(f"notation of {name}", lambda n, made=made: head + made(n), read, 16, 200_000)  # type: ignore[misc]
    words: dict[str, Callable[[int], str]] = {
        "values": lambda n: "begin " + "a " * n,
        "a list": lambda n: f"begin a=[{'1 ' * n}]",
        "a path": lambda n: "move " + ">".join(["1,1"] * n),
        "a map": lambda n: f"begin a={{{' '.join(f'k{i}:1' for i in range(n))}}}",
        "fields": lambda n: "begin " + " ".join(f"k{i}=1" for i in range(n)),
        "throws": lambda n: "begin " + "; 5 6" * n,
        "faces": lambda n: "begin ; " + "5 " * n,
        "answers": lambda n: "begin " + "; =take" * n,
        "a text": lambda n: f'begin "{"a" * n}"',
        "escapes": lambda n: f'begin "{chr(92) * 2 * n}"',
    }
    for name, made in words.items():
        yield Kind(f"notation line of {name}", made, lambda text: [*statements(text)], 256, 2_000_000)


def _maps() -> Iterator[Kind]:
    def points(*at: tuple[float, float]) -> list[dict[str, float]]:
        return [{"x": x, "y": y} for x, y in at]

    size = {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 200, "y": 200}, "pixels_per_grid": 50}
    whole = points((0, 0), (200, 0), (200, 200), (0, 200))
    parts: dict[str, Callable[[int], dict[str, Any]]] = {
        "outlines": lambda n: {"objects_line_of_sight": [whole] * n},
        "points of an outline": lambda n: {
            "objects_line_of_sight": [points(*((i % 200, i % 2 * 200) for i in range(n)))]
        },
        "walls": lambda n: {"line_of_sight": [points((0, i % 200), (200, 200 - i % 200)) for i in range(n)]},
        "points of a wall": lambda n: {"line_of_sight": [points(*((i % 200, i % 3) for i in range(n)))]},
        "portals": lambda n: {"portals": [{"bounds": points((0, 0), (200, 200))}] * n},
        "open portals": lambda n: {
            "portals": [
                {"bounds": points((i % 200, i // 200), (i % 200, i // 200 + 1)), "closed": False}
                for i in range(n)
            ]
        },
        "lights": lambda n: {"lights": [{"range": 1}] * n},
        "unknown fields": lambda n: {f"k{i}": 1 for i in range(n)},
        "nesting": lambda n: {"environment": {"a": json.loads("[" * min(n, 900) + "]" * min(n, 900))}},
    }

    def made(part: Callable[[int], dict[str, Any]], n: int) -> bytes:
        return json.dumps({"format": 0.3, "resolution": size, **part(n)}).encode()

    for name, part in parts.items():
        yield Kind(f"map of {name}", partial(made, part), lambda d: drawn(parse_document(d), {}), 8, 200_000)


def _scenarios() -> Iterator[Kind]:
    head = 'dialect = "srd35"\nname = "a"\nmap = ["..................................................."]\n'
    orc = 'side = "{}", use = "orc", at = [{}, 0]}},\n'

    def entries(n: int) -> str:
        rows = (f'  {{id = "o{i}", ' + orc.format("ab"[i % 2], i % 50) for i in range(n))
        return f"{head}combatants = [\n{''.join(rows)}]\n"

    two = entries(2)
    made: dict[str, tuple[Callable[[int], str], bool]] = {
        "entries": (entries, True),
        "tables": (lambda n: head + "".join(f"[a{i}]\nb = 1\n" for i in range(n)), False),
        "arrays of tables": (lambda n: head + "[[a]]\n" * n, False),
        "dotted keys": (lambda n: head + "".join(f"a.k{i}.c = 1\n" for i in range(n)), False),
        "keys of a dotted table": (lambda n: head + "".join(f"[a.k{i}.c]\n" for i in range(n)), False),
        "an inline table": (lambda n: f"{head}a = {{{', '.join(f'k{i} = 1' for i in range(n))}}}", False),
        "a deep array": (lambda n: f"{head}a = {'[' * n}", False),
        "a deep key": (lambda n: f"{head}{'.'.join('a' * n)} = 1", False),
        "dice": (lambda n: f"{two}dice = [{'1, ' * n}]", True),
        "rows of the map": (lambda n: head + "map = [" + "'....'," * n + "]", False),
        "comments": (lambda n: two + "# a\n" * n, True),
        "a script of speeches": (
            lambda n: f"{two}script = '''\nbegin\n" + "speak a\n" * n + "'''\n",
            True,
        ),
        "sheets": (lambda n: two + "".join(f"[sheets.s{i}]\nhp = 5\n" for i in range(n)), False),
    }
    for name, (text, plays) in made.items():

        def read(text: str, plays: bool = plays) -> object:
            scenario = parse_scenario(text)
            return play(scenario, MemoryStore(), seed=b"p" * 32) if plays else scenario

        yield Kind(f"scenario of {name}", text, read, 8, 200_000)


def _blocks() -> Iterator[Kind]:
    parts = {
        "feats": ("Feats: ", lambda i: f"Skill Focus (thing {i}), "),
        "skills": ("Skills: ", lambda i: f"Climb {i} +5, "),
        "attacks": ("Full Attack: ", lambda i: f"claw +{i % 20} melee (1d4+1) and "),
        "alternatives": ("Full Attack: ", lambda i: f"claw +{i % 20} melee (1d4+1) or "),
        "special qualities": ("Special Qualities: ", lambda i: f"quality {i}, "),
        "spells": ("Spells Prepared: ", lambda i: f"1st - spell {i}, "),
        "saves": ("Saves: ", lambda i: f"Fort +{i}, "),
        "reductions": ("Special Qualities: ", lambda i: f"damage reduction {i}/magic, "),
    }
    for name, (label, part) in parts.items():

        def made(n: int, label: str = label, part: Callable[[int], str] = part) -> str:
            return f"{BLOCK}{label}{''.join(map(part, range(n)))}\n"

        yield Kind(f"stat block of {name}", made, read_block, 8, 8_000)
    yield Kind("stat block of fields", lambda n: BLOCK + "Feats: Alertness\n" * n, read_block, 8, 8_000)


def _said(n: int) -> list[tuple[str, int, int, str, int, bytes]]:
    words = encode(Ruled("gm", "upheld", "as it was"))
    found = rows()
    return [*found, *(("ruled", 1, 1, "", len(found) + i + 1, words) for i in range(n))]


def _disputed(n: int) -> MemoryStore:
    store = MemoryStore()
    fill(store, rows())
    at = store.head("main").seq
    made = [
        Entry("disputed", 1, 1, 1, "", at + i + 1, encode(Disputed(f"Q{i + 1}", "a", "b", 5, "")))
        for i in range(n)
    ]
    store.append("main", made, at)
    return store


def _branched(n: int) -> bytes:
    store, out = MemoryStore(), BytesIO()
    fill(store, rows())
    for number in range(n):
        store.fork(f"b{number}", "main", 5)
    from affray.events.exports import export_jsonl

    export_jsonl(store, out)
    return out.getvalue()


def _logs() -> Iterator[Kind]:
    def imported(data: bytes) -> object:
        store = MemoryStore()
        import_jsonl(BytesIO(data), store)
        return verify(store)

    def in_file(made: Callable[[Path, int], None], n: int) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            made(Path(folder) / "log.db", n)
            return (Path(folder) / "log.db").read_bytes()

    def from_file(data: bytes) -> object:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "log.db"
            path.write_bytes(data)
            with SqliteStore(path, readonly=True) as store:
                return verify(store), store.branches(), [*store.read_all()]

    def branched(path: Path, n: int) -> None:
        with SqliteStore(path, synchronous="NORMAL") as store:
            fill(store, rows())
            for number in range(n):
                store.fork(f"b{number}", "main", 5)

    def appended(path: Path, n: int) -> None:
        with SqliteStore(path, synchronous="NORMAL") as store:
            fill(store, rows())
            for number, one in enumerate(_said(n)[len(rows()) :]):
                at = store.head("main").seq
                store.append("main", [Entry(one[0], 1, 1, 1, "", at + 1, one[5])], at, f"request {number}")

    header = exported(rows()).split(b"\n")[0].rstrip(b"}")
    yield Kind("export of events", lambda n: exported(_said(n)), imported, 16, 50_000)
    yield Kind("export of branches", _branched, imported, 4, 1000)
    yield Kind(
        "export, a deep header", lambda n: header + b',"more":' + b"[" * n + b"\n", imported, 64, 1_000_000
    )
    yield Kind(
        "database of events", partial(in_file, lambda p, n: stored(p, _said(n))), from_file, 16, 50_000
    )
    yield Kind("database of branches", partial(in_file, branched), from_file, 4, 1000)
    yield Kind("database of appends", partial(in_file, appended), from_file, 4, 4000)

    def speak(words: str) -> object:
        table = Table(middle("futurepath", 0))
        return table.declare(Speak(table.state.active, words))

    yield Kind("speech", lambda n: "- " * n, speak, 64, 8_000)
    yield Kind("disputes", _disputed, register, 16, 100_000)

    def redacted(store: MemoryStore) -> object:
        return export_redacted(
            store, "main", BytesIO(), Redaction(store, "main", side="heroes", hide=("ogre",))
        )

    yield Kind("disputes for players", _disputed, redacted, 16, 20_000)


def _chats() -> Iterator[Kind]:
    die = {"class": "Die", "number": 1, "faces": 6, "results": [{"result": 9}]}
    roll = {"terms": [die], "total": 9}
    inline = {"results": {"rolls": [{"type": "R", "dice": 1, "sides": 6, "results": [{"v": 4}]}], "total": 4}}
    chats: dict[str, Callable[[int], Any]] = {
        "foundry messages": lambda n: [{"speaker": {"alias": "A"}, "rolls": [roll]}] * n,
        "rolls of a message": lambda n: {"flavor": "word " * n, "content": "b " * n, "rolls": [roll] * n},
        "dice of a roll": lambda n: {
            "rolls": [{"terms": [{**die, "results": [{"result": 9}] * n}], "total": 9}]
        },
        "roll20 messages": lambda n: [{"who": "A", "content": "$[[0]]", "inlinerolls": [inline]}] * n,
        "rolls in a text": lambda n: [{"who": "A", "content": "$[[0]]" * n, "inlinerolls": [inline] * n}],
        "lists in lists": lambda n: json.loads("[" * min(n, 900) + "]" * min(n, 900)),
    }
    for name, made in chats.items():
        yield Kind(f"referee of {name}", lambda n, made=made: json.dumps(made(n)), judge_text, 8, 50_000)  # type: ignore[misc]
    for format in READERS:

        def gap(n: int) -> str:
            return f"A{' ' * n}x{' ' * n}1d6 (5) = 5"

        yield Kind(f"referee of a gap, {format}", gap, partial(judge_text, format=format), 64, 20_000)
    logs: dict[str, Callable[[int], str]] = {
        "excuses": lambda n: "4d6 (9, 9, 9, 9) = 36 concealment\n" * n,
        "excuses before rolls": lambda n: "a concealment\n" * n + "4d6 (1, 2, 3, 4) = 10\n" * n,
        "attackers": lambda n: (
            "".join(f"A{i} attacks B: 1d20 (20) = 20 hit\n" for i in range(n))
            + "confirm: 1d20 (20) = 20\n" * n
        ),
        "sums": lambda n: ("1" + "+1" * 400 + " = 3\n") * n,
        "products": lambda n: ("1d20 (5) " + "* 999999999 " * 400 + "= 3\n") * n,
    }
    for name, log in logs.items():
        yield Kind(f"referee of {name}", log, judge_text, 8, 50_000)


_OPEN = ExitStack()


@cache
def _server() -> Served:
    folder = Path(_OPEN.enter_context(tempfile.TemporaryDirectory()))
    begun_fight(folder / "fight.db")
    return _OPEN.enter_context(server(folder / "fight.db"))


def close() -> None:
    """End the server, if one was started."""
    _OPEN.close()
    _server.cache_clear()


def _served() -> Iterator[Kind]:
    def ask(method: str, path: str, body: Any = None) -> object:
        return _server().ask(_server().master, method, path, body)

    bodies: dict[str, Callable[[int], Any]] = {
        "a list": lambda n: [1] * n,
        "fields": lambda n: {f"k{i}": 1 for i in range(n)},
        "words": lambda n: {"expected": 1, "request": "q", "act": {"act": "speak", "words": "a b " * n}},
        "a path": lambda n: {"expected": 1, "request": "q", "act": {"act": "move", "path": [[1, 1]] * n}},
        "nesting": lambda n: json.loads("[" * min(n, 900) + "]" * min(n, 900)),
    }
    for name, made in bodies.items():
        yield Kind(f"served body of {name}", made, lambda b: ask("POST", "/declarations", b), 64, 30_000)
    for name, piece in (("words", "a+"), ("fields", "a=1&"), ("signs", quote("é")), ("semicolons", ";")):
        yield Kind(
            f"served query of {name}", piece.__mul__, lambda q: ask("GET", f"/session?{q}"), 64, 20_000
        )
    yield Kind("served token", "a".__mul__, lambda t: _server().ask(t, "GET", "/session"), 64, 40_000)


def read(kind: Kind, made: Any) -> str:
    """Read an input; return the refusal, if it is refused, in its first words."""
    with suppress(ConnectionError):
        try:
            kind.read(made)
        except (AffrayError, BadStatement) as error:
            return str(error)[:80]
    return ""
