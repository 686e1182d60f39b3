"""A prompt that holds a fight open: short words for what is declared, answered, explained and ruled."""

import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from msgspec import Struct

from affray.engine.book.card import wrapped
from affray.engine.dice import parse
from affray.engine.dice.notation import Dice
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import Square
from affray.engine.record.chapters import known_conditions
from affray.engine.rules.mounted.riding import mount_of
from affray.engine.table.dice import by_hand
from affray.engine.table.legal import (
    Closed,
    Legal,
    Price,
    ReachablePath,
    judged,
    legal,
    price,
    ways,
    with_a_way,
)
from affray.events.codec import decode, encode
from affray.events.envelope import Event
from affray.events.errors import UNNAMED, AffrayError, counted, did_you_mean, square
from affray.events.facts import acts
from affray.events.facts.base import Act
from affray.events.facts.flow import AnyAct
from affray.events.stores.store import Store
from affray.projections.state import Combatant, Encounter, Question
from affray.replay.act_words import ACTS
from affray.replay.log.declarations import decides
from affray.replay.log.playhead import Playhead
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.text.cast import Cast
from affray.replay.text.options import PAST, draw_reach_map, keyed, name_of, yield_menu_rows, yield_provoked

# --- What a typed line can mean: a command to run, a question back, rows to read, leaving


class Unclear(AffrayError):
    """The line cannot be understood."""


def only(found: Sequence[str], several: str, none: str) -> str:
    """Return the only one that a word could mean. Raises Unclear for several, which are listed, or none."""
    if len(found) != 1:
        raise Unclear(f"{several}: {', '.join(found)}" if found else none)
    return found[0]


DB: Final = "\0"
"""What stands for the file of the fight in the words of a command."""


class Command(Struct, frozen=True):
    """The words of a command as `affray` takes them, and the faces of dice thrown on the table for it.

    `told` are rows to read before it is carried out.
    """

    words: tuple[str, ...]
    faces: tuple[int, ...] = ()
    told: tuple[str, ...] = ()


class Which(Struct, frozen=True):
    """A question before anything is declared: what each key would do, and how it is called."""

    question: str
    choices: Mapping[str, tuple[str, "Meant | None"]]


class PrintedRows(Struct, frozen=True):
    """Rows to read; nothing is declared."""

    rows: tuple[str, ...]


class Leave(Struct, frozen=True):
    """The prompt is left; the fight stays as it is."""


Meant: TypeAlias = Command | Which | PrintedRows | Leave


# --- The fight as the prompt sees it before a line is typed: state, names, and what was decided last

MOST_BACK = 400
"""So many events from the end the last outcome is looked for."""


class Moment:
    """The end of the main line. The state must not be written."""

    def __init__(self, store: Store) -> None:
        """Read where the fight stands. O(events since a checkpoint)."""
        playhead = Playhead(store)
        self.state: Encounter = playhead.seek("end")
        self.branch, self.seq = playhead.branch, playhead.last
        self.cast = Cast.of(self.state)
        self._store = store
        self._fight: Fight | None = None

    @property
    def fight(self) -> Fight:
        """The fight as the rules see it; made when it is first asked for."""
        if self._fight is None:
            self._fight = make_fight_context(self.state, None)
        return self._fight

    @property
    def actor(self) -> Combatant:
        """Whose turn it is. Raises Unclear where nobody's is running."""
        actor = self.state.combatants.get(self.state.active)
        if actor is None:
            raise Unclear("nobody's turn is running" + ("" if self.state.begun else ": b begins the fight"))
        return actor

    def outcomes(self) -> Iterator[Event]:
        """Yield the latest events that numbers or rules explain, the last first."""
        events = list(self._store.read(self.branch, max(0, self.seq - MOST_BACK), self.seq))
        yield from (event for event in reversed(events) if decides(decode(event)))

    def called(self, word: str) -> list[str]:
        """Return the ids that a word means: by id or name or the beginning of one, else by the letter."""
        people = self.state.combatants
        names = {id: (id.casefold(), *self.cast.name(id).casefold().split()) for id in people}
        whole = word.casefold()
        exact = [id for id in people if whole in (names[id][0], self.cast.name(id).casefold())]
        some = exact or [id for id in people if any(name.startswith(whole) for name in names[id])]
        return some or [id for id in people if self.cast.letters[id] == word]

    def find_id_by_word(self, word: str, of: Iterable[str] = ()) -> str:
        """Return the one id that a word means, of those given if that decides. Raises Unclear."""
        found = self.called(word)
        some = [id for id in found if id in (*of,)] or found
        meant = did_you_mean(word, [self.cast.name(id) for id in self.state.combatants])
        return only(some, f"{word!r} begins several names", f"nobody here is called {word!r}{meant}")

    def fact_of(self, seq: int) -> object:
        """Return the fact of an event of the line."""
        return decode(next(iter(self._store.read(self.branch, seq - 1, seq))))


