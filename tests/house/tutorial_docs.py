"""Plays a tutorial as its reader does, and makes its pictures.

python -m tests.house.tutorial_docs [TUTORIAL]...

writes what was printed into the pages and draws the pictures anew; with Chromium and selenium the screenshots
too. What a page can say, and what is done for it, stands in docs/tutorials/README.md.
"""

import contextlib
import io
import json
import os
import re
import runpy
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import click
from click.testing import CliRunner

from affray.replay.cli import affray, base, log
from affray.replay.cli.table import _commands, _drawn
from affray.replay.opened_log import open_log
from affray.replay.prompt import Session
from tests.house.terminal_picture import picture

FOLDER = Path(__file__).parents[2] / "docs" / "tutorials"
TUTORIALS = ("game-master", "developer", "analyst")
PIECE = re.compile(
    r"^```(?P<kind>\w+)\n(?P<text>.*?)^```$"
    r"|^!\[[^\]]*\]\(pictures/(?P<picture>[\w.-]+)\)$"
    r"|^<!-- (?P<told>[^\n]*?) -->$",
    re.MULTILINE | re.DOTALL,
)
LOOP = re.compile(r"for (\w+) in ([\w ]+); do (.*); done")
TYPED = re.compile(r"^((?:\w+(?:: [^>\n]*)? )?>) (.+)$")
"""A line at the prompt of `affray table`: what stands before what is typed, and that."""

PORT = "8417"
WIDTH, HEIGHT = 80, 40


class Piece(NamedTuple):
    """A block, a picture or a comment of a page, and where its text stands there."""

    kind: str
    text: str
    start: int
    end: int


class Shown(NamedTuple):
    """What a page shows, and what was printed there; both are the same where the page is right."""

    piece: Piece
    printed: str

    @property
    def renewed(self) -> str:
        """What the page is to show: all, but for the beginning where `...` and the row behind it say so."""
        first, _, rest = self.piece.text.partition("\n")
        row = f"{rest.partition(chr(10))[0]}\n"
        if first != "..." or rest.count("...") or row not in self.printed:
            return self.printed
        return f"...\n{self.printed[self.printed.rindex(row) :]}"

    @property
    def right(self) -> bool:
        """Whether what is shown is what was printed, but for what `...` leaves out."""
        left_out = r"(?:^[^\n]*\n)*?"
        said = "".join(
            left_out if row == "..." else ".*".join(map(re.escape, row.split("..."))) + "\n"
            for row in self.piece.text.splitlines()
        )
        return re.fullmatch(said, self.printed, re.MULTILINE) is not None


def page_of(name: str) -> Path:
    """Return the file of a tutorial."""
    return FOLDER / f"{name}.md"


def pieces(text: str) -> Iterator[Piece]:
    """Yield what a page says that can be done, in order."""
    for found in PIECE.finditer(text):
        for group in ("picture", "told"):
            if found[group]:
                yield Piece(group, found[group], found.start(), found.end())
        if found["kind"]:
            yield Piece(found["kind"], found["text"], found.start("text"), found.end("text"))


def lines_of(text: str) -> Iterator[str]:
    """Yield the lines of the shell in a block; one whose quotes are open goes on in the next row."""
    line = ""
    for row in text.splitlines():
        line += row
        if line.count('"') % 2:
            line += "\n"
        else:
            yield line
            line = ""


