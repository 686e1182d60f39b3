"""Does what a page says as its reader does, in an empty folder."""

import contextlib
import io
import json
import os
import re
import runpy
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any
from unittest import mock

import click
from click.testing import CliRunner

from affray.replay.cli import affray, show
from affray.replay.cli.table import _commands, _drawn
from affray.replay.cli.terminal import base
from affray.replay.cli.terminal.prompt import Session
from affray.replay.log_files import open_log
from tests.house.page_pieces import Piece, Shown, lines_of, pieces
from tests.house.terminal_picture import picture
from tests.server import Server, running

LOOP = re.compile(r"for (\w+) in ([\w ]+); do (.*); done")
INTO = re.compile(r" > ([\w./-]+)$")
CONTENT = re.compile(r"\$\(cat ([\w./-]+)\)")
EXPORT = re.compile(r"export (\w+)=([\w./-]*)")
TYPED = re.compile(r"^((?:\w+(?:: [^>\n]*)? )?>) (.+)$")
"""A line at the prompt of `affray table`: what stands before what is typed, and that."""

OTHERS = ("cat", "cp", "grep", "head", "ls", "mkdir", "mv", "rm", "sed", "tail", "wc")
"""Programs of the system that a page may call; they run as they are."""

WIDTH, HEIGHT = 80, 40

Shoots = Callable[["Walk", str, Path], None] | None
"""Takes a screenshot of what is told into a file."""