# --- A way of one's own at the prompt: priced before it is declared, and asked about where it is struck at

SQUARE: Final = re.compile(r"(-?\d{1,4}),(-?\d{1,4})")
ALONG: Final[Mapping[str, type[acts.Move | acts.Withdraw | acts.Run | acts.Charge]]] = MappingProxyType(
    {"move": acts.Move, "withdraw": acts.Withdraw, "run": acts.Run, "charge": acts.Charge}
)
"""Movements by their names that go along squares of one's own."""
STRAIGHT: Final[Mapping[str, type[acts.Charge | acts.Overrun]]] = MappingProxyType(
    {"charge": acts.Charge, "overrun": acts.Overrun}
)
"""Those that go straight at somebody: their way is found where the target alone is named."""


def square_of(word: str) -> Square:
    """Return the square that a word names. Raises Unclear."""
    found = SQUARE.fullmatch(word)
    if found is None:
        raise Unclear(f"{word!r} is no square: write it as 4,1")
    return int(found[1]), int(found[2])


def apart(words: Sequence[str]) -> list[str]:
    """Return the words with each square for itself: `4,1>5,2` is two."""
    return [part for word in words for part in (word.split(">") if "," in word else [word]) if part]


def parse_path_movement(now: Moment, name: str, words: Sequence[str]) -> Meant | None:
    """Return what a movement along squares means, None where the words are no such thing.

    A charge names its target first, and no squares where the rules may find them. Raises Unclear where they
    refuse the way.
    """
    if name in STRAIGHT and len(words) == 1 and now.called(words[0]):
        act: AnyAct = STRAIGHT[name](actor=now.actor.id, target=now.find_id_by_word(words[0]))
        return walked(now, price(now.fight, with_a_way(now.fight, act)), own=False)
    some, target = apart(words), ""
    if name == "charge" and some:
        target, *some = some
    if name not in ALONG or not some or not all(map(SQUARE.fullmatch, some)):
        return None
    path, actor = tuple(map(square_of, some)), now.actor.id
    if name == "charge":
        act = acts.Charge(actor=actor, target=now.find_id_by_word(target), path=path)
    else:
        act = ALONG[name](actor=actor, path=path)
    return walked(now, price(now.fight, act))


def walked(now: Moment, found: Price, *, own: bool = True) -> Meant:
    """Return what declares a way, asked about first where it gives somebody an opening.

    What a way of one's `own` costs is told at once.
    """
    if found.refused:
        raise Unclear(f"{now.cast.prose(found.refused)} ({found.rule})")
    told = told_of(now, found)
    going = ("do", DB, encode(found.act).decode())
    if not found.past:
        return Command(going, told=(told,) if own else ())
    past = " and ".join(now.cast.name(id) for id in found.past)
    choices = {"y": ("go", Command(going)), "n": ("stay", None)}
    return Which(f"{told}, past {past}, who may strike:", choices)


def told_of(now: Moment, found: Price) -> str:
    """Return what a way costs and leaves, and on what the rest of it depends."""
    parts = [
        f"{found.feet} ft." if found.feet is not None else "",
        f"{found.left} left" if found.left is not None else "",
        f"the rest depends on: {now.cast.prose(found.depends)}" if found.depends else "",
    ]
    return ", ".join(filter(None, parts))