class Walk:
    """A reader in an empty folder, which is the current one, who does what a page says."""

    def __init__(self, *, shoots: Callable[["Walk", str, Path], None] | None = None) -> None:
        """Begin; `shoots` takes a screenshot of what is told into a file."""
        self.shoots = shoots
        self.session: Session | None = None
        self.served: Any = None
        self.screen = ""
        self.told = ""
        self._open = ExitStack()
        self._rows: list[str] = []

    def go(self, text: str) -> Iterator[Shown | tuple[str, str]]:
        """Do everything; yield what is shown with what was printed, and each drawing with its name."""
        printed, first = "", True
        with self._open:
            for piece in pieces(text):
                match piece.kind:
                    case "sh" if first:
                        first = False  # the installation
                    case "sh":
                        printed = "".join(map(self.line, lines_of(piece.text)))
                    case "console":
                        printed = self.at_prompt(piece.text)
                        yield Shown(piece, printed)
                    case "python" | "toml":
                        printed = ""
                        self.write(piece.text)
                    case "text":
                        yield Shown(piece, printed)
                    case "told":
                        self.tell(piece.text)
                    case "picture":
                        yield from self.draw(piece.text)

    def line(self, line: str) -> str:
        """Do one line of the shell, and return what it printed; it must succeed."""
        if loop := LOOP.fullmatch(line):
            return "".join(self.line(loop[3].replace(f"${loop[1]}", word)) for word in loop[2].split())
        typed = line.removesuffix(" > /dev/null")
        program, *words = shlex.split(typed)
        self.screen = f"$ {line}\n"
        if program == "mkdir":
            Path(*words).mkdir()
            printed = ""
        elif program == "python":
            printed = _ran(words)
        else:
            assert program == "affray", line
            printed = self.command(*words)
        self.screen += printed
        return _plain(printed) if typed == line else ""

    def command(self, *words: str, right: bool = True) -> str:
        """Run a command of affray in this process, as on a terminal with colour; return what it printed."""
        if words[0] == "table":
            self.hold(words)
            return "h lists what can be typed, q leaves\n"
        serves = words[0] == "serve"
        runner = CliRunner()
        given = [*words, *["--links"] * serves]
        result = runner.invoke(
            affray, given, prog_name="affray", color=True, obj=base.AT_A_PROMPT * (not right)
        )
        assert not right or result.exit_code == 0, (words, result.output)
        printed = f"{result.output.rstrip(chr(10))}\n"
        if serves:
            self.serve(Path(words[1]))
            printed += "Ctrl-C ends it; the fight goes on from where it is.\n"
        return printed

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

    def write(self, code: str) -> None:
        """Write a program, or go on with it, as its first line says."""
        head, _, rest = code.partition("\n")
        name, _, more = head.removeprefix("# ").partition(", ")
        file = Path(name)
        assert more in ("", "below that"), head
        file.write_text(f"{file.read_text()}\n{rest}" if more else code)

    def serve(self, db: Path) -> None:
        """Serve a log until the page ends."""
        from tests.serve.served import server

        self.served = self._open.enter_context(server(db))

    def tell(self, words: str) -> None:
        """Do what a comment says: declare as somebody in the browser, or keep what the next piece means."""
        who, _, act = words.partition(" declares ")
        if act:
            guest = next(one for one in self.served.access.guests if who in (*one.combatants, one.role))
            answer = self.served.post(guest, "/declarations", act=json.loads(act))
            assert answer.status == 200, answer.text
            assert not answer.json.get("refused"), answer.text
        else:
            self.told = words

    def draw(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield a drawing: a file that a command has written, or the terminal as it stands."""
        if name.endswith(".png"):
            if self.shoots is not None:
                self.shoots(self, self.told, FOLDER / "pictures" / name)
        elif Path(name).exists():
            yield name, Path(name).read_text(encoding="utf-8")
        else:
            yield name, picture(self._on_screen(), Path(name).stem.replace("-", " "), WIDTH)

    def _on_screen(self) -> str:
        if self.session is None:
            return self.screen
        now = self.session.now
        return f"{self.screen}{_drawn(now)}\n{self.session.prompt(now)}"


def _ran(words: list[str]) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), mock.patch.object(sys, "argv", words):
        runpy.run_path(words[0], run_name="__main__")
    return out.getvalue()


def _plain(text: str) -> str:
    return "".join(f"{row.rstrip()}\n" for row in click.unstyle(text).splitlines())


@contextlib.contextmanager
def emptied() -> Iterator[Path]:
    """Be in an empty folder, with the colours of a terminal, while the block runs."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as put:
        put.enter_context(contextlib.chdir(folder))
        put.enter_context(mock.patch.dict(os.environ, COLUMNS=str(WIDTH), LINES=str(HEIGHT)))
        os.environ.pop("NO_COLOR", None)
        for module in (base, log):
            put.enter_context(mock.patch.object(module, "terminal_width", return_value=WIDTH))
        yield Path(folder)


def renewed(name: str, shoots: Callable[[Walk, str, Path], None] | None = None) -> list[str]:
    """Write a page with what was printed, and its drawings; return what only people can put right."""
    text, wrong = page_of(name).read_text(encoding="utf-8"), []
    with emptied():
        found = list(Walk(shoots=shoots).go(text))
    for shown in reversed(found):
        if isinstance(shown, Shown):
            if not shown.right and "..." in shown.piece.text and "..." not in shown.renewed:
                wrong.append(f"{name}:\n{shown.piece.text}-- is printed as\n{shown.printed}")
            elif not shown.right:
                text = text[: shown.piece.start] + shown.renewed + text[shown.piece.end :]
        else:
            (FOLDER / "pictures" / shown[0]).write_text(shown[1], encoding="utf-8")
    page_of(name).write_text(text, encoding="utf-8")
    return wrong


if __name__ == "__main__":
    try:
        from tests.house.screenshots import screenshot
    except ImportError:
        screenshot = None
    chosen = sys.argv[1:] or TUTORIALS
    if left := [one for name in chosen for one in renewed(name, screenshot)]:
        sys.exit("\n".join(left))