class Walk:
    """A reader in an empty folder, which is the current one, who does what a page says."""

    def __init__(self, pictures: Path, shoots: Shoots = None, postgres: Server | None = None) -> None:
        """Begin; `pictures` are the page's own; without a server `postgres` one is started when needed."""
        self.pictures, self.shoots, self.postgres = pictures, shoots, postgres
        self.session: Session | None = None
        self.served: Any = None
        self.screen = ""
        self.told = ""
        self._status = 0
        self._open = ExitStack()
        self._rows: list[str] = []

    def go(self, text: str, *, installed: bool = False) -> Iterator[Shown | tuple[str, str]]:
        """Do everything; yield what is shown with what was printed, and each drawing with its name.

        A page's first lines of the shell install; they are passed over unless all is `installed`.
        """
        printed = ""
        with self._open:
            for piece in pieces(text):
                if self.told.startswith("from ") and piece.kind in ("python", "text"):
                    self.told = ""  # an excerpt, which is compared with its file
                    continue
                match piece.kind:
                    case "sh" if not installed:
                        installed = True
                    case "sh":
                        *lines, last = lines_of(piece.text)
                        told, self._status = self._status, 0
                        printed = "".join(map(self.line, lines))
                        self._status = told
                        printed += self.line(last)
                    case "console":
                        printed = self.at_prompt(piece.text)
                        yield Shown(piece, printed)
                    case "text":
                        yield Shown(piece, printed)
                    case "told":
                        self.tell(piece.text)
                    case "picture":
                        yield from self.draw(piece.text)
                    case _:
                        printed = ""
                        self.write(piece)

    def line(self, line: str) -> str:
        """Do one line of the shell, and return what it printed; it must end as the page has told."""
        if loop := LOOP.fullmatch(line):
            return "".join(self.line(loop[3].replace(f"${loop[1]}", word)) for word in loop[2].split())
        self.screen = f"$ {line}\n"
        if variable := EXPORT.fullmatch(line):
            self._open.enter_context(mock.patch.dict(os.environ, {variable[1]: variable[2]}))
            return ""
        line = CONTENT.sub(lambda found: Path(found[1]).read_text().rstrip("\n"), line)
        typed, into = line, ""
        if kept := INTO.search(line):
            typed, into = line[: kept.start()], kept[1]
        first, *then = typed.split(" | ", 1) if "|" in shlex.split(typed) else [typed]
        program, *words = shlex.split(first)
        if program == "affray":
            with no_terminal() if then or into else nullcontext():
                printed = self.command(*words)
        elif program == "python":
            printed = self.ran(words)
        else:
            assert program in OTHERS, line
            printed = self.by_shell(first)
        if then:
            printed = self.by_shell(then[0], _plain(printed))
        self.screen += printed
        if into:
            Path(into).write_text(self.served_here(_plain(printed)), encoding="utf-8")
        return "" if into else _plain(printed)

    def by_shell(self, line: str, given: str = "") -> str:
        """Run programs of the system; return what they printed."""
        assert all(part.split()[0] in OTHERS for part in line.split(" | ")), line
        done = subprocess.run(["sh", "-c", line], input=given, capture_output=True, text=True, check=False)
        self.ended(line, done.returncode, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def ended(self, what: object, status: int, printed: str) -> None:
        """Have a line fail that did not end as the page tells."""
        told, self._status = self._status, 0
        assert status == told, f"{what} ended with {status}, not {told}:\n{printed}"

    def command(self, *words: str, right: bool = True) -> str:
        """Run a command of affray in this process, as on a terminal with colour; return what it printed."""
        if words[0] == "table":
            self.hold(words)
            return "h lists all words, q quits\n"
        serves = words[0] == "serve"
        runner = CliRunner()
        given = [*words, *["--links"] * serves]
        result = runner.invoke(
            affray, given, prog_name="affray", color=True, obj=base.AT_A_PROMPT * (not right)
        )
        if right:
            self.ended(words, result.exit_code, result.output)
        printed = f"{result.output.rstrip(chr(10))}\n" if result.output.strip() else ""
        if serves:
            self.serve(Path(words[1]))
            printed += "Ctrl-C ends the server; the fight is kept.\n"
        return printed

    def ran(self, words: list[str]) -> str:
        """Run a program in Python in this process; return what it printed."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out), mock.patch.object(sys, "argv", words), importing_from_here():
            try:
                runpy.run_path(words[0], run_name="__main__")
                status = 0
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else int(end.code is not None)
                out.write(f"{end.code}\n" if isinstance(end.code, str) else "")
        self.ended(words, status, out.getvalue())
        return out.getvalue()

    def hold(self, words: tuple[str, ...]) -> None:
        """Open the prompt of a fight."""
        db = Path(words[1])
        self.session = Session(
            lambda: open_log(db, readonly=True),
            str(db),
            run=lambda typed: self._rows.append(self.command(*typed, right=False)) or 0,
            say=lambda row: self._rows.append(f"{row}\n"),
            commands=_commands(),
            width=lambda: WIDTH,
        )

    def at_prompt(self, text: str) -> str:
        """Type the lines of a page at the prompt; return the whole of it as it stands on the screen."""
        assert self.session is not None
        self.screen, shown = "", ""
        for row in text.splitlines():
            if (typed := TYPED.match(row)) is None:
                continue
            self._rows.clear()
            prompt = self.session.prompt(self.session.now)
            self.session.type(typed[2])
            said = f"{prompt}{typed[2]}\n{''.join(self._rows)}"
            self.screen += said
            shown += said
        if self.session.left:
            self.session = None
        return _plain(shown)

    def write(self, piece: Piece) -> None:
        """Write a file, or go on with it, as the first line of a block says, or the comment before it."""
        head = piece.text.partition("\n")[0]
        _, of_comment, told = self.told.partition("file: ")
        if of_comment:
            self.told = ""
        name, _, more = (told or head.removeprefix("# ")).partition(", ")
        file = Path(name)
        assert re.fullmatch(r"[\w./-]+\.\w+", name), f"a block of {piece.kind} that names no file: {head}"
        assert more in ("", "below that"), head
        file.parent.mkdir(parents=True, exist_ok=True)
        text = self.served_here(piece.text)
        file.write_text(f"{file.read_text()}\n{text.partition(chr(10))[2]}" if more else text)

    def serve(self, db: Path) -> None:
        """Serve a log until the page ends."""
        from tests.serve.served import server

        self.served = self._open.enter_context(server(db))

    def served_here(self, text: str) -> str:
        """Return a text with the port at which the test serves in place of the one that is shown."""
        return text.replace(":8417", f":{self.served.port}") if self.served else text

    def tell(self, words: str) -> None:
        """Do what a comment says: declare as somebody in the browser, or keep what the next piece means."""
        who, _, act = words.partition(" declares ")
        if act:
            guest = next(one for one in self.served.access.guests if who in (*one.combatants, one.role))
            answer = self.served.post(guest, "/declarations", act=json.loads(act))
            assert answer.status == 200, answer.text
            assert not answer.json.get("refused"), answer.text
        elif words.startswith("exits "):
            self._status = int(words.removeprefix("exits "))
        elif words.startswith("with a database "):
            self.have_postgres(words.removeprefix("with a database "))
        else:
            self.told = words

    def have_postgres(self, name: str) -> None:
        """Have an empty database until the page ends, on the server that `postgresql:///` stands for."""
        import psycopg

        started = self.postgres or self._open.enter_context(running())
        with psycopg.connect(started.address(), autocommit=True) as owner:
            owner.execute(f"DROP DATABASE IF EXISTS {name}".encode())
            owner.execute(f"CREATE DATABASE {name}".encode())
        self._open.enter_context(mock.patch.dict(os.environ, PGHOST=str(started.folder), PGUSER="gm"))

    def draw(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield a drawing: a file that a command has written, or the terminal as it stands."""
        if name.endswith(".png"):
            if self.shoots is not None:
                self.shoots(self, self.told, self.pictures / name)
        elif Path(name).exists():
            yield name, Path(name).read_text(encoding="utf-8")
        else:
            yield name, picture(self._on_screen(), Path(name).stem.replace("-", " "), WIDTH)

    def _on_screen(self) -> str:
        if self.session is None:
            return self.screen
        now = self.session.now
        return f"{self.screen}{_drawn(now)}\n{self.session.prompt(now)}"


def _plain(text: str) -> str:
    return "".join(f"{row.rstrip()}\n" for row in click.unstyle(text).splitlines())


@contextlib.contextmanager
def importing_from_here() -> Iterator[None]:
    """Let a program import those that lie beside it, as Python does, and forget them afterwards."""
    here = str(Path.cwd())
    with ExitStack() as put:
        put.enter_context(mock.patch.object(sys, "path", [here, *sys.path]))
        put.enter_context(mock.patch.object(sys, "dont_write_bytecode", True))
        try:
            yield
        finally:
            for name, module in list(sys.modules.items()):
                if str(getattr(module, "__file__", None)).startswith(f"{here}{os.sep}"):
                    del sys.modules[name]


@contextlib.contextmanager
def emptied() -> Iterator[Path]:
    """Be in an empty folder, with the colours of a terminal, while the block runs."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as put:
        put.enter_context(contextlib.chdir(folder))
        put.enter_context(mock.patch.dict(os.environ, COLUMNS=str(WIDTH), LINES=str(HEIGHT)))
        os.environ.pop("NO_COLOR", None)
        put.enter_context(as_wide_as(WIDTH))
        yield Path(folder)


def no_terminal() -> contextlib.AbstractContextManager[None]:
    """Have what is printed go into a pipe or a file, which has no columns and no colour."""
    return as_wide_as(0)


@contextlib.contextmanager
def as_wide_as(columns: int) -> Iterator[None]:
    """Let commands find so many columns where they print."""
    with ExitStack() as put:
        for module in (base, show):
            put.enter_context(mock.patch.object(module, "terminal_width", return_value=columns))
        yield