# --- The word `rule` at the prompt: what is so from now on, or a ruling on what was decided
#
# Hit points, a condition, a place or an initiative hold from now on; nothing is decided again. The past
# changes only where an event is named, or where the sums of the last outcome are ruled on.

OUTCOMES: Final = frozenset({"hit", "miss", "success", "failure"})
EVENT: Final = re.compile(r"\d+|r\d+(\.t\d+)?")
_SET: Final = re.compile(r"(?P<who>.+)\.(?P<what>hp|initiative)(?P<value>=-?\d{1,6}|[+-]\d{1,6})")
_PLACE: Final = re.compile(r"(?P<who>.+)\.at=(?P<value>-?\d{1,4},-?\d{1,4})")
_CONDITION: Final = re.compile(r"(?P<who>[^.=]+?)(?P<sign>[+-])(?P<name>[A-Za-z][\w -]*)")
_FLAGS: Final = {"+": "--gains", "-": "--loses"}


def rule(now: Moment, words: Sequence[str], author: str) -> Command:
    """Return what a ruling means in words of commands. Raises Unclear."""
    at, said = "", list(words)
    if said and EVENT.fullmatch(said[0]):
        at = said.pop(0)
    if not said:
        raise Unclear("rule what? rule cover +4, rule hit, rule gharm.hp=5, rule 38 gharm.hp=5")
    if not at and (found := parse_onward_ruling(now, said)):
        return Command(("do", DB, "fiat", *found, "--by", author))
    ruled = Ruled(now, at)
    changes = [part for change in ruled.changes(said) for part in ("--change", change)]
    by = ("--by", author, "--text", " ".join(said))
    return Command(("ruling", DB, "amend", "--at", at or str(ruled.last()), *changes, *by, "--promote"))


def parse_onward_ruling(now: Moment, words: Sequence[str]) -> tuple[str, ...]:
    """Return whom and what words set from now on, () where they rule on an outcome.

    Raises Unclear where they do both, or set something of several.
    """
    found = [setting(now, word) for word in words]
    if not any(found):
        return ()
    if not all(found):
        raise Unclear(
            "some of that holds from now on, some changes the last outcome: rule the one, then the other"
        )
    whom = {one[0] for one in found}
    if len(whom) > 1:
        raise Unclear(f"from now on one at a time: {'; '.join(f'rule {word}' for word in words)}")
    return (*whom, *(part for one in found for part in one[1:]))


def setting(now: Moment, word: str) -> tuple[str, ...]:
    """Return whom and what a word sets from now on, () for any other word. Raises Unclear."""
    if found := _SET.fullmatch(word):
        who = now.find_id_by_word(found["who"])
        value = found["value"].removeprefix("=")
        if not found["value"].startswith("="):  # by so much more or less than now
            one = now.state.combatants[who]
            value = str(int(value) + (one.hp if found["what"] == "hp" else one.initiative))
        return who, f"--{found['what']}", value
    if found := _PLACE.fullmatch(word):
        return now.find_id_by_word(found["who"]), "--at", found["value"]
    if found := _CONDITION.fullmatch(word):
        who = now.find_id_by_word(found["who"])
        return who, _FLAGS[found["sign"]], find_condition_by_word(now, found["name"])
    return ()


def find_condition_by_word(now: Moment, word: str) -> str:
    """Return the condition of the rulebook that a word names or begins; the word itself for no single one."""
    known = known_conditions(now.fight.dialect)
    begun = [name for name in known if name.startswith(word.casefold())]
    return word if word in known or len(begun) != 1 else begun[0]


