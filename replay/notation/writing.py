"""Write a log in combat notation: every line of play, in words, checked while writing."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from affray.engine.dice import commitment
from affray.engine.notation.statements import (
    DeclarationStatement,
    DiceAndAnswers,
    act_of,
    fact_of_words,
    statement,
    words_of,
)
from affray.engine.notation.tokens import written
from affray.events.chain import salt_key
from affray.events.codec import decode, entry
from affray.events.envelope import Branch, Entry, Event
from affray.events.errors import AffrayError
from affray.events.facts.acts import Enter
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import Declared, EncounterOpened, Refused
from affray.events.stores.store import MAIN, Store
from affray.projections.fold import apply, fold
from affray.projections.state import Encounter, duplicate
from affray.replay.log.declarations import groups, yield_revealed_seeds
from affray.replay.notation.corrections import pack, steps_between
from affray.replay.notation.header import Header, SheetNames, load_comments, yield_header_lines
from affray.replay.notation.lines import (
    MOOT,
    UNDECIDABLE,
    Deciding,
    RecordedItems,
    find_salt_origin,
    installed,
    verdict_of,
)


class Output(Protocol):
    """An object that takes bytes."""

    def write(self, data: bytes, /) -> object: ...


def export_notation(store: Store, out: Output, progress: Callable[[int, int], None] | None = None) -> int:
    """Write the whole log, every branch of it, in combat notation, and return the number of its events.

    Every line is decided again as `import_notation` will; differences from the record are packed at the end.
    O(events), each decided twice, and for each branch the earlier ones, folded. `progress` is called with the
    number of written events and of all. Raises AffrayError for a log without an encounter.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from io import BytesIO
    >>> from affray.replay import export_notation
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> text = BytesIO()
    >>> events = export_notation(store, text)
    >>> text.getvalue().decode().splitlines()[1]
    '[name "The ogre at the ruined wall"]'
    """
    writing = _Writing(store, progress)
    for branch in store.branches():
        writing.branch(branch)
    text = "\n".join(writing.whole()) + "\n"
    out.write(text.encode())
    return writing.count


class _Writing:
    def __init__(self, store: Store, progress: Callable[[int, int], None] | None) -> None:
        self.store, self.count, self._progress = store, 0, progress
        self._total = sum(store.head(one.name).seq - one.at for one in store.branches())
        opened = next(iter(store.read(MAIN, upto=1)), None)
        if opened is None or opened.type != "encounter.opened":
            raise AffrayError("the log contains no encounter")
        self.opening: EncounterOpened = decode(opened)
        self.salted = bool(opened.salt)
        self.seed = self._shown_seed()
        self.header = yield_header_lines(self.opening)
        self.read = Header(opening={"dialect": self.opening.dialect, "commitment": self.opening.commitment})
        self.sheets = SheetNames(self.opening.dialect, self._add_sheet)
        self.lines: list[str] = []
        self.comments = load_comments(store)
        self.corrections: dict[str, object] = {}
        self.packages = installed(fold([opened]))
        self.main_lines = self._main_lines()
        self.faces, self.answers = self._most_common()
        self.read.faces, self.read.answers = self.faces, self.answers

    def _shown_seed(self) -> str:
        for branch in self.store.branches():
            for seed in yield_revealed_seeds(self.store.read(branch.name, after=branch.at)):
                if commitment(seed) == self.opening.commitment:
                    return seed.hex()
        return ""

    def _main_lines(self) -> list[str]:
        """Return the main lines in order, none if that is the order in which the branches are written."""
        lines = self.store.main_lines()
        written_so = sorted(lines, key=[one.name for one in self.store.branches()].index)
        return [] if lines == written_so else lines

    def _most_common(self) -> tuple[str, str]:
        faces: Counter[str] = Counter()
        answers: Counter[str] = Counter()
        for event in self.store.read_all():
            if event.type == "rolled":
                faces[decode(event).provenance] += 1
            elif event.type == "chosen":
                answers[decode(event).by] += 1
        most = [found.most_common(1)[0][0] if found else "" for found in (faces, answers)]
        return most[0] or "imported", most[1] or "person"

    def _add_sheet(self, told: str) -> None:
        self.lines.append(told)
        self.read.add(statement(told, 1))  # type: ignore[arg-type]

    def whole(self) -> Iterable[str]:
        """Yield the lines of the text."""
        yield from self.header
        if self.seed:
            yield f"[seed {written(self.seed)}]"
        if not self.salted:
            yield "[salted false]"
        if self.faces != Header().faces:
            yield f"[faces {written(self.faces)}]"
        if self.answers != Header().answers:
            yield f"[answers {written(self.answers)}]"
        if not self.packages:
            yield "[packages_missing true]"
        if self.main_lines:
            yield f"[main_lines {written(self.main_lines)}]"
        yield from self.lines
        if self.corrections:
            yield from (f"% {one}" for one in pack(self.corrections))

    def branch(self, branch: Branch) -> None:
        """Write one line of play, from where it leaves its parent."""
        store, name = self.store, branch.name
        before = list(store.read(name, upto=branch.at)) if branch.at else []
        events = list(store.read(name, after=branch.at))
        if branch.parent:
            self.lines.append(f"( {written(name)} of {written(branch.parent)} after {branch.at}")
        cause = before[-1].cause if before else 0
        line = _Line(self, fold(before), branch.at, cause, self.comments.get(name, ()))
        for group in groups(events):
            line.group(group)
            self.count += len(group)
            if self._progress is not None:
                self._progress(self.count, self._total)
        line.note_before()
        if events:
            self.lines.append(f'= {events[-1].seq} "{events[-1].digest.hex()}"')
        if branch.parent:
            self.lines.append(")")
        found: JsonObject = {}
        if line.steps:
            found["steps"] = line.steps
        if self.salted and events:
            key = salt_key(bytes.fromhex(self.seed)) if self.seed else b""
            salts = find_salt_origin(events, line.starts, branch.digest, key)
            if salts is not None:
                found["salts"] = salts
        if found:
            self.corrections[name] = found


class _Line:
    """One line of play while it is written, with the reader's state at each place."""

    def __init__(
        self,
        writing: _Writing,
        state: Encounter,
        seq: int,
        cause: int,
        comments: Iterable[tuple[int, str, bool]],
    ) -> None:
        self.writing, self.shadow = writing, state
        self.deciding = Deciding(duplicate(state), seq, writing.seed, cause, packages=writing.packages)
        self.steps: JsonObject = {}
        self.starts: list[int] = []
        self.unit = 0
        self.round = state.round
        self.comments = [*comments][::-1]

    def note_before(self) -> None:
        """Write the comments before the next item."""
        while self.comments and self.comments[-1][0] <= self.unit and not self.comments[-1][2]:
            self.writing.lines.append(self.comments.pop()[1])

    def _write(self, told: str) -> None:
        """Write a line with its comments."""
        self.note_before()
        while self.comments and self.comments[-1][0] <= self.unit:
            told += f"  {self.comments.pop()[1]}"
        self.writing.lines.append(told)

    def group(self, group: Sequence[Event]) -> None:
        if self.shadow.round != self.round:
            self.round = self.shadow.round
            self.writing.lines.append(f"== round {self.round}")
        first = group[0]
        if first.type == "encounter.opened" and first.seq == 1:
            self.note_before()
            self._close([entry(decode(first), 0, 0, "", 1)], group)
        elif first.type == "declared":
            ruled = len(group) > 1 and group[-1].type == "ruled"
            self._declared(group[:-1] if ruled else group)
            if ruled:
                self._beside(group[-1])
        else:
            for event in group:
                self._beside(event)

    def _beside(self, event: Event) -> None:
        follows = event.cause != event.seq
        told = f"{'+' if follows else '*'} {words_of(decode(event))}"
        self._write(told)
        said = statement(told, 1).said  # type: ignore[union-attr]
        self._close(self.deciding.beside(fact_of_words(said), follows=follows), [event])

    def _declared(self, group: Sequence[Event]) -> None:
        facts = [decode(event) for event in group]
        first: Declared = facts[0]
        act = first.act
        changed = {}
        if type(act) is Enter and act.sheet is not None:
            changed["sheet"] = self.writing.sheets.name(act.sheet, act.id)
        told = words_of(act, changed)
        if first.by:
            told = f"{written(act.actor)} ({written(first.by)}): {told}"
        elif act.actor:
            told = f"{written(act.actor)}: {told}"
        deciding = self.deciding
        usual = deciding.next_refused() if type(facts[-1]) is Refused else deciding.next_id()
        label = "" if first.id == usual else first.id
        if label:
            told = f"@{written(label)} {told}"
        told = "; ".join([told, *self._items(facts, label)])
        self._write(told)
        said = statement(told, 1)
        assert isinstance(said, DeclarationStatement)
        made: list[Entry] = []
        try:
            again = act_of(said, self.writing.read.sheet_named)
            if said.verdict is not None:
                made = deciding.unasked(said.id, again, said.by, said.verdict)
            else:
                reading = DiceAndAnswers(said, faces_by=self.writing.faces, answers_by=self.writing.answers)
                made = deciding.declared(said.id, again, said.by, reading)
        except UNDECIDABLE:
            made = []
        self._close(made, group, decided=said.verdict is None)

    def _items(self, facts: Sequence[Any], label: str) -> list[str]:
        """Return the rolls and answers, in the order in which the rules need them, or the verdict."""
        if (verdict := verdict_of(facts)) is not None:
            return [verdict]
        asking = RecordedItems(facts, self.writing.faces, self.writing.answers)
        trial = Deciding(
            duplicate(self.shadow),
            self.deciding.seq,
            self.writing.seed,
            self.deciding.cause,
            packages=self.writing.packages,
        )
        try:
            trial.declared(label, facts[0].act, facts[0].by, asking)
        except UNDECIDABLE:  # a roll that was requested but not made is ignored then
            while asking.items[-1:] == [MOOT]:
                asking.items.pop()
        return asking.items

    def _close(self, made: Sequence[Entry], recorded: Sequence[Event], *, decided: bool = False) -> None:
        """Record the differences between the record and the decision, and continue from the record."""
        for at, event in enumerate(recorded):
            if at == 0 or recorded[at - 1].type == "asked":
                self.starts.append(event.seq)
        steps = steps_between(made, recorded)
        state = duplicate(self.shadow) if steps else None
        for event in recorded:
            apply(self.shadow, decode(event))
        if steps:
            self.steps[str(self.unit)] = steps if made else [[], *steps]
            self.deciding.take(state, recorded)  # type: ignore[arg-type]
        elif decided:
            self.deciding.accept(made)
        else:
            self.deciding.take(self.deciding.state, made)
        self.unit += 1
