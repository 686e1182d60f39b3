"""Read a text in combat notation into a log: decide it again line by line, with the recorded dice and
answers.
"""

import shlex
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from affray.engine.dice import Seeded, Source, commitment, joint_seed, new_seed
from affray.engine.language.names import People, Unclear
from affray.engine.language.sentences import Declaration, Sentences
from affray.engine.notation.statements import (
    Back,
    Comment,
    DeclarationStatement,
    DiceAndAnswers,
    End,
    FactStatement,
    Marker,
    Packed,
    Row,
    Statement,
    Tag,
    Variation,
    act_of,
    check_marker,
    fact_of_words,
    statements,
)
from affray.engine.notation.tokens import NotationError, UnclearSentence, written
from affray.engine.table.policies import Answers, by_combatant
from affray.events.chain import salt_key
from affray.events.codec import decode, entry
from affray.events.envelope import Branch, Entry, Event
from affray.events.errors import AffrayError, InvalidEntry
from affray.events.facts.acts import Enter, Move, Rule
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import AnyAct, Declared, Ruled
from affray.events.secrets import SEED
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import MAIN, Store, check_branch_name, check_count
from affray.projections.state import Encounter, duplicate
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.names import plainly
from affray.replay.notation.corrections import BadCorrections, applied, unpack_corrections
from affray.replay.notation.header import (
    Comments,
    Header,
    Rolling,
    check_first_line,
    keep_comments,
    make_new_opening,
)
from affray.replay.notation.lines import UNDECIDABLE, Deciding, Play, in_order, linked, make_event_of_entry
from affray.replay.verification.verify import verify

# --- A fight that begins with a text is a log that verifies, or the failing line is named


def check_proof(
    plays: Mapping[str, Play],
    branches: Sequence[Branch],
    events: Sequence[Event],
    secrets: Mapping[str, bytes],
) -> None:
    """Raise NotationError at the first line that does not verify."""
    store = MemoryStore()
    for name, value in secrets.items():
        store.keep_secret(name, value)
    store.restore(branches, iter(events))
    found = [check.problem for check in verify(store).checks if check.problem is not None]
    if found:
        first = min(found, key=lambda one: plays[one.stream].place_of(one.seq))
        line, column = plays[first.stream].place_of(first.seq)
        told = f": recorded {first.recorded}, found {first.found}" if first.found else ""
        raise NotationError(line, column, f"a line that verifies, but {first.what}{told}")


class Imported(Struct):
    """The result of an import: the numbers of events, lines of play and comments."""

    events: int
    branches: int
    comments: int