class Ruled:
    """What a ruling is about: the event that is named, or else the last that dice have decided."""

    def __init__(self, now: Moment, at: str = "") -> None:
        """Rule on an event, or on the last outcome without one."""
        self.now, self.at = now, at

    def changes(self, words: Sequence[str]) -> Iterable[str]:
        """Yield changes in the grammar of rulings: `cover +4` is the target's defense in the attack."""
        left = list(words)
        while left:
            word = left.pop(0)
            if word in OUTCOMES:
                yield f"{self._roll()}={word}"
            elif left and re.fullmatch(r"[+-]\d{1,3}", left[0]):
                yield f"{self._defense()}{left.pop(0)}:{word}"
            else:
                yield word

    def last(self) -> int:
        """Return the event of the last outcome that dice have decided. Raises Unclear."""
        return next(self.decided())[0]

    def decided(self) -> Iterator[tuple[int, Any]]:
        """Yield (position, fact) of what dice decided in the last declaration that threw any, the last first.

        Of an event that is named, that one alone. Raises Unclear where there is none.
        """
        if self.at:
            if not self.at.isdecimal() or not 1 <= int(self.at) <= self.now.seq:
                raise Unclear(f"{self.at} is no event of an attack or a check: log tells their numbers")
            yield int(self.at), self.now.fact_of(int(self.at))
            return
        cause = 0
        for event in self.now.outcomes():
            fact = self.now.fact_of(event.seq)
            if getattr(fact, "key", "") and cause in (0, event.cause):
                cause = event.cause
                yield event.seq, fact
        if not cause:
            raise Unclear("no dice have decided anything yet")

    def _defense(self) -> str:
        """Return the figure that a modifier by itself is on: the defense of the last one attacked."""
        target = next((fact.target for _, fact in self.decided() if getattr(fact, "target", "")), "")
        if not target:
            raise Unclear("the last outcome was no attack: say on what, as in rule ysolde.save.ref+2")
        return f"{target}.defense"

    def _roll(self) -> str:
        key = next((fact.key for _, fact in self.decided() if hasattr(fact, "natural")), "")
        if not key:
            raise Unclear("the last outcome came of no roll that can be ruled a hit or a success")
        return str(key)


# --- Short words at the prompt: what each means in the fight as it stands
#
# Nothing is decided here: a line becomes the words of a command of affray, which the rules then judge.

FACE: Final = re.compile(r"\d{1,4}")

HELP: Final = (
    "a [TARGET] [WEAPON] [FACES]  attack; the faces of dice thrown on the table: a gharm 17 5",
    "fa [TARGET] [FACES]          full attack",
    "m SQUARE                     move there by the best way: m 4,1",
    "m SQUARE SQUARE ...          move along a way of your own: m 4,1 4,2 5,3",
    "s SQUARE                     a step of 5 feet",
    "c SPELL [TARGET | SQUARE]    cast: c fireball 6,3",
    "b, e                         begin the fight, end the turn",
    "auto [WHOM]                  tactics play this turn, or on as long as it is theirs: auto monsters",
    "? [ACT]                      what is open now, with keys; ?? [ACT] what is refused, and why",
    "1, 2, 3                      press a key of a list, or answer what the fight waits for",
    "u [N], redo                  take back what was done last, rulings first; bring it again",
    "w [EVENT | TURN]             explain the last outcome, or another one",
    "rule cover +4, rule hit      settle the last outcome, and see what that changes",
    "rule 38 gharm.hp=5           change what was decided at an event, and all that came of it",
    "rule gharm.hp=5, gharm+prone set hit points, a condition, a place, an initiative from now on",
    "odds, odds win               how likely the last outcome was; how the fight will end",
    "/ WORDS                      search the rules",
    "ACT ...                      any declaration by its name or the beginning of it: trip gharm",
    "COMMAND ...                  any command of affray on this fight: log --from r2, verify",
    "q                            leave; the fight stays as it is",
    "Names may be cut short; several lines in one: m 4,1; a gharm; e",
)


