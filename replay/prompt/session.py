"""A session at the prompt: line after line, each carried out at once, nothing kept that is not in the log."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Final, TypeAlias

from affray.engine.book.card import wrapped
from affray.engine.dice import parse
from affray.engine.dice.notation import Dice
from affray.engine.table.dice import by_hand
from affray.engine.table.legal import Closed, Legal, legal
from affray.events.codec import encode
from affray.events.errors import UNNAMED, AffrayError
from affray.events.facts.base import Act
from affray.events.facts.declared import AnyAct
from affray.events.store import Store
from affray.events.wording import counted
from affray.projections.state import Question
from affray.replay.act_words import ACTS
from affray.replay.options_told import PAST, past_told, reach_map
from affray.replay.prompt.meant import DB, Command, Leave, Meant, Told, Unclear, Which
from affray.replay.prompt.menu import keyed, menu_rows, name_of
from affray.replay.prompt.moment import Moment
from affray.replay.prompt.shorthand import Shorthand

Run: TypeAlias = Callable[[Sequence[str]], int]
"""Carries out the words of a command of affray, prints what it prints, and returns its status."""
Say: TypeAlias = Callable[[str], object]
KEY: Final = re.compile(r"\d{1,4}")


class Session:
    """One fight, held open. `left` says that the prompt was left, `status` how the last line ended."""

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
        """Hold the fight in the file `db`, which `opened` reads; with `asks` every choice is asked."""
        self.opened, self.db, self.run, self.say, self.width = opened, db, run, say, width
        self.commands, self.asks, self.author = tuple(commands), asks, author
        self.left, self.status = False, 0
        self._keys: list[AnyAct] = []
        self._which: Which | None = None

    @property
    def now(self) -> Moment:
        """The fight as it stands in the log."""
        with self.opened() as store:
            return Moment(store)

    @property
    def asked(self) -> str:
        """A question of the prompt's own that the next line answers, "" where there is none."""
        which = self._which
        if which is None:
            return ""
        return " ".join((which.question, *(f"{key} {told}" for key, (told, _) in which.choices.items())))

    def prompt(self, now: Moment) -> str:
        """Return what stands before what is typed: what is waited for, or whose turn it is."""
        if self._which is not None:
            return f"{self.asked} > "
        question = now.state.pending
        if question is not None:
            return f"{now.cast.name(question.who)}: {question_told(question, now)} > "
        return f"{now.cast.name(now.state.active)} > " if now.state.active else "> "

    def type(self, text: str) -> None:
        """Carry out what was typed: lines with semicolons between them, up to the first that is not good."""
        for line in lines_typed(text):
            self.status = 0
            try:
                self._line(line)
            except AffrayError as error:
                self.say(f"affray: {error}")
                self.status = 2
            if self.status or self.left:
                return

    def give_up(self) -> None:
        """Leave a question of the prompt's own unanswered: nothing is declared."""
        self._which = None

    def _line(self, line: str) -> None:
        if self._which is not None:
            self._pressed(line, self._which)
            return
        with self.opened() as store:
            now = Moment(store)
            question = now.state.pending
            if line.startswith("?"):
                if question is not None:
                    self.say(question_told(question, now))
                else:
                    self._list(now, line[1:].strip())
                return
            if question is not None and (answer := _answer(line, question)):
                # Who throws the dice of one act by hand throws all of that act.
                by_hand_once = bool(question.notation) and not by_hand(store)
                meant: Meant = Command(("choose", DB, answer, *("--manual",) * by_hand_once))
            elif KEY.fullmatch(line):
                meant = self._keyed(int(line))
            else:
                meant = Shorthand(now, self.commands, self.author).meant(line)
        self._do(meant)

    def _pressed(self, line: str, which: Which) -> None:
        """Take the answer to a question of the prompt's own; any other line leaves it unanswered."""
        self._which = None
        if line in which.choices:
            meant = which.choices[line][1]
            if meant is not None:
                self._do(meant)
            return
        self._line(line)

    def _do(self, meant: Meant) -> None:
        match meant:
            case Leave():
                self.left = True
            case Told():
                for row in meant.rows:
                    self.say(row)
            case Which():
                self._which = meant
            case Command():
                self._carry_out(meant)

    def _carry_out(self, command: Command) -> None:
        """Run the command; the faces that were typed along answer the rolls that it waits for."""
        for row in command.told:
            self.say(row)
        words = tuple(self.db if word == DB else word for word in command.words)
        declares = words[0] in ("do", "choose")
        words += ("--ask",) * (self.asks and declares) + ("--manual",) * bool(command.faces)
        if self.asks and words[0] == "auto" and "--policy" not in words:
            words += ("--policy", "ask")
        if declares or words[0] == "auto":
            self._keys = []
        self.status = self.run(words)
        faces = list(command.faces)
        while faces and not self.status:
            with self.opened() as store:
                question = Moment(store).state.pending
            if question is None or not question.notation:
                raise Unclear(f"{counted(len(faces), 'die', 'dice')} too many: {', '.join(map(str, faces))}")
            many = dice_in(question.notation)
            given, faces = faces[:many], faces[many:]
            said = ("choose", self.db, ",".join(map(str, given)), "--manual")
            self.status = self.run((*said, "--ask") if self.asks else said)

    def _keyed(self, key: int) -> Meant:
        if not 1 <= key <= len(self._keys):
            raise Unclear(f"there is no key {key} now: ? lists what is open")
        return Command(("do", DB, encode(self._keys[key - 1]).decode()))

    def _list(self, now: Moment, kind: str) -> None:
        """Print what is open, by kind, with keys; ?? [ACT] what is refused; ? m the squares in reach."""
        found = legal(now.fight, now.actor)
        if kind.startswith("?"):
            self._list_closed(found, kind[1:].strip())
            return
        if kind in ("m", "move"):
            for row in (*reach_map(now.state, found.ways, now.cast.letters), *past_told(found.ways)):
                self.say(row)
            self.say(f"by what they cost in squares; {PAST} passes somebody who may strike")
            return
        self._keys = keyed(found, kind)
        for row in menu_rows(self._keys, now.cast, self.width(), all_of_them=bool(kind)):
            self.say(row)
        if not kind:
            for row in self._besides(found.ways, found.not_all, len([*filter(names_all, found.closed)])):
                self.say(row)
        elif not self._keys:
            self._say_unlisted(found, kind)

    def _say_unlisted(self, found: Legal, kind: str) -> None:
        """Say how acts are declared that are open and have no keys. Raises Unclear where none begins so."""
        led = Counter(name_of(act) for act in found.open if name_of(act).startswith(kind))
        words = [name for name in found.not_all if name.startswith(kind) and name not in led]
        for name, count in led.items():
            self.say(f"  {name}: open, to {counted(count, 'square')} ({name} SQUARE)")
        for name in words:
            self.say(f"  {name}: open, in words of your own ({name} --help)")
        if led or words:
            return
        if any(shut.kind.startswith(kind) for shut in found.closed):
            raise Unclear(f"nothing that begins with {kind!r} is open now (?? {kind} says why not)")
        raise Unclear(f"nothing that begins with {kind!r} is open now: {not_asked(kind)}")

    def _list_closed(self, found: Legal, kind: str) -> None:
        """Print what is refused and why: of the acts that begin so, or of all that name what they are at."""
        for shut in found.closed:
            if names_all(shut) and shut.kind.startswith(kind):
                why = f"{shut.reason} ({shut.rule})"
            elif kind and shut.kind.startswith(kind):
                why = f"say at whom, or with what ({shut.kind} --help)"
            else:
                continue
            for row in wrapped(f"{shut.kind}: {why}", self.width(), "  ", "    "):
                self.say(row)
        if kind and not any(shut.kind.startswith(kind) for shut in found.closed):
            if keyed(found, kind):
                raise Unclear(f"{kind} is open: ? {kind} lists what there is")
            self._say_unlisted(found, kind)

    def _besides(self, ways: Sequence[object], more: Sequence[str], closed: int) -> Iterator[str]:
        if ways:
            yield f"  m SQUARE: {counted(len(ways), 'square')} in reach (? m shows them)"
        if more:
            yield from wrapped(f"more can be said of: {', '.join(more)}", self.width(), "  ", "    ")
        yield f"  refused now: {counted(closed, 'other act')} (?? says why)"


