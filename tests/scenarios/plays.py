"""What came of the play of each scenario: written down once, for all tests and interpreters that ask.

The processes of a session share a folder, in which each keeps a file of its own.
"""

import os
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

import msgspec
from msgspec import Struct

from affray.engine.book.catalogue import MEANWHILE
from affray.engine.table.scenario import fixed_seed, play
from affray.engine.table.scenario_parts import Scenario
from affray.engine.testing import check
from affray.engine.vocabulary import listed_as
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.replay.cli.rules import cited_by


class Heard(Struct, frozen=True):
    """A roll (or a question) of a fight: the declaration in which it came, its name, what was answered."""

    act: str
    kind: str
    name: str
    options: tuple[str, ...] = ()
    answer: str = ""
    rule: str = ""


class Play(Struct, frozen=True):
    """The play of a scenario: its title, the head of its log, the rules that its table's lines cite.

    `heard` is what these lines roll and ask, `left` what automatic play goes on to.
    """

    title: str
    head: str
    cites: frozenset[str]
    heard: tuple[Heard, ...]
    left: tuple[Heard, ...] = ()

    @property
    def everything(self) -> Iterator[Heard]:
        """Yield all that was rolled and asked."""
        return chain(self.heard, self.left)


def checked(title: str, scenario: Scenario) -> tuple[Play, MemoryStore]:
    """Play a scenario strictly, then what its table leaves to the policies; return that and the whole log.

    Raises AssertionError where the log says something else than the table.
    """
    store = MemoryStore()
    check(scenario, store)
    cites, lines = frozenset(cited_by(store.read_all())), tuple(heard(store))
    if scenario.auto:
        store = played(scenario, memory=True)
    left = tuple(heard(store))[len(lines) :]
    return Play(title, store.head("main").digest.hex(), cites, lines, left), store


def played(scenario: Scenario, memory: bool) -> MemoryStore:
    """Return a scenario's log, what its table leaves to the policies included."""
    store = MemoryStore()
    play(scenario, store, seed=fixed_seed(scenario), strict=True, memory=memory)
    return store


def heard(store: MemoryStore) -> Iterator[Heard]:
    """Yield what was rolled and asked in a fight.

    What is rolled and asked in an attack of opportunity or in a readied act belongs to that.
    """
    act = ""
    for event in store.read("main"):
        if event.type == "declared":
            act = str(decode(event).act.__struct_config__.tag)
        elif event.type in ("rolled", "chosen"):
            fact = decode(event)
            _, scope, name, _ = fact.key.split("/")
            within = act
            if "aoo:" in scope or "ready:" in scope:
                within = MEANWHILE[scope.rfind("ready:") > scope.rfind("aoo:")]
            if event.type == "rolled":
                yield Heard(within, "rolls", listed_as(name))
            else:
                yield Heard(within, "asks", listed_as(name), fact.options, fact.answer, fact.rule)


class Plays:
    """The plays that the processes of a session have written down in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    @classmethod
    def of_session(cls) -> "Plays":
        """Return the plays of this session: its processes know the folder by an environment variable."""
        return cls(Path(os.environ[FOLDER]))

    def add(self, play: Play) -> None:
        """Write a play down."""
        with (self.folder / f"{os.getpid()}.jsonl").open("ab") as file:
            file.write(msgspec.json.encode(play) + b"\n")

    def known(self) -> dict[str, Play]:
        """Return what is written down by now, by title; not the line that a process is about to write."""
        texts = [file.read_bytes() for file in sorted(self.folder.glob("*.jsonl"))]
        lines = chain.from_iterable(text[: text.rfind(b"\n") + 1].splitlines() for text in texts)
        return {play.title: play for play in map(DECODER.decode, lines)}

    def of(self, cases: Mapping[str, Scenario]) -> list[Play]:
        """Return the plays of scenarios, by title: played now are those that nobody has written down."""
        known = self.known()
        for title in cases.keys() - known.keys():
            known[title], _ = checked(title, cases[title])
            self.add(known[title])
        return [known[title] for title in cases]


FOLDER = "AFFRAY_PLAYS"
DECODER = msgspec.json.Decoder(Play)
