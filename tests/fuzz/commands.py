"""Every command as a user types it at a log, each run in a process of its own whose limits are measured."""

import importlib
import pkgutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

import affray.replay
from affray.engine.dialects import dialects, load
from affray.replay.cli import affray as command_line
from tests.fuzz.forking import forked

WORDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "demo": (("--db", "{new}"),),
    "play": (("{scenario}", "--db", "{new}"),),
    "new": (("{new}", "--dialect", "srd35", "--name", "{text}"),),
    "contribute": (("{db}", "{text}", "--by", "{text}"), ("{db}",)),
    "chain": (("{db}", "--by", "{text}", "--anchor", "{text}"), ("{db}", "--leave", "{text}"), ("{db}",)),
    "link": (("{new}", "--new"), ("{new}", "{text}"), ("{db}", "{text}")),
    "add": (("{db}", "--id", "late", "--side", "x", "--at", "0,0", "--use", "orc"),),
    "carry": (
        ("{db}", "{id}", "--into", "{db}"),
        ("{file}", "{text}", "--into", "{db}", "--at", "{text}", "--after", "{text}"),
    ),
    "career": (("{id}", "{db}"), ("{text}", "{db}", "{file}", "--json")),
    "do": (("{db}", "end-turn"), ("{db}", "attack", "{id}", "{id}"), ("{db}", "speak", "--words", "{text}")),
    "auto": (
        ("{db}",),
        ("{db}", "{id}", "--policy", "ask"),
        ("{db}", "--propose"),
        ("{db}", "{text}", "--json"),
    ),
    "choose": (("{db}", "{text}"),),
    "options": (
        ("{db}",),
        ("{db}", "{id}", "--closed"),
        ("{db}", "--json", "--at", "r1"),
        ("{db}", "{text}"),
    ),
    "table": (("{db}",), ("{db}", "--ask", "--by", "{text}")),
    "serve": (
        ("{db}", "--links"),
        ("{db}", "--links", "--player", "{id}", "--hide", "{id}", "--json"),
        ("{db}", "--links", "--origin", "{text}"),
    ),
    "undo": (("{db}",), ("{db}", "--json")),
    "redo": (("{db}",),),
    "manual": (("{db}",), ("{db}", "{id}")),
    "show": (("{db}",), ("{db}", "--json"), ("{db}", "--at", "r1")),
    "log": (("{db}",), ("{db}", "--json"), ("{db}", "--from", "r1")),
    "why": (("{db}", "{seq}"), ("{db}", "r1"), ("{db}", "{seq}", "--json"), ("{db}", "{last}")),
    "blame": (
        ("{db}", "{id}.hp"),
        ("{db}", "--paths"),
        ("{db}", "{text}", "--json"),
        ("{db}", "{id}.defense", "--against", "{id}", "--at", "r1"),
    ),
    "rows": (
        ("{db}", "--into", "{out}", "--json"),
        ("{db}", "--into", "{out}", "--format", "csv", "--jobs", "1"),
        ("{db}", "--into", "{out}", "--for", "{text}", "--date", "2026-11"),
    ),
    "ask": (("luck", "{db}"), ("all", "{db}", "--json"), ("{text}", "{db}"), ("cover", "{file}")),
    "samples": (("{out}", "--fights", "1", "--jobs", "1"), ("{db}", "--fights", "1", "--json")),
    "statblock": (("{file}",),),
    "map": (("{file}",), ("{file}", "--portal", "{text}", "--json")),
    "referee": (
        ("{file}",),
        ("{db}", "--json", "--unread"),
        ("{file}", "--format", "foundry", "--dialect", "woa"),
        ("{file}", "--format", "roll20", "--without", "{text}"),
        ("{file}", "--into", "{db}"),
        ("--checks",),
    ),
    "rules": (("srd35", "{db}", "--coverage"), ("--search", "{text}"), ("--id", "{text}")),
    "dispute": (("{db}", "{seq}", "--by", "{text}", "--claim", "{text}"),),
    "ruling": (("{db}", "uphold", "--at", "{seq}", "--text", "{text}", "--by", "{text}"),),
    "rulings": (("{db}",), ("{db}", "--json")),
    "report": (("{db}", "--dispute", "Q1"), ("{db}", "--ruling", "R1")),
    "difficulty": (("{db}",), ("{db}", "--of", "heroes", "--at", "r2", "--json")),
    "odds": (
        ("{db}", "--event", "{seq}"),
        ("{db}", "--at", "end", "--runs", "1"),
        ("{db}", "--grid", "{id}.hp=1,9", "--runs", "1", "--jobs", "1", "--csv"),
        ("{db}", "--grid", "{text}={text}", "--at", "end", "--runs", "1", "--jobs", "1"),
    ),
    "swing": (("{db}", "--runs", "1"), ("{db}", "--runs", "1", "--side", "{text}")),
    "pivots": (
        ("{db}", "--jobs", "1", "--outcome", "{id} dies"),
        ("{db}", "--jobs", "1", "--json", "--outcome", "{id}.hp <= 5 at r1"),
        ("{db}", "--jobs", "1", "--outcome", "{text}"),
    ),
    "luck": (("{db}",), ("{db}", "--json")),
    "verify": (
        ("{db}",),
        ("{file}",),
        ("{db}", "--json"),
        ("{db}", "--with", "{file}", "--with", "{db}"),
        ("{db}", "--witness", "{file}", "--signers", "{file}"),
        ("{file}", "--witness", "{file}", "--signers", "{db}"),
    ),
    "secrets": (("{db}",), ("{db}", "--json"), ("{db}", "--from", "{file}")),
    "seal": (
        ("{db}",),
        ("{db}", "--prove", "{seq}"),
        ("{db}", "--check", "{text}"),
        ("{db}", "--consistent-with", "{text}"),
        ("{file}", "--consistent-with", "{text}"),
        ("{db}", "--sign", "{file}", "--by", "x", "--witness", "{out}"),
        ("{db}", "--sign", "{file}", "--by", "{text}", "--witness", "{file}"),
    ),
    "countersign": (
        ("{file}", "--sign", "{file}", "--by", "{text}", "--signers", "{file}"),
        (
            "{out}",
            "--from",
            "{file}",
            "--with",
            "{db}",
            "--sign",
            "{file}",
            "--by",
            "x",
            "--signers",
            "{file}",
        ),
    ),
    "whatif": (("{db}", "--at", "{seq}", "--ruling", "{text}"),),
    "fork": (("{db}", "--at", "{seq}", "--as", "other"), ("{db}", "--at", "end", "--as", "{text}")),
    "merge": (("{db}", "main", "{text}"), ("{db}", "main", "whatif-1", "--json", "--take", "{text}")),
    "branches": (("{db}",), ("{db}", "--json")),
    "promote": (("{db}", "other"), ("{db}", "{text}")),
    "replay": (
        ("{db}", "--dialect", "woa", "--into", "{out}"),
        ("{db}", "--dialect", "{text}", "--into", "{out}"),
        ("{db}", "--figure", "srd35.ac.formula.base=11", "--jobs", "1", "--json"),
        ("{db}", "--figure", "{text}=1", "--package", "{text}", "--jobs", "1", "--expect", "none"),
    ),
    "diff": (("{db}", "main", "other"), ("{db}", "main", "main", "--events"), ("{db}", "{text}", "main")),
    "export": (
        ("{db}", "--format", "markdown"),
        ("{db}", "--format", "csv"),
        ("{db}", "--format", "csv", "--table", "combatant.entered"),
        ("{db}", "--format", "jsonl", "--out", "{out}"),
        ("{db}", "--format", "html", "--out", "{out}"),
        ("{db}", "--format", "notation", "--out", "{out}"),
        ("{db}", "--format", "jsonl", "--for", "heroes", "--out", "{out}"),
    ),
    "combine": (("{file}", "{file}", "--out", "{out}"),),
    "checker": (("--out", "{out}"),),
    "import": (("{file}", "--db", "{new}"), ("{file}", "--db", "{new}", "--roll")),
    "copy": (("{db}", "{new}"), ("{db}", "{new}", "--json"), ("{db}", "postgresql://{text}")),
    "fights": (("{db}",), ("postgresql://{text}",)),
}
"""What is typed after each command; a test holds that none is left out. `{...}` stands for what a log has."""