def not_asked(kind: str) -> str:
    """Return what is said of acts that nobody is asked about: those of the game master, and none at all."""
    masters = [name for name, act in ACTS.items() if name.startswith(kind) and is_masters(act)]
    if masters:
        return f"the game master declares {', '.join(sorted(masters))} ({min(masters)} --help)"
    return f"no act begins with {kind!r}"


def is_masters(act: type[Act]) -> bool:
    """Say whether the game master alone makes a declaration."""
    return act.declared_by == "game master"


def names_all(shut: Closed) -> bool:
    """Say whether an act was refused for what it is, and not for the name of a target or thing left out."""
    return not any(left_out in shut.reason for left_out in ("''", UNNAMED, " knows no '"))


def question_told(question: Question, now: Moment) -> str:
    """Return a question of the fight with keys for its options."""
    options = " ".join(f"{key} {option}" for key, option in enumerate(question.options, 1))
    return " ".join(filter(None, (now.cast.prose(question.question), options)))


def dice_in(notation: str) -> int:
    """Return how many dice somebody throws for a roll."""
    return sum(term.count for term in parse(notation).terms if isinstance(term, Dice))


def _answer(line: str, question: Question) -> str:
    """Return the answer that a line gives to a question, "" if it is something else."""
    if question.notation:
        return ",".join(line.replace(",", " ").split()) if re.fullmatch(r"[\d, ]+", line) else ""
    if KEY.fullmatch(line) and line not in question.options and 1 <= int(line) <= len(question.options):
        return question.options[int(line) - 1]
    if line in question.options or not question.options:
        return line
    begun = [option for option in question.options if option.casefold().startswith(line.casefold())]
    return begun[0] if len(begun) == 1 else ""


def lines_typed(text: str) -> Iterator[str]:
    """Yield the lines that stand in one, apart by semicolons outside of quotes and of braces.

    A brace that is never closed takes the rest along.
    """
    for part in re.findall(r"""(?:"[^"]*"|'[^']*'|\{(?:.*\}|.*)|[^;])+""", text):
        if part.strip():
            yield part.strip()