class Shorthand:
    """What lines mean at one moment of a fight."""

    def __init__(self, moment: Moment, commands: Iterable[str], author: str) -> None:
        """Read lines at this moment; `commands` are those of affray, `author` is who rules."""
        self.now, self.commands, self.author = moment, (*commands,), author

    def meant(self, line: str) -> Meant:
        """Return what a line means. Raises Unclear."""
        line = line.strip()
        if line.startswith("/"):
            return Command(("rules", self.now.state.dialect, "--search", line[1:].strip()))
        try:
            first, *rest = shlex.split(line)
        except ValueError as error:
            raise Unclear(f"{line}: {error}") from None
        if first in SHORT:
            meant = SHORT[first]
            if isinstance(meant, Command):
                return Command((*meant.words, *rest))
            return meant(self, rest) if callable(meant) else meant
        if first in self.commands:
            return Command((first, DB, *rest) if first not in ELSEWHERE else (first, *rest))
        act = self._act(first)
        return parse_path_movement(self.now, act, rest) or Command(("do", DB, act, *self._named(rest)))

    def _act(self, word: str) -> str:
        """Return the act that a word names or begins; one that the dialect plays if that decides."""
        if word in ACTS:
            return word
        begun = sorted(name for name in ACTS if name.startswith(word))
        played = {str(kind.__struct_config__.tag) for kind in self.now.fight.dialect.acts}
        some = [name for name in begun if name in played] or begun
        meant = did_you_mean(word, [*SHORT, *ACTS, *self.commands])
        unknown = f"there is no word {word!r} here{meant} (h lists what there is)"
        return only(some, f"{word!r} begins several acts", unknown)

    def _named(self, words: Sequence[str]) -> list[str]:
        """Return the words with ids in place of beginnings of names; options and squares as they are."""
        found = []
        for word in words:
            called = [] if word.startswith("-") or SQUARE.fullmatch(word) else self.now.called(word)
            found.append(called[0] if len(called) == 1 else word)
        return found

    def attack(self, words: Sequence[str]) -> Meant:
        """One attack: on the only target there is, unless one is named."""
        return self._struck(acts.Attack, words)

    def full_attack(self, words: Sequence[str]) -> Meant:
        """A full attack, all of it at one target."""
        return self._struck(acts.FullAttack, words)

    def _struck(self, kind: type[acts.Attack | acts.FullAttack], words: Sequence[str]) -> Meant:
        actor, faces = self.now.actor, tuple(int(word) for word in words if FACE.fullmatch(word))
        named = [word for word in words if not FACE.fullmatch(word)]
        name = str(kind.__struct_config__.tag)
        open_to = self._targets(actor)
        weapon: tuple[str, ...] = ()
        if named:
            target = self.now.find_id_by_word(named[0], open_to)
            if len(named) > 1:
                if kind is acts.FullAttack:
                    raise Unclear("fa takes a target; the weapons of each strike: full-attack --help")
                weapon = ("--weapon", one_of(named[1:], [one.name for one in actor.sheet.weapons], "weapon"))
        elif len(open_to) == 1:
            target = open_to[0]
        elif not open_to:
            raise Unclear("nobody can be attacked from here with what is in hand: name a target to hear why")
        else:
            choices = {
                str(key): (self.now.cast.name(id), Command(("do", DB, name, id), faces))
                for key, id in enumerate(open_to, 1)
            }
            return Which("whom?", choices)
        return Command(("do", DB, name, target, *weapon), faces)

    def _targets(self, actor: Combatant) -> list[str]:
        """Return the opponents at whom the usual weapon may be aimed: those who stand, if any do."""
        foes = [one for one in self.now.state.combatants.values() if one.side != actor.side]
        found, _ = judged(self.now.fight, [acts.Attack(actor=actor.id, target=one.id) for one in foes])
        there = {act.target for act in found if isinstance(act, acts.Attack)}
        some = [one for one in foes if one.id in there]
        return [one.id for one in [one for one in some if not is_down(self.now.fight, one)] or some]

    def move(self, words: Sequence[str]) -> Meant:
        """A move by the best way, or along one's own; where an opponent may strike it asks first."""
        if len(apart(words)) != 1:
            return parse_path_movement(self.now, "move", words) or Command(("do", DB, "move", *words))
        to = square_of(words[0])
        mover = mount_of(self.now.fight, self.now.actor) or self.now.actor
        way = next((one for one in ways(self.now.fight, mover) if one.to == to), None)
        if way is None:
            raise Unclear(f"a move does not lead to {square(to)}: ? m shows the squares that it does lead to")
        if not way.past:
            return _walked(way.path)
        return self._ask_first(way)

    def _ask_first(self, way: ReachablePath) -> Which:
        past = " and ".join(self.now.cast.name(id) for id in way.past)
        choices: dict[str, tuple[str, Meant | None]] = {"y": ("go", _walked(way.path))}
        if way.around:
            choices["a"] = ("around", _walked(way.around))
        choices["n"] = ("stay", None)
        return Which(f"{way.feet} ft., past {past}, who may strike:", choices)

    def cast(self, words: Sequence[str]) -> Meant:
        """A spell of the sheet at somebody or at a square."""
        faces = tuple(int(word) for word in words if FACE.fullmatch(word))
        named = [word for word in words if not FACE.fullmatch(word)]
        known = [one.name for one in self.now.actor.sheet.spells]
        if not named:
            raise Unclear(f"which spell? {', '.join(known) or 'none is on the sheet'}")
        for many in range(len(named), 0, -1):
            found = beginning(" ".join(named[:many]), known)
            if found:
                break
        else:
            one_of(named[:1], known, "spell")
        spell = one_of(named[:many], known, "spell")
        said: list[str] = []
        for word in named[many:]:
            if SQUARE.fullmatch(word):
                said += ["--at", word]
            elif word.startswith("-"):
                said.append(word)
            else:
                said += ["--targets", self.now.find_id_by_word(word)]
        return Command(("do", DB, "cast", spell, *said), faces)

    def end_turn(self, words: Sequence[str]) -> Meant:
        """The end of the turn."""
        return Command(("do", DB, "end-turn", *self._named(words)))

    def auto(self, words: Sequence[str]) -> Meant:
        """The turn that is running, or those of some, played by tactics."""
        sides = {one.side for one in self.now.state.combatants.values()}
        return Command(("auto", DB, *(word if word in sides else self._named([word])[0] for word in words)))

    def why(self, words: Sequence[str]) -> Meant:
        """The last outcome, or another event or turn, explained."""
        return Command(("why", DB, *(words or (str(self._last()),))))

    def odds(self, words: Sequence[str]) -> Meant:
        """How likely the last outcome was; by "win" how the fight will end."""
        if words and words[0] == "win":
            return Command(("odds", DB, "--at", "end", *words[1:]))
        if words:
            return Command(("odds", DB, *words))
        return Command(("odds", DB, "--event", str(Ruled(self.now).last())))

    def rule(self, words: Sequence[str]) -> Meant:
        """What is so from now on, or a ruling on an outcome, which becomes the main line."""
        return rule(self.now, words, self.author)

    def _last(self) -> int:
        for event in self.now.outcomes():
            return event.seq
        raise Unclear("nothing was decided yet")


