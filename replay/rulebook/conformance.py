"""Conformance: everything that a dialect has to satisfy, checked in play, with one line a check.

Scenarios cover the cases that their author thought of. The other checks cover all fights: a log is the same
in every cache mode, verifies, and can be narrated, written and read again.
"""

import random
import re
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct, field

from affray.engine import testing
from affray.engine.book.packages import SCENARIOS, package_place, shipped
from affray.engine.chapters import tables_in
from affray.engine.dialects import Dialect, load, packages_for
from affray.engine.dice import seed_of
from affray.engine.fight.memory import Mode, StaleAnswer
from affray.engine.kernel.turns import is_decided
from affray.engine.table import policies
from affray.engine.table.appending import Outcome
from affray.engine.table.legal import legal
from affray.engine.table.scenario import (
    fights_of,
    fixed_seed,
    packaged,
    packaged_names,
    play,
    read_scenarios,
    set_up,
    sheet_of,
)
from affray.engine.table.scenario_parts import Entrant, Scenario, packaged_sheets
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.engine.text.narrate import Narrator
from affray.engine.text.narrate import lines as story_lines
from affray.engine.vocabulary import listed_as, undeclared
from affray.events.codec import decode
from affray.events.errors import AffrayError, counted
from affray.events.exports import export_jsonl, import_jsonl
from affray.events.facts import combat, flow
from affray.events.facts.flow import AnyAct, Chosen, Rolled
from affray.events.files import replacing
from affray.events.stores.memory import MemoryStore
from affray.replay.notation.reading import import_notation
from affray.replay.notation.writing import export_notation
from affray.replay.referee.judge import judge_text
from affray.replay.rulebook.lacks import find_lacks, find_unread_fields
from affray.replay.rulebook.places import find_scenario_starts, root, scenario_folder
from affray.replay.verification.verify import verify
from affray.replay.viewer.pages import build, log_lines

# --- The result


class Failure(Struct, frozen=True):
    """Something that does not hold: in which scenario, fight or sheet, at which line or event, and why.

    `look` is the file and line, or the command, that shows more; "" for none.
    """

    what: str
    where: str
    message: str
    look: str = ""

    def __str__(self) -> str:
        place = f"{self.what}, {self.where}" if self.where else self.what
        return f"{place}: {self.message}{f' ({self.look})' if self.look else ''}"


MOST_SHOWN: Final = 5
"""Most failures that the text of a check shows."""