SECONDS = 2.0
SECONDS_PLAYING = 20.0
"""What `odds` may take that plays a fight on: up to fifty rounds of all who stand, two hundred at most."""
SECONDS_SWINGING = 60.0
"""What `swing` may take, which does so from several moments, and `pivots`, which tries all faces of dice."""
MEGABYTES = 300


class Ended(NamedTuple):
    """How a command ended: its status (negative: the signal), what it printed, what it took."""

    words: tuple[str, ...]
    status: int
    out: bytes
    err: bytes
    seconds: float
    megabytes: float

    @property
    def fault(self) -> str:
        """What is wrong with the way it ended, "" if nothing is."""
        said = " ".join(self.words)[:150]
        if self.status not in (0, 1, 2):
            return f"{said}: status {self.status} after {self.seconds:.1f} s"
        plays = self.words[0] == "odds" and bool({"--at", "--grid"} & {*self.words})
        long = self.words[0] in ("swing", "pivots")
        most = SECONDS_SWINGING if long else SECONDS_PLAYING if plays else SECONDS
        if self.seconds > most or self.megabytes > MEGABYTES:
            return f"{said}: {self.seconds:.2f} s, {self.megabytes:.0f} MB"
        if b"Traceback" in self.err or b"affray: unexpected" in self.err:
            return f"{said}: {self.err[-300:]!r}"
        if self.status == 2 and self.err.count(b"\n") != 1:
            return f"{said}: not one line: {self.err[:300]!r}"
        return ""


