"""The five ways to say a sentence, each of which returns what it came to in the same words.

`brannoc: attack gharm; 17` is a declaration with the faces of its dice, `=take` an answer, `? undo` a
request, `! ...` an error, `!? whom? Gharm, Skit` a question back.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from itertools import count, pairwise
from pathlib import Path

import msgspec
from msgspec.structs import replace

from affray.engine.language.sentences import Answer, Declaration, Request
from affray.engine.notation.statements import words_of
from affray.engine.table.table import Table
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts.acts import Custom
from affray.events.facts.flow import AnyAct, Chosen, Declared, Refused, Rolled
from affray.events.secrets import secrets_path
from affray.events.stores.memory import MemoryStore
from affray.events.stores.sqlite import SqliteStore
from affray.events.stores.store import Store
from affray.replay import import_notation
from affray.replay.cli.terminal.prompt import Session
from affray.replay.language import Meaning, Moment, Ruling
from tests.cli.conftest import called
from tests.serve.served import Served, server

Channel = Callable[[str], str]


def told(act: AnyAct, faces: tuple[int, ...] = ()) -> str:
    """Return a declaration in the notation."""
    if isinstance(act, Custom):  # a log sorts its fields
        act = replace(act, fields=dict(sorted(act.fields.items())))
    who = f"{act.actor}: " if act.actor else ""
    return f"{who}{words_of(act)}{'; ' if faces else ''}{' '.join(map(str, faces))}"


def meaning_told(meaning: Meaning) -> str:
    """Return a meaning in the words of the table."""
    match meaning:
        case Declaration():
            return told(meaning.act, meaning.faces)
        case Answer():
            return f"={meaning.text}"
        case Ruling():
            return f"? ruling {' '.join(meaning.changes)}"
    assert isinstance(meaning, Request)
    return f"? {meaning.word}"


def fault_told(error: AffrayError) -> str:
    """Return an error in the words of the table."""
    return f"! {error}"


@cache
def fight(text: str) -> MemoryStore:
    """Return the fight of a text in the notation."""
    store = MemoryStore()
    import_notation(text.encode(), store, roll=True)
    return store


def put_fight(text: str, path: Path) -> Path:
    """Write the fight of a text into a file."""
    with SqliteStore(path) as store:
        import_notation(text.encode(), store, roll=True)
    return path


def copy(log: Path, to: Path) -> Path:
    """Return a copy of a log with its secrets."""
    for one, other in ((log, to), (secrets_path(log), secrets_path(to))):
        shutil.copy(one, other)
    return to


def happened(store: Store, after: int) -> str:
    """Return what was declared or answered on the main line, with the faces that people threw."""
    facts = [decode(event) for event in store.read(store.main_line(), after=after)]
    people = ("physical", "imported")
    thrown = [one.faces for one in facts if isinstance(one, Rolled) and one.provenance in people]
    faces = tuple(face for one in thrown for face in one)
    if found := [one for one in facts if isinstance(one, Declared)]:
        refused = any(isinstance(one, Refused) for one in facts)
        return f"{told(found[0].act, faces)}{' (refused)' * refused}"
    if faces:  # to a roll that waited
        return f"={','.join(map(str, faces))}"
    return next((f"={one.answer}" for one in facts if isinstance(one, Chosen)), "? recorded")


def parsed(text: str) -> Channel:
    """Return what reads a sentence without saying it."""

    def say(line: str) -> str:
        try:
            return meaning_told(Moment(fight(text)).meaning(line))
        except AffrayError as error:
            return fault_told(error)

    return say


def by_library(log: Path) -> Channel:
    """Return what says a sentence by `Table.say`."""
    numbers = count()

    def say(line: str) -> str:
        with SqliteStore(copy(log, log.with_name(f"library{next(numbers)}.db"))) as store:
            table, before = Table(store), store.head(store.main_line()).seq
            try:
                table.say(line)
            except AffrayError as error:
                return fault_told(error)
            return happened(store, before)

    return say


def by_command(log: Path) -> Channel:
    """Return what says a sentence by `affray do`."""
    numbers = count()

    def say(line: str) -> str:
        path = copy(log, log.with_name(f"command{next(numbers)}.db"))
        with SqliteStore(path, readonly=True) as store:
            main, before = store.main_line(), store.head(store.main_line()).seq
        done = called("do", path, "--", line) if line.startswith("-") else called("do", path, line)
        assert "Traceback" not in done.output, done.output
        if done.exit_code == 2:
            return f"! {done.stderr.removeprefix('affray: ').strip().partition(' (answer with: ')[0]}"
        with SqliteStore(path, readonly=True) as store:
            if store.main_line() != main:
                return "? the main line"
            if store.head(main).seq == before:
                return "? nothing declared"
            return happened(store, before)

    return say


def by_notation(text: str) -> Channel:
    """Return what says a sentence as the last line of a text written by hand."""
    before = fight(text).head("main").seq

    def say(line: str) -> str:
        store = MemoryStore()
        try:
            import_notation(f"{text}{line}\n".encode(), store, roll=True)
        except AffrayError as error:
            return f"! {str(error).partition(': ')[2]}"
        return happened(store, before)

    return say


def at_prompt(log: Path) -> Channel:
    """Return what types a sentence at the prompt, which would run a command."""

    def say(line: str) -> str:
        ran: list[tuple[str, ...]] = []
        printed: list[str] = []

        def run(words: object) -> int:
            ran.append(tuple(words))  # type: ignore[arg-type]
            return 0

        session = Session(partial(SqliteStore, log, readonly=True), "DB", run=run, say=printed.append)
        session.type(line)
        if session.asked.endswith((" n stay", " n play on")):
            session.type("y")
        if session.asked:
            return f"!? {session.asked}"
        if not ran:
            return f"! {printed[-1].removeprefix('affray: ')}"
        (words,) = ran
        if words[0] == "do":
            form, _, faces = words[2].rpartition("}")
            act = msgspec.json.decode(f"{form}}}", type=AnyAct)
            return told(act, tuple(map(int, faces.split())))
        if words[0] == "choose":
            return f"={words[2]}"
        if words[0] == "ruling":
            return f"? ruling {' '.join(b for a, b in pairwise(words) if a == '--change')}"
        return f"? {words[0]}"

    return say


@contextmanager
def in_browser(log: Path, *, anew: bool) -> Iterator[Channel]:
    """Yield what sends a sentence from the browser's line, as the game master.

    What a sentence has changed is undone after it; `anew` serves a copy for each, where undoing goes too far.
    """
    numbers = count()

    def say(line: str) -> str:
        with server(copy(log, log.with_name(f"browser{next(numbers)}.db"))) as served:
            return _sent(served, line)

    if anew:
        yield say
        return
    with server(copy(log, log.with_name("browser.db"))) as served:
        yield partial(_sent, served)


def _sent(served: Served, line: str) -> str:
    with SqliteStore(served.log, readonly=True) as store:
        main, before = store.main_line(), store.head(store.main_line()).seq
    reply = served.post(served.master, "/say", text=line, sure=True)
    if reply.status != 200:
        assert reply.status in (400, 403, 404, 409), reply.text
        with SqliteStore(served.log, readonly=True) as store:
            if store.head(main).seq > before:  # dice that the rolls do not take
                assert served.post(served.master, "/undo", count=1).status == 200
        return f"! {reply.json['error']['message']}"
    found = reply.json
    if found["choices"]:
        keys = " ".join(f"{at} {one['label']}" for at, one in enumerate(found["choices"], 1))
        return f"!? {found['told']} {keys}"
    if found["look"]:
        return "? why"
    with SqliteStore(served.log, readonly=True) as store:
        moved = store.main_line() != main
        said = "? the main line" if moved else happened(store, before)
    if moved:
        assert served.post(served.master, "/promotions", branch=main).status == 200
        return said
    if found["refused"] is None:
        assert served.post(served.master, "/undo", count=1).status == 200
    return said