class ConformanceCheck(Struct):
    """One check of a dialect: what holds if it passes, how much was checked, and what failed."""

    name: str
    holds: str
    count: int = 0
    failures: list[Failure] = field(default_factory=list)
    note: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing failed."""
        return not self.failures

    def fail(self, what: str, message: object, where: str = "", look: str = "") -> None:
        """Add a failure."""
        self.failures.append(Failure(what, where, " ".join(str(message).split()), look))

    def lines(self) -> Iterator[str]:
        """Yield the check as one line, and its first failures below."""
        note = f" ({self.note})" if self.note else ""
        yield f"{'ok    ' if self.ok else 'FAILED'}  {self.name:<11} {self.count:>6}  {self.holds}{note}"
        yield from (f"        {failure}" for failure in self.failures[:MOST_SHOWN])
        if len(self.failures) > MOST_SHOWN:
            yield f"        and {len(self.failures) - MOST_SHOWN} more"


class Conformance(Struct):
    """The result of all checks of a dialect.

    >>> from affray.replay import Conformance
    >>> from affray.replay.rulebook.conformance import ConformanceCheck
    >>> sheets = ConformanceCheck("sheets", "every sheet can enter", count=2)
    >>> found = Conformance("little", "Little rules", [sheets])
    >>> print(found)
    ok      sheets           2  every sheet can enter
    little: every check passed
    >>> found.assert_ok()
    """

    dialect: str
    title: str
    checks: list[ConformanceCheck]

    @property
    def ok(self) -> bool:
        """Whether every check passed."""
        return all(check.ok for check in self.checks)

    def __getitem__(self, name: str) -> ConformanceCheck:
        """The check of that name; raises KeyError."""
        return {check.name: check for check in self.checks}[name]

    def lines(self) -> Iterator[str]:
        """Yield the whole in lines."""
        for check in self.checks:
            yield from check.lines()
        failed = sum(not check.ok for check in self.checks)
        total = f"{failed} of {counted(len(self.checks), 'check')} failed" if failed else "every check passed"
        yield f"{self.dialect}: {total}"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def assert_ok(self) -> None:
        """Raise AssertionError with all lines unless every check passed."""
        if not self.ok:
            raise AssertionError(f"\n{self}")


# --- The checks of a log: verified, written and read again, narrated, refereed


def check_verified(check: ConformanceCheck, title: str, store: MemoryStore) -> None:
    """Verify a log."""
    for audit in verify(store).checks:
        if (problem := audit.problem) is not None:
            versions = _versions(problem.recorded, problem.found) if problem.found else ""
            check.fail(title, f"{audit.name}: {problem.what}{versions}", _event(store, problem.seq))


def _versions(recorded: str, found: str) -> str:
    """Return the recorded and the current version of a fact, for a message."""
    try:
        return f": {_changes(recorded.encode(), found.encode())}"
    except msgspec.DecodeError:
        return f": recorded {_cut(recorded)}, now {_cut(found)}"


def check_notation(check: ConformanceCheck, title: str, store: MemoryStore) -> None:
    """Write a log in the notation of combat and read it again."""
    text, copy = BytesIO(), MemoryStore()
    export_notation(store, text)
    import_notation(text.getvalue(), copy)
    _compare(check, title, store, copy, "in the notation")


def check_page(check: ConformanceCheck, title: str, store: MemoryStore) -> None:
    """Build the page that replays a log and read the log from it."""
    copy = MemoryStore()
    import_jsonl(log_lines(BytesIO(build(store).encode())), copy)
    _compare(check, title, store, copy, "in the page")


def check_narrated(check: ConformanceCheck, title: str, store: MemoryStore) -> None:
    """Narrate a log, as a story and event by event: a sentence for each, without names of fields."""
    events = list(store.read("main"))
    list(Narrator().tell(map(decode, events)))
    narrator = Narrator()
    for event in events:
        fact = decode(event)
        text = narrator.entry(fact).text
        if raw := raw_name(text, fact):
            check.fail(title, f"{raw} in {text!r}", _event(store, event.seq), "affray.engine.text.narrate")


def check_refereed(check: ConformanceCheck, title: str, store: MemoryStore) -> int:
    """Let the referee check the printed story of a log; return the number of rolls that it could judge."""
    dialect = decode(next(iter(store.read("main")))).dialect
    story = list(story_lines(map(decode, store.read("main")), width=WIDE))
    report = judge_text("\n".join(story), dialect)
    for finding in report.findings:
        row = story[finding.line - 1].strip() if 0 < finding.line <= len(story) else finding.quote
        message = f"{finding.message} [{finding.rule or finding.check}]"
        check.fail(title, message, f"line {finding.line} of the story", row)
    return report.judged


WIDE: Final = 100_000
"""A width at which no line of a story is broken."""


def raw_name(text: str, fact: Struct) -> str:
    """Return the name of a field, act or type that a sentence shows to its reader, in words; "" for none."""
    kind = str(fact.__struct_config__.tag)
    if not text.strip():
        return "no words"
    first = next((name for name in type(fact).__struct_fields__ if name not in ("cites", "sheet")), "")
    if re.match(rf"{re.escape(kind)}: {first} ", text, re.IGNORECASE):
        return f"the fields of {kind}"
    act = getattr(fact, "act", None)
    tag = str(type(act).__struct_config__.tag) if isinstance(act, Struct) else ""
    if "." in tag and tag in text:
        return f"the name of the act {tag}"
    values = set(_texts(msgspec.to_builtins(fact)))
    for word in _SNAKE.findall(text):
        if word in field_names() and word not in values:
            return f"the field {word}"
    data = _DATA.search(text)
    return f"data, {data[0]}," if data else ""


_SNAKE: Final = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
_DATA: Final = re.compile(r"\{'\w+'|\b[A-Z]\w+\(\w+=")


def _texts(value: object) -> Iterator[str]:
    """Yield the words of all texts in data: people may write names that look like those of fields."""
    if isinstance(value, str):
        yield from re.findall(r"\w+", value)
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


@cache
def field_names() -> frozenset[str]:
    """Return the names of all fields of facts and acts that are not words."""
    kinds = [one for module in (combat, flow) for one in vars(module).values() if isinstance(one, type)]
    kinds += get_args(AnyAct)
    structs = [one for one in kinds if issubclass(one, Struct)]
    return frozenset(name for one in structs for name in one.__struct_fields__ if "_" in name)


def _event(store: MemoryStore, seq: int) -> str:
    """Return the place of an event in words."""
    event = next(iter(store.read("main", after=seq - 1, upto=seq)), None)
    about = f" ({event.type}, r{event.round}.t{event.turn})" if event is not None else ""
    return f"event {seq}{about}"


def _compare(check: ConformanceCheck, title: str, one: MemoryStore, other: MemoryStore, how: str) -> None:
    """Add a failure at the first event in which two logs differ."""
    if one.head("main") == other.head("main"):
        return
    mine, theirs = list(one.read("main")), list(other.read("main"))
    at = next((at for at, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a.data != b.data), -1)
    if at < 0:
        at = min(len(mine), len(theirs), len(mine) - 1)
        check.fail(title, f"{how} it has {counted(len(theirs), 'event')}", _event(one, at + 1))
        return
    check.fail(title, f"{how}: {_changes(mine[at].data, theirs[at].data)}", _event(one, at + 1))


def _changes(one: bytes, other: bytes) -> str:
    """Return where two facts differ, with both values: `attack[2].value 3 becomes 4`."""
    changes = list(_differences("", msgspec.json.decode(one), msgspec.json.decode(other)))
    text = "; ".join(changes[:FEW]) or "its bytes differ"
    return f"{text}; and {len(changes) - FEW} more" if len(changes) > FEW else text


def _differences(place: str, was: Any, now: Any) -> Iterator[str]:
    if isinstance(was, dict) and isinstance(now, dict):
        for name in {**was, **now}:
            yield from _differences(f"{place}.{name}".lstrip("."), was.get(name), now.get(name))
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for at, (mine, theirs) in enumerate(zip(was, now, strict=True)):
            yield from _differences(f"{place}[{at}]", mine, theirs)
    elif was != now:
        yield f"{place} {_short(was)} becomes {_short(now)}"


FEW: Final = 3
"""Most differences between two events that a message shows."""


def _short(value: object) -> str:
    return _cut(msgspec.json.encode(value).decode())


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


LONGEST: Final = 120
"""Most characters of a value in a message."""


# --- Fights at random, of acts that are listed as legal


class NotLegal(Exception):
    """An act that is listed as legal was refused."""

    def __init__(self, act: AnyAct, refused: flow.Refused) -> None:
        what = f"{act.__struct_config__.tag} is listed as legal for {act.actor} and refused"
        super().__init__(f"{what}: {refused.reason} [{refused.rule}]")


class RandomFight:
    """A fight at random: some of automatic play, some of all that is legal, any answer to a question.

    The same number gives the same fight. It is made up when it is first played, and then repeated act by act
    in every other mode: listing what is legal takes most of the time.
    """

    def __init__(self, scenario: Scenario, number: int, steps: int) -> None:
        self.scenario, self.steps = scenario, steps
        self.seed = f"{scenario.name} {number}"
        self.refused = 0
        """How many acts that automatic play proposed were refused."""
        self._made: list[_Move] | None = None

    def __call__(self, store: MemoryStore, mode: Mode) -> Table:
        """Play it into an empty store. Raises NotLegal, and any error of the rules."""
        dice = random.Random(self.seed)
        table = set_up(self.scenario, store, seed=seed_of(self.seed), memory=mode)
        table.use(None, policies.by_combatant(dice.choice((policies.auto, policies.ask))))
        table.declare(self.scenario.begin.act())
        if self._made is None:
            made: list[_Move] = []
            self.refused = 0
            for move in self._make_up(dice, table):
                made.append(move)
                self.refused += self._take(table, move)
            self._made = made
        else:
            for move in self._made:
                self._take(table, move)
        return table

    def _make_up(self, dice: random.Random, table: Table) -> Iterator["_Move"]:
        for _ in range(self.steps):
            if table.waiting is not None:
                yield _Move(answer=dice.choice(table.waiting.options or ("roll",)))
                continue
            if table.state.closed or is_decided(table.fight):
                return
            listed = bool(table.state.active) and dice.random() >= AUTOMATIC
            act = choose_legal_act(dice, table) if listed else None
            chosen = act or next_act(table)
            if chosen is None:
                return
            yield _Move(chosen, listed=act is not None)

    def _take(self, table: Table, move: "_Move") -> bool:
        """Declare or answer; return whether an act of automatic play was refused, which is no fault."""
        if move.act is None:
            table.choose(move.answer)
            return False
        outcome = table.declare(move.act)
        if outcome.refused is not None and move.listed:
            raise NotLegal(move.act, outcome.refused)
        return outcome.refused is not None


class _Move(Struct, frozen=True):
    """An act, which was `listed` as legal or proposed by automatic play, or else an answer."""

    act: AnyAct | None = None
    answer: str = ""
    listed: bool = False


def choose_legal_act(dice: random.Random, table: Table) -> AnyAct | None:
    """Return any legal act of the active combatant, each kind as often as the others; None if none is."""
    fight = table.fight
    kinds: dict[str, list[AnyAct]] = {}
    for act in legal(fight, fight.state.combatants[fight.state.active]).open:
        kinds.setdefault(str(act.__struct_config__.tag), []).append(act)
    return dice.choice(kinds[dice.choice(sorted(kinds))]) if kinds else None


AUTOMATIC: Final = 0.4
"""The share of automatic play, which brings a fight on."""


# --- Everything together

Player = Callable[[MemoryStore, Mode], Table]
Progress = Callable[[int, int], None]

MODES: Final[tuple[Mode, ...]] = ("checked", "uncached")


class _Case(Struct, frozen=True):
    """A fight to be played: its title, the file and line that define it, and how it is played."""

    title: str
    look: str
    player: Player
    scenario: Scenario | None = None


class Run:
    """The checks of one dialect, being made."""

    def __init__(self, dialect: Dialect, out: Path | None) -> None:
        self.dialect, self.out = dialect, out
        self.rules = ConformanceCheck(
            "rules", "the catalogue has all topics and figures that the code asks for"
        )
        self.sheets = ConformanceCheck("sheets", "every sheet can enter a fight")
        self.scenarios = ConformanceCheck("scenarios", "every scenario ends as its table expects")
        self.words = ConformanceCheck("words", "the chapters list every roll and answer of the scenarios")
        self.fights = ConformanceCheck("fights", "no legal act is refused, no rule breaks in random fights")
        self.modes = ConformanceCheck("modes", "checked and uncached play write the same bytes")
        self.verified = ConformanceCheck("verify", "every log verifies")
        self.notation = ConformanceCheck("notation", "every log is the same after notation and back")
        self.page = ConformanceCheck("page", "every log is the same in its replay page")
        self.narration = ConformanceCheck("narration", "every event is narrated, without names of fields")
        self.referee = ConformanceCheck("referee", "the referee finds nothing wrong in the stories")
        self.judged = self.refused = 0

    @property
    def checks(self) -> list[ConformanceCheck]:
        """The checks in the order of the report."""
        return [value for value in vars(self).values() if isinstance(value, ConformanceCheck)]

    def check_rules(self) -> None:
        """Look for topics and figures that the code can ask for and the catalogue lacks."""
        self.rules.count = len(self.dialect.book)
        with self._failing(self.rules, self.dialect.name):
            for lack in find_lacks(self.dialect):
                wanted = f"figure {lack.figure!r} of {lack.topic}" if lack.figure else f"rule {lack.topic}"
                look = f"affray rules {self.dialect.name} --check"
                self.rules.fail(lack.function, f"no {wanted}", look=look)
            for one in find_unread_fields(self.dialect):
                look = f"affray rules {self.dialect.name} --check"
                self.rules.fail(one.condition, f"no rule reads {one.field!r} of this condition", look=look)

    def check_sheets(self) -> None:
        """Read each sheet as an entry does."""
        try:
            found = packaged_sheets(self.dialect.name)
        except AffrayError as fault:
            self.sheets.fail("sheets.toml", fault)
            return
        holder = Scenario(map=(), combatants=(), dialect=self.dialect.name, name="sheets.toml")
        for name in found:
            self.sheets.count += 1
            with self._failing(self.sheets, name):
                sheet_of(holder, Entrant(id=name, side="", at=(0, 0), use=name))

    def cases(self, seeds: int, steps: int) -> list[_Case]:
        """Return all that is played: the scenarios, and each fight once by itself and at random by seed."""
        found = list(self._scenario_cases())
        for name in self._fight_names():
            with self._failing(self.fights, name):
                scenario = packaged(name)
                found.append(_Case(name, f"affray play {name}", _by_script(scenario)))
                for number in range(1, seeds + 1):
                    title = f"{name}, seed {number}"
                    look = f"its log: --only {title!r} --out FOLDER"
                    found.append(_Case(title, look, RandomFight(scenario, number, steps)))
        return found

    def _scenario_cases(self) -> Iterator[_Case]:
        folder = scenario_folder(self.dialect.name)
        if folder is None:
            self.scenarios.fail(
                self.dialect.name,
                "there are no scenarios",
                look=f"{SCENARIOS}/CHAPTER/*.toml in the package or next to its pyproject.toml",
            )
            return
        around = root() if self.dialect.name in shipped() else folder.parent
        tables = tables_in(folder)
        for file in _astray(folder, tables):
            self.scenarios.fail(str(file.relative_to(around)), "scenarios belong in the folder of a chapter")
        for file in tables:
            name = str(file.relative_to(around))
            with self._failing(self.scenarios, name, file=file):
                text = file.read_text("utf-8")
                starts = [text.count("\n", 0, at) + 1 for at in find_scenario_starts(text)]
                for at, scenario in enumerate(read_scenarios(file, within=folder)):
                    look = f"{name}:{starts[at] if at < len(starts) else 1}"
                    if scenario.dialect != self.dialect.name:
                        self.scenarios.fail(scenario.name, f"it is played by {scenario.dialect}", look=look)
                        continue
                    yield _Case(f"{file.stem}: {scenario.name}", look, _strictly(scenario), scenario)
        if not tables:
            self.scenarios.fail(self.dialect.name, "there are no scenarios", look=f"{folder}/CHAPTER/*.toml")

    def _fight_names(self) -> list[str]:
        name = self.dialect.name
        if name in shipped():
            return [one for one in packaged_names() if "." not in one and packaged(one).dialect == name]
        names = list(fights_of(name))
        if not names:
            self.fights.fail(name, "there are no fights", look=str(package_place(name) / "fights/demo.toml"))
        return names

    def play(self, case: _Case) -> None:
        """Play a case in each mode, and check its log."""
        before, store = self._count_failures(), MemoryStore()
        played = self.fights if case.scenario is None else self.scenarios
        played.count += 1
        with self._failing(played, case.title, case.look, store if case.scenario is None else None):
            if case.scenario is not None:
                testing.check(case.scenario, store)
                store = MemoryStore()
            case.player(store, "cached")
        if self._count_failures() == before:
            if case.scenario is not None:
                self._check_words(case, store)
            self._check_modes(case, store)
            self._check_log(case, store)
        if isinstance(case.player, RandomFight):
            self.refused += case.player.refused
        if self.out is not None and self._count_failures() > before:
            self._keep(case, store)

    def _count_failures(self) -> int:
        return sum(len(check.failures) for check in self.checks)

    def _check_words(self, case: _Case, store: MemoryStore) -> None:
        rolls, answers = list[str](), list[tuple[str, str]]()
        self.words.count += 1
        for fact in map(decode, store.read("main")):
            if isinstance(fact, Rolled):
                rolls.append(fact.key.split("/")[-2])
            elif isinstance(fact, Chosen):
                name = listed_as(fact.key.split("/")[-2])
                answers += ((name, option) for option in fact.options)
        for name in undeclared(self.dialect.name, rolls, answers):
            self.words.fail(case.title, f"no chapter lists {name}", look=case.look)

    def _check_modes(self, case: _Case, store: MemoryStore) -> None:
        self.modes.count += 1
        for mode in MODES:
            other = MemoryStore()
            with self._failing(self.modes, case.title, case.look, other):
                try:
                    case.player(other, mode)
                except StaleAnswer as stale:
                    look = f"what {stale.function} reads is not in its key"
                    self.modes.fail(case.title, stale, f"event {other.head('main').seq + 1}", look)
                else:
                    _compare(self.modes, case.title, store, other, f"{mode} play")

    def _check_log(self, case: _Case, store: MemoryStore) -> None:
        checks: Sequence[tuple[ConformanceCheck, Callable[..., int | None]]] = (
            (self.verified, check_verified),
            (self.notation, check_notation),
            (self.page, check_page),
            (self.narration, check_narrated),
            (self.referee, check_refereed),
        )
        for check, run in checks:
            check.count += store.head("main").seq if check is self.narration else 1
            with self._failing(check, case.title, case.look):
                self.judged += run(check, case.title, store) or 0

    @contextmanager
    def _failing(
        self,
        check: ConformanceCheck,
        what: str,
        look: str = "",
        store: MemoryStore | None = None,
        file: Path | None = None,
    ) -> Iterator[None]:
        """Turn an error in the block into a failure, with the line of code nearest to the package."""
        try:
            yield
        except AssertionError as fault:
            check.fail(what, str(fault).removeprefix(what.partition(": ")[2]).lstrip(", "), look=look)
        except (AffrayError, NotLegal) as fault:
            where = f"after {_event(store, store.head('main').seq)}" if store is not None else ""
            # A message about the file `what` need not name it again.
            check.fail(what, str(fault).removeprefix(f"{file}: "), where, look)
        except Exception as fault:  # any error of a rule is a finding
            where = f"after {_event(store, store.head('main').seq)}" if store is not None else ""
            places = ", ".join(filter(None, (look, self._code(fault))))
            check.fail(what, f"{type(fault).__name__}: {fault}", where, places)

    def _code(self, fault: BaseException) -> str:
        """Return the innermost line of the package in a traceback, or else the innermost of all."""
        frames = traceback.extract_tb(fault.__traceback__)
        name = self.dialect.name
        place = root() / "engine" / "dialects" / name if name in shipped() else package_place(name)
        own = [frame for frame in frames if Path(frame.filename).resolve().is_relative_to(place)]
        if not frames:
            return ""
        frame = (own or frames)[-1]
        file = Path(frame.filename).resolve()
        shown = file.relative_to(place.parent) if own else Path(*file.parts[-2:])
        return f"{shown.as_posix()}:{frame.lineno} in {frame.name}"

    def _keep(self, case: _Case, store: MemoryStore) -> None:
        """Write the log of a fight in which something failed."""
        assert self.out is not None
        if not store.head("main").seq:
            return
        self.out.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"\W+", "-", case.title).strip("-")[:80]
        with replacing(self.out / f"{name}.jsonl") as file:
            export_jsonl(store, file)


def _astray(folder: Path, tables: Sequence[Path]) -> list[Path]:
    """Return the files with scenarios that are in no folder of a chapter, where nothing plays them."""
    others = sorted({*folder.rglob("*.toml")} - {*tables})
    return [file for file in others if find_scenario_starts(file.read_text("utf-8"))]


def _strictly(scenario: Scenario) -> Player:
    return lambda store, mode: play(scenario, store, seed=fixed_seed(scenario), strict=True, memory=mode)


def _by_script(scenario: Scenario) -> Player:
    expected = sum(any(want.get("type") == "refused" for want in line.expect) for line in scenario.script)

    def player(store: MemoryStore, mode: Mode) -> Table:
        refused: list[flow.Refused] = []

        def watch(outcome: Outcome) -> None:
            if outcome.refused is not None and outcome.facts[0].by != "tactics":
                refused.append(outcome.refused)

        table = play(scenario, store, seed=fixed_seed(scenario), memory=mode, watch=watch)
        if len(refused) > expected:
            raise AffrayError(f"its script is refused: {refused[-1].reason} [{refused[-1].rule}]")
        return table

    return player


SEEDS: Final = 3
"""Random fights of each packaged fight."""

STEPS: Final = 25
"""Declarations and answers of a random fight."""


def conformance(
    dialect: str,
    *,
    only: str = "",
    seeds: int = SEEDS,
    steps: int = STEPS,
    out: Path | None = None,
    progress: Progress | None = None,
) -> Conformance:
    """Make every check that a dialect has to pass, and return the results.

    Its scenarios are played as written; its packaged fights by their scripts, and at random `seeds` times for
    `steps` declarations each; or `only` those with a text in their titles. Each is played again with checked
    caches and without any, and its log is verified, written and read again, narrated and given to the
    referee. Logs of fights in which something failed are written to the folder `out`. `progress` is called
    with the number of finished fights and of all. Raises UnknownDialect, BadPackage, and AffrayError if no
    title has the text: everything else is in the result.

    >>> from affray.replay import conformance
    >>> found = conformance("futurepath", only="demo_futurepath", seeds=0)
    >>> found.ok, found["verify"].count
    (True, 1)
    """
    rules = load(dialect, packages=packages_for(dialect))
    run = Run(rules, out)
    run.check_rules()
    run.check_sheets()
    every = run.cases(seeds, steps)
    cases = [case for case in every if only in case.title]
    if every and not cases:
        raise AffrayError(f"no scenario and no fight of {dialect} has {only!r} in its title")
    for number, case in enumerate(cases, 1):
        run.play(case)
        if progress is not None:
            progress(number, len(cases))
    if run.refused:
        run.fights.note = f"{counted(run.refused, 'act')} of automatic play refused"
    run.referee.note = f"{counted(run.judged, 'roll')} judged" if run.judged else "it could judge no roll"
    return Conformance(rules.name, rules.title, run.checks)