def import_notation(
    data: bytes,
    store: Store,
    *,
    roll: bool = False,
    file: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Imported:
    """Write the fight of a text into the empty `store`, all or nothing.

    The rules decide every line again, with the dice and answers of the text, and the corrections packed at
    its end are applied; digests of lines of play in the text must match. With `roll`, unknown parts of the
    text (`?`, or left out) are rolled with the seed, a new one if there is none, and answered by policy;
    otherwise they are refused. The seed of a fight that was not opened elsewhere is stored with the log,
    which must verify. `progress` is called with the number of decided lines and of all. O(lines), and for
    each variation the lines before it, folded.

    Raises NotationError with line, column and what was expected, InvalidBranch if `store` is not empty.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from io import BytesIO
    >>> from affray.replay import export_notation, import_notation
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> text, copy = BytesIO(), MemoryStore()
    >>> events = export_notation(store, text)
    >>> told = import_notation(text.getvalue(), copy)
    >>> copy.head("main") == store.head("main")
    True
    """
    try:
        reading = Reading(roll)
        reading.read(check_first_line(data), progress)
        branches, made = linked(reading.plays.values(), reading.salting_key)
        events = reading.ordered(branches, made)
        if reading.fresh:
            check_proof(reading.plays, branches, events, reading.secrets)
        for name, value in reading.secrets.items():
            store.keep_secret(name, value)
        count = store.restore(branches, iter(events))
        keep_comments(store, reading.comments)
    except NotationError as error:
        raise error.in_file(file) from None
    except InvalidEntry as error:
        raise NotationError(reading.line, 1, f"events that a log can contain: {error}", file=file) from error
    return Imported(count, len(branches), sum(map(len, reading.comments.values())))


def _is_whole(act: AnyAct, said: DeclarationStatement, state: Encounter) -> bool:
    """Return whether an act names its combatants by id, its actor among them, and its whole path."""
    if not act.actor and act.declared_by != "game master":
        return False
    if isinstance(act, Move) and len(said.places) == 1 and len(act.path) == 1 and ">" not in said.text:
        return False
    values = plainly(act)
    try:
        return bool(People.find_combatants_in_fights(state).named(values) == values)
    except Unclear:
        return False


class Reading:
    """A text being read."""

    def __init__(self, roll: bool) -> None:
        self.roll, self.header, self.line = roll, Header(), 1
        self.comments: Comments = {}
        self.secrets: dict[str, bytes] = {}
        self.plays: dict[str, Play] = {}
        self._stack: list[Play] = []
        self._packed: JsonObject = {}
        self.fresh = False
        """Whether the fight begins with this text."""
        self._seed = b""
        self._column = 1

    @property
    def salting_key(self) -> bytes:
        """The key of the log's salts, none if it has none or they are packed."""
        return salt_key(self._seed) if self.header.salted and self._seed else b""

    def read(self, text: str, progress: Callable[[int, int], None] | None = None) -> None:
        """Decide a whole text. Raises NotationError."""
        said: list[Statement] = []
        packed: list[Packed] = []
        for one in statements(text, 2, sentences=True):
            (packed if isinstance(one, Packed) else said).append(one)  # type: ignore[arg-type]
        self._packed = unpack_corrections(packed)
        for number, one in enumerate(said):
            self.line, self._column = one.line, one.column
            if progress is not None:
                progress(number, len(said))
            try:
                self._take(one)
            except NotationError:
                raise
            except BadCorrections as error:
                raise NotationError(
                    one.line, one.column, f"the line for which the corrections were packed: {error}"
                ) from None
            except UNDECIDABLE as error:
                reason = error if isinstance(error, AffrayError) else f"{type(error).__name__} {error}"
                raise NotationError(one.line, one.column, f"a line that can be decided: {reason}") from error
        if len(self._stack) > 1:
            raise NotationError(self.line + 1, 1, "')', the end of the variation", "the end of the text")
        if not self._stack:
            self._open(self.line + 1)

    def ordered(self, branches: Sequence[Branch], events: Mapping[str, Sequence[Event]]) -> list[Event]:
        """Return the events of all lines in an order in which they became the main line as the text says.

        Raises NotationError if the tag `main_lines` does not name the lines that did.
        """
        lines = self.header.main_lines
        try:
            return in_order(branches, events, lines)
        except ValueError as error:
            raise NotationError(*self.header.columns["main_lines"], str(error), written(lines)) from None

    def _take(self, one: Statement) -> None:
        if isinstance(one, Comment):
            self._note(one.text)
        elif not isinstance(one, Row | DeclarationStatement | FactStatement | Packed) and one.comment:
            self._note(one.comment)
        if isinstance(one, Comment):
            return
        if isinstance(one, Tag | Row) and (not self._stack or (isinstance(one, Tag) and one.name == "sheet")):
            self.header.add(one)
        elif isinstance(one, Tag | Row):
            raise NotationError(
                one.line, one.column, "a declaration: tags and map must come before the first"
            )
        else:
            self._play(one)

    def _note(self, text: str, *, behind: bool = False) -> None:
        """Store a comment with the next item on its line of play."""
        if text:
            play = self._stack[-1] if self._stack else None
            kept = self.comments.setdefault(play.name if play else MAIN, [])
            kept.append((play.unit if play else 0, text.rstrip(), behind))

    def _play(self, one: Statement) -> None:
        if not self._stack:
            self._open(one.line)
        play = self._stack[-1]
        if isinstance(one, DeclarationStatement):
            self._note(one.comment, behind=True)
            self._said(play, one)
        elif isinstance(one, FactStatement):
            self._note(one.said.comment, behind=True)
            self._beside(play, one)
        elif isinstance(one, Marker):
            check_marker(one, play.deciding.state)
        elif isinstance(one, Variation):
            self._vary(play, one)
        elif isinstance(one, Back):
            if len(self._stack) == 1:
                raise NotationError(one.line, one.column, "a declaration: no variation is open", ")")
            self._stack.pop()
        elif isinstance(one, End):
            if play.end is not None:
                raise NotationError(one.line, one.column, "one end of each line of play")
            play.end = one

    def _open(self, line: int) -> None:
        header = self.header
        self.fresh = "commitment" not in header.opening
        if self.fresh:
            opening = make_new_opening(header, line, self.secrets)
            self._seed = self.secrets[SEED]
        else:
            opening = entry(header.opened(line), 0, 0, "", 1)
            self._seed = bytes.fromhex(header.seed)
        self._close(self._new(MAIN, None, 0, Encounter(), 0, line), [opening], Encounter())

    def _new(self, name: str, parent: Play | None, at: int, state: Encounter, cause: int, line: int) -> Play:
        found = self._packed.get(name, {})
        steps, salts = found.get("steps", {}), found.get("salts")
        if not isinstance(steps, dict) or not isinstance(salts, str | None):
            raise NotationError(line, 1, "packed corrections of their kind")
        packages = not self.header.packages_missing
        deciding = Deciding(state, at, self._seed.hex(), cause, packages=packages)
        play = self.plays[name] = Play(name, parent, at, deciding, line, steps, salts)
        self._stack.append(play)
        return play

    def _vary(self, around: Play, one: Variation) -> None:
        parent = self.plays.get(one.of) if one.of else around
        if parent is None:
            raise NotationError(one.line, one.column, "an earlier line of play", one.of)
        try:
            check_branch_name(one.name)
            check_count(len(self.plays) + 1)
        except AffrayError as error:
            raise NotationError(one.line, one.column, str(error)) from None
        if one.name in self.plays:
            raise NotationError(one.line, one.column, "each variation once", one.name)
        if one.after == "":
            at: int | None = parent.last if parent.last >= 0 else None
        else:
            at = one.after if isinstance(one.after, int) else parent.end_of(one.after)
        if at is None or not 0 <= at <= parent.deciding.seq:
            raise NotationError(one.line, one.column, "a variation of a declaration above it", str(one.after))
        state, cause = parent.state_at(at)
        self._new(one.name, parent, at, state, cause, one.line)

    def _said(self, play: Play, said: DeclarationStatement) -> None:
        deciding = play.deciding
        steps = play.steps.get(str(play.unit))
        before = duplicate(deciding.state) if steps is not None else None
        if steps is not None and steps[:1] == [[]]:  # today's rules cannot decide it
            play.last = deciding.seq
            self._close(play, [], before)
            return
        declared = self._declaration(deciding, said)
        act = declared.act
        if steps is None and (asked := deciding.state.pending) is not None and type(act) is not Rule:
            raise NotationError(
                said.line,
                said.column,
                f"a ruling: the fight waits for {asked.who}: {asked.question}",
                said.word,
            )
        play.last = deciding.seq
        if type(act) is Rule:
            self._close(play, self._ruled(deciding, said, act), before)
            return
        if said.verdict is not None:
            self._close(play, deciding.unasked(said.id, act, said.by, said.verdict), before)
            return
        dice, answers = self._rest(deciding.state)
        told = DiceAndAnswers(said, dice, answers, self.header.faces, self.header.answers, declared.faces)
        made = deciding.declared(said.id, act, said.by, told)
        if made[-1].type == "refused":
            told.faces.clear()  # as in any sentence that is refused
            told.check_empty(f"the rules refuse it: {decode(make_event_of_entry(made[-1])).reason}")
        told.check_empty()
        self._close(play, made, before, decided=True)

    def _declaration(self, deciding: Deciding, said: DeclarationStatement) -> Declaration:
        """Return what a line declares: in the notation's own form, or a sentence of a text written by hand.

        In such a text combatants have names too, and an actor that is left out is the one whose turn it is.
        """
        if not self.fresh:
            return Declaration(act_of(said, self.header.sheet_named))
        fault: NotationError | None = None
        state = deciding.state
        try:
            act = act_of(said, self.header.sheet_named)
        except NotationError as error:
            if said.word == "enter" or (said.word == "rule" and state.pending is not None):
                raise
            fault = error
        else:
            if type(act) is Rule and state.pending is None:
                fault = NotationError(
                    said.line, said.column, "a declaration: none is pending to rule on", said.word
                )
            elif type(act) in (Enter, Rule) or said.verdict is not None or _is_whole(act, said, state):
                return Declaration(act)
        sentences = Sentences(make_fight_context(state, None))
        try:
            words = f"{shlex.quote(said.actor)}: {said.text}" if said.actor else said.text
            meaning = sentences.meaning(words)
        except Unclear as unclear:
            if fault is not None and (said.items or (said.word and {"[", "{"} & {*said.text})):
                raise fault from None
            raise UnclearSentence(said.line, said.column, str(unclear)) from None
        if not isinstance(meaning, Declaration):
            raise UnclearSentence(said.line, said.column, f"{said.text!r} is no declaration")
        return meaning

    def _rest(self, state: Encounter) -> tuple[Source | None, Answers | None]:
        """Return dice and answers for unknown parts of a line, if they are to be rolled and answered."""
        if not self.roll:
            return None, None
        own = bool(self._seed) and commitment(self._seed) == state.commitment
        return Rolling(Seeded(joint_seed(self._seed or new_seed(), state.contributions)), own), by_combatant()

    def _ruled(self, deciding: Deciding, said: DeclarationStatement, act: Rule) -> list[Entry]:
        """Return the game master's ruling that closes a pending declaration."""
        pending = deciding.state.pending
        if pending is None:
            raise NotationError(
                said.line, said.column, "a declaration: none is pending to rule on", said.word
            )
        ruled = Ruled(act.author, act.verdict, act.text, pending.declaration)
        return deciding.beside(ruled, follows=True)

    def _beside(self, play: Play, one: FactStatement) -> None:
        before = duplicate(play.deciding.state) if str(play.unit) in play.steps else None
        fact = fact_of_words(one.said)
        if one.follows and not play.deciding.cause:
            raise NotationError(one.line, one.column, "'*': there is nothing for this to follow", "+")
        self._close(play, play.deciding.beside(fact, follows=one.follows), before)

    def _close(
        self, play: Play, made: Sequence[Entry], before: Encounter | None, *, decided: bool = False
    ) -> None:
        """Take the results of a line, with its corrections applied."""
        steps, deciding = play.steps.get(str(play.unit)), play.deciding
        cause = deciding.seq + 1 if not made else made[0].cause
        if steps is not None and before is not None:
            made = applied(made, [one for one in steps if one], cause)
            if not made:
                raise BadCorrections("nothing is left of the line")
            deciding.take(before, made)
        elif decided:
            deciding.accept(made)
        else:
            deciding.take(deciding.state, made)
        first = play.at + len(play.entries)
        play.places.append((first + 1, self.line, self._column))
        for at in range(len(made)):
            if at == 0 or made[at - 1].type == "asked":
                play.starts.append(first + at + 1)
        play.entries += made
        if made[0].type == "declared":
            fact = decode(make_event_of_entry(made[0]))
            if type(fact) is Declared:
                play.ends[fact.id] = deciding.seq
        play.unit += 1