def filled(given: dict[str, str]) -> Iterator[tuple[str, ...]]:
    """Yield every command whose words are all given, with them filled in."""
    for name, several in WORDS.items():
        for words in several:
            try:
                yield (name, *(word.format_map(given) for word in words))
            except KeyError:
                continue


@cache
def warm() -> None:
    """Import once what each command would import anew in its fork, compose the dialects, and use both once.

    What a command takes is then its work alone: the fifth of a second of its beginning, the same for every
    log, is not counted to each of thousands. Nor is what a program makes when it is first asked for: the
    driver of the database, schemas, expressions.
    """
    for module in pkgutil.walk_packages(affray.replay.__path__, "affray.replay."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for dialect in dialects():
        load(dialect)
    with tempfile.TemporaryDirectory() as folder:
        db, file, new = (f"{folder}/{name}" for name in ("log.db", "log.jsonl", "new.db"))
        used = {"db": db, "file": file, "new": new, "id": "ogre", "seq": "52", "last": "60", "text": "word"}
        for words in (
            ("demo", "--db", db),
            ("export", db, "--format", "jsonl", "--out", file),
            *filled({**used, "out": f"{folder}/out"}),
        ):
            CliRunner().invoke(command_line, words, prog_name="affray")


def ended(words: tuple[str, ...], cwd: Path, *, stdin: bytes = b"") -> Ended:
    """Run a command in a fork of a process that holds nothing else, and return how it ended."""
    with tempfile.TemporaryDirectory(prefix="affray-forked-") as folder:
        given, out, err = (Path(folder, name) for name in ("in", "out", "err"))
        given.write_bytes(stdin)
        out.touch()
        err.touch()
        status, seconds, megabytes = forked(words, cwd, (str(given), str(out), str(err)))
        return Ended(words, status, out.read_bytes(), err.read_bytes(), seconds, megabytes)
