"""The prompt on a terminal: the fight drawn above it, completion of names, a history of lines."""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

import click

from affray.engine.language.acts import ACTS
from affray.events.errors import AffrayError, printable
from affray.replay.cli.terminal.prompt import FIRST_WORDS, Moment, Session
from affray.replay.text.ansi import Painted

try:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.formatted_text import ANSI
    from prompt_toolkit.history import FileHistory, History, InMemoryHistory
    from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
    from prompt_toolkit.output.color_depth import ColorDepth
except ImportError as error:
    raise AffrayError("the prompt needs prompt_toolkit: pip install 'affray[table]'") from error

MOST_REMEMBERED: Final = 1_000_000
"""Bytes: a longer history file is started again."""

Draw = Callable[[Moment], str]
"""Returns the drawing of the fight above the line."""


def read_lines_from_terminal(session: Session, draw: Draw | None) -> None:
    """Read lines from the terminal until the prompt is left, drawing the fight above each."""
    depth = ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None
    typing: PromptSession[str] = PromptSession(
        history=_remembered(), erase_when_done=True, color_depth=depth, complete_while_typing=False
    )
    click.echo("h lists all words, q quits")
    while not session.left:
        now = session.now
        drawn = draw(now) if draw is not None else ""
        above = f"{drawn}\n" if drawn else ""
        prompt = session.prompt(now)
        try:
            text = typing.prompt(ANSI(f"{above}{printable(prompt)}"), completer=Words(session, now))
        except EOFError:
            return
        except KeyboardInterrupt:
            session.give_up()
            continue
        click.echo(Painted(f"{printable(prompt)}{printable(text)}"))
        keys = get_typeahead(typing.input)
        store_typeahead(typing.input, keys)
        session.typed_ahead = bool(keys)
        try:
            session.type(text)
        except KeyboardInterrupt:
            click.echo("interrupted")


class Words(Completer):
    """Complete the first word of a line with commands, later ones with names of the fight."""

    def __init__(self, session: Session, now: Moment) -> None:
        """Complete lines typed at this moment."""
        self.session, self.now = session, now

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield the words that begin with the typed text, with their meanings."""
        before = document.text_before_cursor.rsplit(";", 1)[-1].lstrip()
        word = before.rsplit(" ", 1)[-1]
        for name, told in self._words(before) if " " in before else self._first():
            if name.casefold().startswith(word.casefold()) and name.isprintable():
                shown = f'"{name}"' if " " in name else name
                yield Completion(shown, start_position=-len(word), display=name, display_meta=printable(told))

    def _first(self) -> Iterable[tuple[str, str]]:
        question = self.now.state.pending
        if question is not None:
            yield from ((option, "answer") for option in question.options)
        yield from FIRST_WORDS.items()
        played = {str(kind.__struct_config__.tag) for kind in self.now.fight.dialect.acts}
        yield from ((name, "act") for name in sorted(ACTS) if name in played)
        yield from ((name, "command") for name in self.session.commands)

    def _words(self, before: str) -> Iterable[tuple[str, str]]:
        actor = self.now.state.combatants.get(self.now.state.active)
        if actor is not None and before.split(" ")[0] in ("c", "cast"):
            yield from ((one.name, "spell") for one in actor.sheet.spells)
        yield from ((id, self.now.cast.name(id)) for id in self.now.state.combatants)
        if actor is not None:
            yield from ((one.name, "weapon") for one in actor.sheet.weapons)


def _remembered() -> "History":
    """Return the history of typed lines, stored in the user's folder, or else of this session only."""
    path = Path(click.get_app_dir("affray")) / "typed"
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        if path.stat().st_size > MOST_REMEMBERED:
            path.write_bytes(b"")
        return FileHistory(str(path))
    return InMemoryHistory()
