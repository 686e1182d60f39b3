"""The prompt that holds a fight open: short words to declare, answer, explain and rule."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final, TypeAlias

from msgspec import Struct

from affray.engine.book.card import wrapped
from affray.engine.language.acts import ACTS, SHORT, split_words
from affray.engine.language.names import Unclear
from affray.engine.language.sentences import (
    REQUESTS,
    Answer,
    Declaration,
    Several,
    find_answer,
    foresee,
)
from affray.engine.table.dice import by_hand
from affray.engine.table.legal import Closed, Legal, legal
from affray.events.errors import UNNAMED, AffrayError, counted, square
from affray.events.facts import acts
from affray.events.facts.base import Act
from affray.events.facts.flow import AnyAct
from affray.events.stores.store import Store
from affray.projections.state import Question
from affray.replay.cli.terminal.adding import entries_of
from affray.replay.cli.terminal.line import DB, command_of, split_typed_lines
from affray.replay.language import Moment
from affray.replay.text.options import (
    PAST,
    describe_left,
    draw_reach_map,
    keyed,
    name_of,
    shown,
    yield_menu_rows,
    yield_provoked,
)

HELP: Final = (
    "a [TARGET] [WEAPON] [FACES]  attack; with the results of physical dice: a gharm 17 5",
    "fa [TARGET] [FACES]          full attack",
    "m SQUARE                     move there by the best path: m 4,1",
    "m SQUARE SQUARE ...          move along this path: m 4,1 4,2 5,3",
    "s SQUARE                     a step of 5 feet",
    "c SPELL [TARGET | SQUARE]    cast: c fireball 6,3",
    "b, e                         begin the fight, end the turn",
    "auto [WHO]                   automatic play of this turn, or of all their turns: auto monsters",
    "? [ACT]                      allowed acts with keys; ?? [ACT] refused acts with reasons",
    "1, 2, 3                      choose from a list, or answer the pending question",
    "u [N], redo                  undo the last declaration or ruling; redo it",
    "w [EVENT | TURN]             explain the last outcome, or another",
    "rule cover +4, rule hit      rule on the last outcome, and see what changes",
    "rule with advantage          roll the last test so, where a game has it; rule die 2 15: one die of it",
    "rule 38 gharm.hp=5           change the outcome of an event and what followed",
    "skit hp 9, skit -3           set hit points from now on; skit prone, skit not prone, skit at 4,2",
    "odds, odds win               chance of the last outcome; chances of winning",
    "/ WORDS                      search the rules",
    "ACT ...                      any declaration by its name or the beginning of it: trip gharm",
    "WHO: ACT ...                 a declaration of another combatant: gharm: a brannoc",
    "COMMAND ...                  any command of affray on this fight: log --from r2, verify",
    "map, add goblin 10,4         show the fight; add a combatant, or several: add goblin x3",
    "q                            quit; the fight is kept",
    "Names may be shortened; join lines with semicolons: m 4,1; a gharm; e",
)

ELSEWHERE: Final = frozenset(
    {"rules", "statblock", "link", "checker", "combine", "countersign", "import", "demo"}
)
"""Commands whose first word is not the fight."""

EXAMPLES: Final[Mapping[str, Sequence[str]]] = {
    "ready": ("ready moves gharm then attack gharm", "ready casts then a gharm"),
    "plan": ("plan standard:attack:gharm", "plan move:move standard:attack:gharm after=gharm"),
    "speak": ("speak Stand back!",),
    "delay": ("delay", "delay 7"),
}
"""How to say acts that cannot be listed."""

LEAVING: Final = frozenset({"q", "quit", "exit"})
HELPING: Final = frozenset({"h", "help"})
SHARED: Final = frozenset({"-h", "--help", "--by", "--json", "--ask", "--manual", "--request", "--branch"})
"""Options of a command, not of an act: a line with one is run by `affray do`."""


FIRST_WORDS: Final[Mapping[str, str]] = {
    **{word: meaning for word, (_, meaning) in SHORT.items()},
    "auto": "Automatic play of the current turn, or of those of some combatants",
    "u": "Undo the last declaration or ruling",
    "redo": "Redo what was undone",
    "w": "Explain the last outcome, or another event or turn",
    "odds": 'The chance of the last outcome; with "win" the chances of winning',
    "rule": "A change from now on, or a ruling on an outcome, which becomes the main line",
    "help": "All words",
    "quit": "Leave the prompt; the fight is kept",
}
"""Short words with which a line may begin, each with its meaning."""


class Which(Struct, frozen=True):
    """A question before declaring: for each key a label and what it declares."""

    question: str
    choices: Mapping[str, tuple[str, Declaration | None]]


# --- A session at the prompt: each line is executed at once, and only the log is stored

Run: TypeAlias = Callable[[Sequence[str]], int]
"""Run the words of an affray command, print its output, and return its status."""
Say: TypeAlias = Callable[[str], object]
KEY: Final = re.compile(r"\d{1,4}")


class Session:
    """One fight, held open. `left` is true after leaving the prompt; `status` is that of the last line."""

    def __init__(
        self,
        opened: Callable[[], AbstractContextManager[Store]],
        db: str,
        *,
        run: Run,
        say: Say,
        commands: Iterable[str] = (),
        asks: bool = False,
        author: str = "GM",
        width: Callable[[], int] = lambda: 80,
    ) -> None:
        """Hold the fight of the file `db`, which `opened` reads; with `asks` every choice is asked."""
        self.opened, self.db, self.run, self.say, self.width = opened, db, run, say, width
        self.commands, self.asks, self.author = tuple(commands), asks, author
        self.left, self.status = False, 0
        self.typed_ahead = False
        """Whether further lines are typed already: nothing may wait for a key then."""
        self._keys: list[AnyAct] = []
        self._which: Which | None = None

    @property
    def now(self) -> Moment:
        """The current fight in the log."""
        with self.opened() as store:
            return Moment(store)

    @property
    def asked(self) -> str:
        """The prompt's own question, which the next line answers; "" if there is none."""
        which = self._which
        if which is None:
            return ""
        return " ".join((which.question, *(f"{key} {told}" for key, (told, _) in which.choices.items())))

    def prompt(self, now: Moment) -> str:
        """Return the prompt's text: the pending question, or whose turn it is."""
        if self._which is not None:
            return f"{self.asked} > "
        question = now.state.pending
        if question is not None:
            return f"{now.cast.name(question.who)}: {format_question(question, now)} > "
        return f"{now.cast.name(now.state.active)} > " if now.state.active else "> "

    def type(self, text: str) -> None:
        """Execute typed lines, separated by semicolons, up to the first that fails."""
        for line in split_typed_lines(text):
            self.status = 0
            try:
                self._line(line)
            except AffrayError as error:
                self.say(f"affray: {error}")
                self.status = 2
            if self.status or self.left:
                return

    def give_up(self) -> None:
        """Drop the prompt's own question: nothing is declared."""
        self._which = None

    def _line(self, line: str) -> None:
        if self._which is not None:
            self._press(line, self._which)
            return
        if line in LEAVING:
            self.left = True
        elif line == "map":
            self._run(("show", DB))
        elif re.fullmatch(r"add( +[^- ].*)?", line):
            self._add(line.split()[1:])
        elif line in HELPING:
            for row in HELP:
                self.say(row)
        elif words := self._command(line):
            self._run(words)
        else:
            self._say(line)

    def _command(self, line: str) -> tuple[str, ...]:
        """Return the words of a command of affray that is typed by its name, () for a sentence."""
        if line[:1] in "?/{":
            return ()
        first, *rest = split_words(line)
        if first in self.commands and first not in REQUESTS:
            return (first, *rest) if first in ELSEWHERE else (first, DB, *rest)
        if SHARED & {*rest} and first not in REQUESTS:
            return ("do", DB, first, *rest)
        return ()

    def _add(self, words: Sequence[str]) -> None:
        """Add combatants with an included sheet of the dialect: `add goblin 10,4`, `add goblin x3`."""
        with self.opened() as store:
            entries = list(entries_of(Moment(store), words))
        for entry in entries:
            self._run(entry)
            if self.status:
                return

    def _say(self, line: str) -> None:
        """Carry out a line of the short language, a key, or a look at what is allowed."""
        with self.opened() as store:
            now = Moment(store)
            question = now.state.pending
            if line.startswith("?"):
                if question is not None:
                    self.say(format_question(question, now))
                else:
                    self._list(now, line[1:].strip())
                return
            if KEY.fullmatch(line) and not (question and find_answer(line, question)):
                self._run(command_of(Declaration(self._keyed(int(line))), "", ""))
                return
            try:
                meaning = now.meaning(line)
            except Several as several:
                choices = {str(key): choice for key, choice in enumerate(several.choices, 1)}
                self._which = Which(several.question, choices)
                return
            # If one die of an act is physical, all dice of that act are.
            by_hand_once = isinstance(meaning, Answer) and question is not None and question.notation
            manual = ("--manual",) * bool(by_hand_once and not by_hand(store))
            if isinstance(meaning, Declaration) and self._asks_first(now, meaning):
                return
            words = command_of(meaning, now.state.dialect, self.author)
        self._run((*words, *manual))

    def _asks_first(self, now: Moment, declared: Declaration) -> bool:
        """Ask before a path that provokes, and before the end of the fight; print the cost of a typed path.

        Raises Unclear for a path that the rules refuse.
        """
        found = foresee(now.fight, declared)
        if found.refused and (declared.own or isinstance(declared.act, acts.Charge | acts.Overrun)):
            path, refused = [*getattr(declared.act, "path", ())], now.cast.prose(found.refused)
            alone = isinstance(declared.act, acts.Move) and len(path) == 1
            raise Unclear(f"a move does not lead to {square(path[0])}: {refused}" if alone else refused)
        cost = now.cast.prose(found.cost)
        if isinstance(declared.act, acts.Close):
            question = "close the fight, which ends it and reveals its dice:"
            self._which = Which(question, {"y": ("close", declared), "n": ("play on", None)})
            return True
        if found.past:
            choices: dict[str, tuple[str, Declaration | None]] = {"y": ("go", declared)}
            if found.around is not None:
                choices["a"] = ("around", Declaration(found.around))
            choices["n"] = ("stay", None)
            past = " and ".join(now.cast.name(id) for id in found.past)
            self._which = Which(f"{cost}, provokes from {past}:", choices)
        elif declared.own:
            self.say(cost)
        return bool(found.past)

    def _press(self, line: str, which: Which) -> None:
        """Take the answer to the prompt's own question; any other line drops the question."""
        self._which = None
        if line not in which.choices:
            self._line(line)
        elif (declared := which.choices[line][1]) is not None:
            self._run(command_of(declared, "", self.author))

    def _run(self, words: Sequence[str]) -> None:
        """Run a command of affray on the fight."""
        words = (*(self.db if word == DB else word for word in words),)
        declares = words[0] in ("do", "choose")
        words += ("--ask",) * (self.asks and declares and "--ask" not in words)
        if self.asks and words[0] == "auto" and "--policy" not in words:
            words += ("--policy", "ask")
        if declares or words[0] == "auto":
            self._keys = []
        self.status = self.run((*["--no-pager"] * self.typed_ahead, *words))

    def _keyed(self, key: int) -> AnyAct:
        if not 1 <= key <= len(self._keys):
            raise Unclear(f"there is no key {key} now: ? lists the keys")
        return self._keys[key - 1]

    def _list(self, now: Moment, kind: str) -> None:
        """Print the allowed acts by kind, with keys; ?? [ACT] the refused ones; ? m the squares in reach."""
        found = shown(legal(now.fight, now.actor), now.state)
        if kind.startswith("?"):
            self._list_closed(found, kind[1:].strip())
            return
        if kind in ("m", "move"):
            for row in (
                *draw_reach_map(now.state, found.ways, now.cast.letters),
                *yield_provoked(found.ways),
            ):
                self.say(row)
            self.say(f"by cost in squares; {PAST} provokes")
            return
        self._keys = keyed(found, kind)
        for row in yield_menu_rows(self._keys, now.cast, self.width(), all_of_them=bool(kind)):
            self.say(row)
        if not kind:
            if left := describe_left(found.left, now.cast.words):
                for row in wrapped(f"left: {left}", self.width(), "  ", "    "):
                    self.say(row)
            for row in self._besides(
                found.ways, found.not_all, len([*filter(is_act_itself_refused, found.closed)])
            ):
                self.say(row)
        elif not self._keys:
            self._print_unlisted_acts(found, kind)

    def _print_unlisted_acts(self, found: Legal, kind: str) -> None:
        """Print how to declare allowed acts without keys. Raises Unclear if there are none."""
        led = Counter(name_of(act) for act in found.open if name_of(act).startswith(kind))
        words = [name for name in found.not_all if name.startswith(kind) and name not in led]
        for name, count in led.items():
            self.say(f"  {name}: allowed, to {counted(count, 'square')} ({name} SQUARE)")
        for name in words:
            self.say(f"  {name}: allowed, with details ({name} --help)")
        for name in (*led, *words):
            for said in EXAMPLES.get(name, ()):
                self.say(f"    {said}")
        if led or words:
            return
        if any(shut.kind.startswith(kind) for shut in found.closed):
            raise Unclear(f"no act that begins with {kind!r} is allowed now (?? {kind} shows why)")
        raise Unclear(f"no act that begins with {kind!r} is allowed now: {explain_unlisted_act(kind)}")

    def _list_closed(self, found: Legal, kind: str) -> None:
        """Print refused acts with reasons: those that begin with a word, or all that need no target."""
        for shut in found.closed:
            if is_act_itself_refused(shut) and shut.kind.startswith(kind):
                why = f"{shut.reason} ({shut.rule})"
            elif kind and shut.kind.startswith(kind):
                why = f"name a target or a weapon ({shut.kind} --help)"
            else:
                continue
            for row in wrapped(f"{shut.kind}: {why}", self.width(), "  ", "    "):
                self.say(row)
        if kind and not any(shut.kind.startswith(kind) for shut in found.closed):
            if keyed(found, kind):
                raise Unclear(f"{kind} is allowed: ? {kind} lists the choices")
            self._print_unlisted_acts(found, kind)

    def _besides(self, ways: Sequence[object], more: Sequence[str], closed: int) -> Iterator[str]:
        if ways:
            yield f"  m SQUARE: {counted(len(ways), 'square')} in reach (? m shows them)"
        if more:
            yield from wrapped(f"with more details: {', '.join(more)}", self.width(), "  ", "    ")
        yield f"  refused now: {counted(closed, 'other act')} (?? shows why)"


def explain_unlisted_act(kind: str) -> str:
    """Return the message for acts without a list: those of the game master, and unknown ones."""
    masters = [name for name, act in ACTS.items() if name.startswith(kind) and is_masters(act)]
    if masters:
        return f"the game master declares {', '.join(sorted(masters))} ({min(masters)} --help)"
    return f"no act begins with {kind!r}"


def is_masters(act: type[Act]) -> bool:
    """Return whether only the game master makes a declaration."""
    return act.declared_by == "game master"


def is_act_itself_refused(shut: Closed) -> bool:
    """Return whether an act itself was refused, not a missing target or weapon."""
    return not any(left_out in shut.reason for left_out in ("''", UNNAMED, " knows no '"))


def format_question(question: Question, now: Moment) -> str:
    """Return a question of the fight with keys for its options."""
    options = " ".join(f"{key} {option}" for key, option in enumerate(question.options, 1))
    return " ".join(filter(None, (now.cast.prose(question.question), options)))


__all__ = ["Moment", "Session", "split_typed_lines"]