ELSEWHERE: Final = frozenset(
    {"rules", "statblock", "link", "checker", "combine", "countersign", "import", "demo"}
)
"""Commands whose first word is not the fight."""

SHORT: Final[Mapping[str, Callable[[Shorthand, Sequence[str]], Meant] | Command | PrintedRows | Leave]] = (
    MappingProxyType(
        {
            "a": Shorthand.attack,
            "fa": Shorthand.full_attack,
            "m": Shorthand.move,
            "s": Command(("do", DB, "step")),
            "c": Shorthand.cast,
            "b": Command(("do", DB, "begin")),
            "e": Shorthand.end_turn,
            "auto": Shorthand.auto,
            "u": Command(("undo", DB)),
            "w": Shorthand.why,
            "odds": Shorthand.odds,
            "rule": Shorthand.rule,
            "h": PrintedRows(HELP),
            "help": PrintedRows(HELP),
            "q": Leave(),
            "quit": Leave(),
        }
    )
)
"""What each short word means: what works that out, a command to which more is added, or the answer."""


def beginning(word: str, known: Sequence[str]) -> list[str]:
    """Return what a word names, or else begins; a part of the name begins it too."""
    whole = word.casefold()
    exact = [name for name in known if name.casefold() == whole]
    return exact or [
        name
        for name in known
        if name.casefold().startswith(whole)
        or any(part.startswith(whole) for part in name.casefold().split())
    ]


