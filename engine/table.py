"""The table: one fight over one line of a log. The facade that programs use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from affray.engine import policies
from affray.engine.dialects import load
from affray.engine.dice import (
    ALGORITHM,
    Manual,
    Recorded,
    Seeded,
    Source,
    commitment,
    new_seed,
    parse,
    rethrow,
)
from affray.engine.fight import Fight
from affray.engine.grid.battlefield import Battlefield
from affray.engine.runner import Answers, resolve
from affray.events import oplog
from affray.events.codec import as_read, decode, entry
from affray.events.envelope import Entry, Event
from affray.events.errors import AffrayError, Conflict
from affray.events.facts.acts import Rule
from affray.events.facts.declared import AnyAct, Asked, Chosen, Declared, Refused, Ruled
from affray.events.facts.flow import EncounterOpened
from affray.events.store import Store
from affray.projections.fold import apply, fold
from affray.projections.state import Encounter, Question

ENGINE = "affray 0.1.0"
SEED = "seed"


class NothingAsked(AffrayError):
    """An answer came although the fight waits for none."""


class WrongAnswer(AffrayError):
    """The answer is none of the options."""


class MustAnswer(AffrayError):
    """A declaration came while the fight waits for an answer."""


class Outcome(Struct, frozen=True):
    """What a declaration or an answer led to: the events appended, a refusal, or an open question."""

    events: tuple[Event, ...]
    refused: Refused | None = None
    waiting: Asked | None = None

    @property
    def facts(self) -> list[Any]:
        """The facts of the events, decoded."""
        return [decode(event) for event in self.events]


class Table:
    """A fight that is being played.

    Every call of `declare` and `choose` appends its events in one transaction, or none. `state` is
    what the log folds to and must not be written.
    """

    def __init__(
        self,
        store: Store,
        branch: str = "",
        *,
        dice: Source | None = None,
        answers: Answers | None = None,
        changes: Mapping[str, Any] | None = None,
    ) -> None:
        """Open the fight on a branch of `store`, the main line by default. O(events of the line).

        `dice` defaults to the encounter's seeded dice, `answers` to the combatants' own policies and
        automatic play. `changes` alters figures of the rule catalogue (see `Book.load`).
        """
        self.store = store
        self.branch = branch or store.main_line()
        self.answers = answers or policies.by_combatant()
        self._changes = changes
        self._dice = dice
        self._open_at = 0
        self._seq = 0
        self.fight: Fight
        self._load()

    @classmethod
    def create(
        cls,
        store: Store,
        *,
        dialect: str,
        terrain: Sequence[str],
        name: str = "encounter",
        options: Mapping[str, str] | None = None,
        seed: bytes | None = None,
        dice: Source | None = None,
        answers: Answers | None = None,
        changes: Mapping[str, Any] | None = None,
    ) -> Table:
        """Open a new encounter in an empty store.

        The seed of its dice is kept beside the log and revealed when the encounter closes. Raises
        UnknownDialect, UnknownOption, UnknownReading, GridError, InvalidEntry (a name that is no text),
        Conflict (the store is not empty).
        """
        rules = load(dialect, changes)
        for option in options or {}:
            rules.book.reading(option, options or {})
        rows = tuple(terrain)
        Battlefield(rows)
        seed = seed if seed is not None else new_seed()
        opened = as_read(
            EncounterOpened(
                name=name,
                dialect=dialect,
                options=dict(sorted((options or {}).items())),
                terrain=rows,
                commitment=commitment(seed),
                algorithm=ALGORITHM,
                engine=ENGINE,
                catalogue=f"{dialect}/{len(rules.book)}",
            )
        )
        head = store.head("main")
        if head.seq:
            raise Conflict("main", 0, head.seq)
        # First the seed: a crash in between must not leave an encounter whose dice nobody can open.
        store.keep_secret(SEED, seed)
        store.append("main", [entry(opened, 0, 0, "", 1)], 0)
        oplog.info("encounter.opened", name=name, dialect=dialect)
        return cls(store, "main", dice=dice, answers=answers, changes=changes)

    @property
    def state(self) -> Encounter:
        """What is true now."""
        return self.fight.state

    @property
    def seq(self) -> int:
        """The position of the last event."""
        return self._seq

    @property
    def waiting(self) -> Question | None:
        """The question that the fight waits for."""
        return self.fight.state.pending

    @property
    def dice(self) -> Source:
        """The dice in use."""
        return self._dice if self._dice is not None else self._seeded

    @property
    def seeded(self) -> Source:
        """The encounter's own dice, by its seed."""
        return self._seeded

    def use(self, dice: Source | None = None, answers: Answers | None = None) -> None:
        """Take other dice or another policy from here on."""
        self._dice = dice
        if answers is not None:
            self.answers = answers

    def declare(self, act: AnyAct, by: str = "", request: str = "") -> Outcome:
        """Declare an act and append what comes of it, in one transaction.

        Returns a refusal as a value. Raises InvalidEntry for an act with fields of a wrong type or beyond
        all bounds, MustAnswer while the fight waits, Conflict when somebody else has appended meanwhile
        (the table has then caught up and the act may be declared again).
        """
        state = self.fight.state
        # As the log will read it: what could not be read back must not be resolved either.
        declared = as_read(Declared(f"d{state.declarations + 1}", act, by))
        if isinstance(declared.act, Rule):
            return self._rule(declared.act)
        if state.pending is not None:
            raise MustAnswer(
                f"the fight waits for {state.pending.who or 'the game master'}: {state.pending.question}"
            )
        seq = self._seq + 1
        try:
            result = resolve(self.fight, declared, seq=seq, dice=self.dice, answers=self.answers)
            events = self._append(result.entries, request)
        except BaseException as error:
            if isinstance(error, Conflict):
                oplog.warning("append.conflict", expected=error.expected, actual=error.actual)
            # The working state may have run ahead of the log: take it from the log again.
            self._load()
            raise
        if result.waiting is not None:
            self._open_at = seq
            oplog.info("choice.waiting", who=result.waiting.who, question=result.waiting.question)
        return Outcome(tuple(events), result.refused, result.waiting)

    def choose(self, answer: str, by: str = "person", request: str = "") -> Outcome:
        """Answer the open question (for a roll: the faces, "4,6") and play on from there.

        The declaration is resolved again from its beginning with everything recorded so far. Raises
        NothingAsked, WrongAnswer, or RulesChanged if the rules would now decide the beginning
        differently.
        """
        question = self.fight.state.pending
        if question is None:
            raise NothingAsked("the fight waits for no answer")
        dice, answers = self.dice, self.answers
        if question.notation:
            dice = Recorded({question.key: (_faces(question, answer), "physical")}, dice)
        else:
            if answer not in question.options:
                raise WrongAnswer(f"{answer!r} is no answer; choose one of {', '.join(question.options)}")
            as_read(Chosen(question.key, question.who, answer, by))
            answers = policies.Recorded({question.key: (answer, by)}, answers)
        recorded = list(self.store.read(self.branch, after=self._open_at - 1))
        fight = self._fight(fold(self.store.read(self.branch, upto=self._open_at - 1)))
        dice, answers = replaying(recorded, dice, answers)
        declared = decode(recorded[0])
        try:
            result = resolve(
                fight, declared, seq=self._open_at, dice=dice, answers=answers, recorded=recorded
            )
            events = self._append(result.entries, request)
        except Conflict:
            self._load()
            raise
        self.fight = fight
        if result.waiting is None:
            self._open_at = 0
        return Outcome(tuple(events), result.refused, result.waiting)

    def _rule(self, act: Rule) -> Outcome:
        """Close the open declaration as it stands, by the game master's word."""
        if self.fight.state.pending is None:
            raise NothingAsked("no declaration is open to rule on")
        ruled = Ruled(act.author, act.verdict, act.text, self.fight.state.pending.declaration)
        state = self.fight.state
        made = entry(ruled, state.round, state.turn, "", self._open_at)
        events = self._append([made], "")
        apply(state, ruled)
        self._open_at = 0
        return Outcome(tuple(events))

    def _append(self, entries: list[Entry], request: str) -> list[Event]:
        events = self.store.append(self.branch, entries, self._seq, request)
        self._seq += len(events)
        return events

    def _load(self) -> None:
        """Take the state from the log."""
        self._seq = self._open_at = 0

        def watched() -> Iterator[Event]:
            for event in self.store.read(self.branch):
                self._seq = event.seq
                if event.type == "asked":
                    self._open_at = event.cause
                yield event

        state = fold(watched())
        if not state.dialect:
            raise AffrayError("the log holds no encounter")
        if state.pending is None:
            self._open_at = 0
        try:
            seed = self.store.secret(SEED) or bytes.fromhex(state.seed) or None
        except ValueError:
            seed = None  # no seed of ours: verify says so
        self._seed = seed.hex() if seed is not None else ""
        # A log that came without its seed (an import) is played on with dice that people throw.
        self._seeded: Source = Seeded(seed) if seed is not None else Manual(lambda key, notation: None)
        self.fight = self._fight(state)

    def _fight(self, state: Encounter) -> Fight:
        fight = Fight(state, load(state.dialect, self._changes))
        fight.seed = self._seed
        return fight


def replaying(recorded: Sequence[Event], dice: Source, answers: Answers) -> tuple[Source, Answers]:
    """Return dice and answers that repeat what `recorded` holds and go on with the given ones."""
    faces: dict[str, tuple[tuple[int, ...], str]] = {}
    known: dict[str, tuple[str, str]] = {}
    for event in recorded:
        if event.type == "rolled":
            fact = decode(event)
            faces[fact.key] = (fact.faces, fact.provenance)
        elif event.type == "chosen":
            fact = decode(event)
            known[fact.key] = (fact.answer, fact.by)
    return Recorded(faces, dice), policies.Recorded(known, answers)


def _faces(question: Question, answer: str) -> tuple[int, ...]:
    try:
        faces = tuple(int(face) for face in answer.replace(",", " ").split())
    except ValueError:
        raise WrongAnswer(f"{answer!r} are no faces; type them as 4,6") from None
    rethrow(parse(question.notation), faces)
    return faces