def one_of(words: Sequence[str], known: Sequence[str], what: str) -> str:
    """Return the one that the words mean. Raises Unclear."""
    word = " ".join(words)
    found = beginning(word, known)
    unknown = f"there is no {what} {word!r} on the sheet: {', '.join(known) or 'none at all'}"
    return only(found, f"{word!r} begins {counted(len(found), what)}", unknown)


def _walked(path: Sequence[Square]) -> Command:
    return Command(("do", DB, "move", *map(square, path)))


# --- A session at the prompt: line after line, each carried out at once, nothing kept that is not in the log

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
            return f"{now.cast.name(question.who)}: {format_question(question, now)} > "
        return f"{now.cast.name(now.state.active)} > " if now.state.active else "> "

    def type(self, text: str) -> None:
        """Carry out what was typed: lines with semicolons between them, up to the first that is not good."""
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
                    self.say(format_question(question, now))
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
            case PrintedRows():
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
            many = count_dice(question.notation)
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
            for row in (
                *draw_reach_map(now.state, found.ways, now.cast.letters),
                *yield_provoked(found.ways),
            ):
                self.say(row)
            self.say(f"by what they cost in squares; {PAST} passes somebody who may strike")
            return
        self._keys = keyed(found, kind)
        for row in yield_menu_rows(self._keys, now.cast, self.width(), all_of_them=bool(kind)):
            self.say(row)
        if not kind:
            for row in self._besides(
                found.ways, found.not_all, len([*filter(is_act_itself_refused, found.closed)])
            ):
                self.say(row)
        elif not self._keys:
            self._print_unlisted_acts(found, kind)

    def _print_unlisted_acts(self, found: Legal, kind: str) -> None:
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
        raise Unclear(f"nothing that begins with {kind!r} is open now: {explain_unlisted_act(kind)}")

    def _list_closed(self, found: Legal, kind: str) -> None:
        """Print what is refused and why: of the acts that begin so, or of all that name what they are at."""
        for shut in found.closed:
            if is_act_itself_refused(shut) and shut.kind.startswith(kind):
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
            self._print_unlisted_acts(found, kind)

    def _besides(self, ways: Sequence[object], more: Sequence[str], closed: int) -> Iterator[str]:
        if ways:
            yield f"  m SQUARE: {counted(len(ways), 'square')} in reach (? m shows them)"
        if more:
            yield from wrapped(f"more can be said of: {', '.join(more)}", self.width(), "  ", "    ")
        yield f"  refused now: {counted(closed, 'other act')} (?? says why)"


def explain_unlisted_act(kind: str) -> str:
    """Return what is said of acts that nobody is asked about: those of the game master, and none at all."""
    masters = [name for name, act in ACTS.items() if name.startswith(kind) and is_masters(act)]
    if masters:
        return f"the game master declares {', '.join(sorted(masters))} ({min(masters)} --help)"
    return f"no act begins with {kind!r}"


def is_masters(act: type[Act]) -> bool:
    """Say whether the game master alone makes a declaration."""
    return act.declared_by == "game master"


def is_act_itself_refused(shut: Closed) -> bool:
    """Say whether an act was refused for what it is, and not for the name of a target or thing left out."""
    return not any(left_out in shut.reason for left_out in ("''", UNNAMED, " knows no '"))


def format_question(question: Question, now: Moment) -> str:
    """Return a question of the fight with keys for its options."""
    options = " ".join(f"{key} {option}" for key, option in enumerate(question.options, 1))
    return " ".join(filter(None, (now.cast.prose(question.question), options)))


def count_dice(notation: str) -> int:
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


def split_typed_lines(text: str) -> Iterator[str]:
    """Yield the lines that stand in one, apart by semicolons outside of quotes and of braces.

    A brace that is never closed takes the rest along.
    """
    for part in re.findall(r"""(?:"[^"]*"|'[^']*'|\{(?:.*\}|.*)|[^;])+""", text):
        if part.strip():
            yield part.strip()


__all__ = [
    "Moment",
    "Session",
]
