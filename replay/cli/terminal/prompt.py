"""The prompt that holds a fight open: short words to declare, answer, explain and rule."""

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
from affray.engine.kernel.actions import left_of
from affray.engine.kernel.paths import ReachablePath, ways
from affray.engine.record.chapters import known_conditions
from affray.engine.table.dice import by_hand
from affray.engine.table.legal import Closed, Legal, Price, judged, legal, price, with_a_way
from affray.events.codec import decode, encode
from affray.events.envelope import Event
from affray.events.errors import UNNAMED, AffrayError, counted, did_you_mean, square
from affray.events.facts import acts
from affray.events.facts.base import Act
from affray.events.facts.combat import AttackResolved, CheckResolved
from affray.events.facts.flow import AnyAct, InitiativeRolled
from affray.events.stores.store import Store
from affray.projections.state import Combatant, Encounter, Question
from affray.replay.act_words import ACTS
from affray.replay.log.declarations import decides
from affray.replay.log.playhead import Playhead
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.names import People
from affray.replay.text.cast import Cast
from affray.replay.text.options import (
    PAST,
    describe_left,
    draw_reach_map,
    keyed,
    name_of,
    yield_menu_rows,
    yield_provoked,
)

# --- The meanings of a typed line: a command to run, a question back, rows to print, leaving


class Unclear(AffrayError):
    """A line that cannot be understood."""


def only(found: Sequence[str], several: str, none: str) -> str:
    """Return the only match of a word. Raises Unclear for several matches, which it lists, or none."""
    if len(found) != 1:
        raise Unclear(f"{several}: {', '.join(found)}" if found else none)
    return found[0]


DB: Final = "\0"
"""The placeholder for the file of the fight in the words of a command."""


class Command(Struct, frozen=True):
    """The words of an `affray` command, and the results of physical dice for it.

    `told` are rows to print before running it.
    """

    words: tuple[str, ...]
    faces: tuple[int, ...] = ()
    told: tuple[str, ...] = ()


class Which(Struct, frozen=True):
    """A question before declaring: for each key a label and what it does."""

    question: str
    choices: Mapping[str, tuple[str, "Meant | None"]]


class PrintedRows(Struct, frozen=True):
    """Rows to print; nothing is declared."""

    rows: tuple[str, ...]


class Leave(Struct, frozen=True):
    """Leave the prompt; the fight is unchanged."""


Meant: TypeAlias = Command | Which | PrintedRows | Leave


# --- The fight before a line is typed: state, names, and the last outcome

MOST_BACK = 400
"""Number of events from the end in which the last outcome is searched."""


class Moment:
    """The end of the main line. The state must not be changed."""

    def __init__(self, store: Store) -> None:
        """Load the current fight. O(events since a checkpoint)."""
        playhead = Playhead(store)
        self.state: Encounter = playhead.seek("end")
        self.branch, self.seq = playhead.branch, playhead.last
        self.cast = Cast.of(self.state)
        self._store = store
        self._fight: Fight | None = None

    @property
    def fight(self) -> Fight:
        """The fight as the rules see it; created when first needed."""
        if self._fight is None:
            self._fight = make_fight_context(self.state, None)
        return self._fight

    def left(self) -> str:
        """Return what the combatant whose turn it is has left, "" if no turn is running."""
        actor = self.state.combatants.get(self.state.active)
        return "" if actor is None else describe_left(left_of(self.fight, actor), self.cast.words)

    @property
    def actor(self) -> Combatant:
        """The combatant whose turn it is. Raises Unclear if no turn is running."""
        actor = self.state.combatants.get(self.state.active)
        if actor is None:
            raise Unclear("no turn is running" + ("" if self.state.begun else ": b begins the fight"))
        return actor

    def outcomes(self) -> Iterator[Event]:
        """Yield the latest events that numbers or rules explain, from last to first."""
        events = list(self._store.read(self.branch, max(0, self.seq - MOST_BACK), self.seq))
        yield from (event for event in reversed(events) if decides(decode(event)))

    def called(self, word: str) -> list[str]:
        """Return the ids that a word means: by id, name or their beginning, else by the letter."""
        people = self.state.combatants
        names = {id: (id.casefold(), *self.cast.name(id).casefold().split()) for id in people}
        whole = word.casefold()
        exact = [id for id in people if whole in (names[id][0], self.cast.name(id).casefold())]
        some = exact or [id for id in people if any(name.startswith(whole) for name in names[id])]
        return some or [id for id in people if self.cast.letters[id] == word]

    def find_id_by_word(self, word: str, of: Iterable[str] = ()) -> str:
        """Return the one id that a word means, among those of `of` if that decides. Raises Unclear."""
        found = self.called(word)
        some = [id for id in found if id in (*of,)] or found
        meant = did_you_mean(word, [self.cast.name(id) for id in self.state.combatants])
        return only(some, f"{word!r} begins several names", f"there is no combatant {word!r}{meant}")

    def fact_of(self, seq: int) -> object:
        """Return the fact of an event of the line."""
        return decode(next(iter(self._store.read(self.branch, seq - 1, seq))))


# --- Paths typed at the prompt: priced before the declaration, confirmed if they provoke

SQUARE: Final = re.compile(r"(-?\d{1,4}),(-?\d{1,4})")
ALONG: Final[Mapping[str, type[acts.Move | acts.Withdraw | acts.Run | acts.Charge]]] = MappingProxyType(
    {"move": acts.Move, "withdraw": acts.Withdraw, "run": acts.Run, "charge": acts.Charge}
)
"""Movements along typed squares, by name."""
STRAIGHT: Final[Mapping[str, type[acts.Charge | acts.Overrun]]] = MappingProxyType(
    {"charge": acts.Charge, "overrun": acts.Overrun}
)
"""Movements straight at a target: their path is found if only the target is given."""


def square_of(word: str) -> Square:
    """Parse a square. Raises Unclear."""
    found = SQUARE.fullmatch(word)
    if found is None:
        raise Unclear(f"{word!r} is not a square: write it as 4,1")
    return int(found[1]), int(found[2])


def apart(words: Sequence[str]) -> list[str]:
    """Return the words with each square as its own word: `4,1>5,2` becomes two."""
    return [part for word in words for part in (word.split(">") if "," in word else [word]) if part]


def parse_path_movement(now: Moment, name: str, words: Sequence[str]) -> Meant | None:
    """Return the meaning of a movement along squares, None if the words are not one.

    A charge names its target first; its squares may be left out for the rules to find. Raises Unclear if the
    rules refuse the path.
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
    """Return the command that declares a path, or a question first if it provokes.

    The cost of the player's `own` path is printed at once.
    """
    if found.refused:
        raise Unclear(f"{now.cast.prose(found.refused)} ({found.rule})")
    told = told_of(now, found)
    going = ("do", DB, encode(found.act).decode())
    if not found.past:
        return Command(going, told=(told,) if own else ())
    past = " and ".join(now.cast.name(id) for id in found.past)
    choices = {"y": ("go", Command(going)), "n": ("stay", None)}
    return Which(f"{told}, provokes from {past}:", choices)


def told_of(now: Moment, found: Price) -> str:
    """Return the cost of a path, what it leaves, and what the rest of it depends on."""
    parts = [
        f"{found.feet} ft." if found.feet is not None else "",
        f"{found.left} left" if found.left is not None else "",
        f"the rest depends on: {now.cast.prose(found.depends)}" if found.depends else "",
    ]
    return ", ".join(filter(None, parts))


# --- The word `rule`: changes from now on, or a ruling on a past outcome
#
# Hit points, a condition, a square or an initiative are changed from now on; nothing is decided again. The
# past only changes if an event is named, or if the ruling changes the numbers of the last outcome.

OUTCOMES: Final = frozenset({"hit", "miss", "success", "failure"})
EVENT: Final = re.compile(r"\d+|r\d+(\.t\d+)?")
_SET: Final = re.compile(r"(?P<who>.+)\.(?P<what>hp|initiative)(?P<value>=-?\d{1,6}|[+-]\d{1,6})")
_PLACE: Final = re.compile(r"(?P<who>.+)\.at=(?P<value>-?\d{1,4},-?\d{1,4})")
_CONDITION: Final = re.compile(r"(?P<who>[^.=]+?)(?P<sign>[+-])(?P<name>[A-Za-z][\w -]*)")
_FLAGS: Final = {"+": "--gains", "-": "--loses"}


def rule(now: Moment, words: Sequence[str], author: str) -> Command:
    """Return a ruling as the words of a command. Raises Unclear."""
    at, said = "", list(words)
    if said and EVENT.fullmatch(said[0]):
        at = said.pop(0)
    if not said:
        raise Unclear(
            "incomplete ruling; examples: rule cover +4, rule hit, rule with advantage, rule die 2 15, "
            "rule gharm.hp=5, rule 38 gharm.hp=5"
        )
    if not at and (found := parse_onward_ruling(now, said)):
        return Command(("do", DB, "fiat", *found, "--by", author))
    ruled = Ruled(now, at)
    changes = [part for change in ruled.changes(said) for part in ("--change", change)]
    by = ("--by", author, "--text", " ".join(said))
    return Command(("ruling", DB, "amend", "--at", at or str(ruled.last()), *changes, *by, "--promote"))


def parse_onward_ruling(now: Moment, words: Sequence[str]) -> tuple[str, ...]:
    """Return the combatant and its changes from now on, () if the words rule on an outcome.

    Raises Unclear for a mix of both, and for changes of several combatants.
    """
    found = [setting(now, word) for word in words]
    if not any(found):
        return ()
    if not all(found):
        raise Unclear(
            "part of this applies from now on, part changes the last outcome: rule on each separately"
        )
    whom = {one[0] for one in found}
    if len(whom) > 1:
        raise Unclear(f"change one combatant at a time: {'; '.join(f'rule {word}' for word in words)}")
    return (*whom, *(part for one in found for part in one[1:]))


def setting(now: Moment, word: str) -> tuple[str, ...]:
    """Return the combatant and the change that a word makes from now on, () for any other word. Raises
    Unclear.
    """
    if found := _SET.fullmatch(word):
        who = now.find_id_by_word(found["who"])
        value = found["value"].removeprefix("=")
        if not found["value"].startswith("="):  # relative to the current value
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
    """Return the rulebook's condition that a word names or begins; the word itself if there is not exactly
    one.
    """
    known = known_conditions(now.fight.dialect)
    begun = [name for name in known if name.startswith(word.casefold())]
    return word if word in known or len(begun) != 1 else begun[0]


class Ruled:
    """The object of a ruling: the event named, or else the last event that dice decided."""

    def __init__(self, now: Moment, at: str = "") -> None:
        """Rule on an event, or on the last outcome without one."""
        self.now, self.at = now, at

    def changes(self, words: Sequence[str]) -> Iterable[str]:
        """Yield changes in the grammar of rulings: `cover +4` is the target's defense in the attack.

        `with advantage` and `die 2 15` are about the roll.
        """
        left = list(words)
        while left:
            word = left.pop(0)
            if word in OUTCOMES:
                yield f"{self._roll()}={word}"
            elif word in ("with", "without") and left:
                yield f"{self._test()} {word} {left.pop(0)}"
            elif word == "die" and len(left) > 1:
                yield f"{self._roll()} die {left.pop(0)}={left.pop(0)}"
            elif left and re.fullmatch(r"[+-]\d{1,3}", left[0]):
                yield f"{self._defense()}{left.pop(0)}:{word}"
            else:
                yield word

    def last(self) -> int:
        """Return the event of the last outcome that dice decided. Raises Unclear."""
        return next(self.decided())[0]

    def decided(self) -> Iterator[tuple[int, Any]]:
        """Yield (position, fact) of what dice decided in the last declaration with dice, from last to first.

        For a named event, yield only that one. Raises Unclear if there is none.
        """
        if self.at:
            if not self.at.isdecimal() or not 1 <= int(self.at) <= self.now.seq:
                raise Unclear(f"{self.at} is not an attack or a check: `log` lists the numbers of events")
            yield int(self.at), self.now.fact_of(int(self.at))
            return
        cause = 0
        for event in self.now.outcomes():
            fact = self.now.fact_of(event.seq)
            if getattr(fact, "key", "") and cause in (0, event.cause):
                cause = event.cause
                yield event.seq, fact
        if not cause:
            raise Unclear("no dice have been rolled yet")

    def _defense(self) -> str:
        """Return the figure that a bare modifier applies to: the defense of the last target."""
        target = next((fact.target for _, fact in self.decided() if getattr(fact, "target", "")), "")
        if not target:
            raise Unclear(
                "the last outcome was not an attack: name what to change, for example: rule ysolde.save.ref+2"
            )
        return f"{target}.defense"

    def _test(self) -> str:
        """Return the test of the last outcome that may be rolled with other dice: `tobin.attack`."""
        for _, fact in self.decided():
            if isinstance(fact, AttackResolved):
                return f"{fact.attacker}.attack"
            if isinstance(fact, CheckResolved):
                return f"{fact.who}.{fact.check}"
            if isinstance(fact, InitiativeRolled):
                return f"{fact.who}.initiative"
        raise Unclear("the last outcome was not a test: name one, for example: rule 38 with advantage")

    def _roll(self) -> str:
        key = next((fact.key for _, fact in self.decided() if hasattr(fact, "natural")), "")
        if not key:
            raise Unclear("the last outcome has no roll that can be ruled a hit or a success")
        return str(key)


# --- Short words at the prompt, and their meaning in the current fight
#
# The prompt decides nothing: a line becomes the words of an affray command, which the rules then judge.

FACE: Final = re.compile(r"\d{1,4}")

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
    "rule gharm.hp=5, gharm+prone set hit points, a condition, a square, initiative from now on",
    "odds, odds win               chance of the last outcome; chances of winning",
    "/ WORDS                      search the rules",
    "ACT ...                      any declaration by its name or the beginning of it: trip gharm",
    "COMMAND ...                  any command of affray on this fight: log --from r2, verify",
    "q                            quit; the fight is kept",
    "Names may be shortened; join lines with semicolons: m 4,1; a gharm; e",
)


class Shorthand:
    """The meanings of lines at one moment of a fight."""

    def __init__(self, moment: Moment, commands: Iterable[str], author: str) -> None:
        """Read lines at this moment; `commands` are those of affray, `author` makes the rulings."""
        self.now, self.commands, self.author = moment, (*commands,), author

    def meant(self, line: str) -> Meant:
        """Return the meaning of a line. Raises Unclear."""
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
        """Return the act that a word names or begins, preferring acts of the dialect."""
        if word in ACTS:
            return word
        people = People.find_combatants_in_fights(self.now.state)
        if custom := people.custom_act(word):
            return custom
        own = [*people.short_acts, *people.acts]
        begun = sorted(name for name in (*ACTS, *own) if name.startswith(word))
        played = {*own, *(str(kind.__struct_config__.tag) for kind in self.now.fight.dialect.acts)}
        some = [name for name in begun if name in played] or begun
        meant = did_you_mean(word, [*SHORT, *ACTS, *own, *self.commands])
        unknown = f"unknown word {word!r}{meant} (h lists all words)"
        return only(some, f"{word!r} begins several acts", unknown)

    def _named(self, words: Sequence[str]) -> list[str]:
        """Return the words with ids in place of beginnings of names; options and squares are unchanged."""
        found = []
        for word in words:
            called = [] if word.startswith("-") or SQUARE.fullmatch(word) else self.now.called(word)
            found.append(called[0] if len(called) == 1 else word)
        return found

    def attack(self, words: Sequence[str]) -> Meant:
        """One attack: at the named target, or at the only possible one."""
        return self._struck(acts.Attack, words)

    def full_attack(self, words: Sequence[str]) -> Meant:
        """A full attack with all attacks at one target."""
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
                    raise Unclear("fa takes a target; for weapons by attack see full-attack --help")
                weapon = ("--weapon", one_of(named[1:], [one.name for one in actor.sheet.weapons], "weapon"))
        elif len(open_to) == 1:
            target = open_to[0]
        elif not open_to:
            raise Unclear(
                "no target can be attacked from here with the weapons in hand: name a target to see why"
            )
        else:
            choices = {
                str(key): (self.now.cast.name(id), Command(("do", DB, name, id), faces))
                for key, id in enumerate(open_to, 1)
            }
            return Which("whom?", choices)
        return Command(("do", DB, name, target, *weapon), faces)

    def _targets(self, actor: Combatant) -> list[str]:
        """Return the opponents that the default weapon can attack: those standing, if there are any."""
        foes = [one for one in self.now.state.combatants.values() if one.side != actor.side]
        found, _ = judged(self.now.fight, [acts.Attack(actor=actor.id, target=one.id) for one in foes])
        there = {act.target for act in found if isinstance(act, acts.Attack)}
        some = [one for one in foes if one.id in there]
        return [one.id for one in [one for one in some if not is_down(self.now.fight, one)] or some]

    def move(self, words: Sequence[str]) -> Meant:
        """A move by the best path or along typed squares; asks first if it provokes."""
        if len(apart(words)) != 1:
            return parse_path_movement(self.now, "move", words) or Command(("do", DB, "move", *words))
        to = square_of(words[0])
        mover = self.now.fight.dialect.kernel.goer(self.now.fight, self.now.actor)
        way = next((one for one in ways(self.now.fight, mover) if one.to == to), None)
        if way is None:
            raise Unclear(f"a move does not lead to {square(to)}: ? m shows the squares in reach")
        if not way.past:
            return _walked(way.path)
        return self._ask_first(way)

    def _ask_first(self, way: ReachablePath) -> Which:
        past = " and ".join(self.now.cast.name(id) for id in way.past)
        choices: dict[str, tuple[str, Meant | None]] = {"y": ("go", _walked(way.path))}
        if way.around:
            choices["a"] = ("around", _walked(way.around))
        choices["n"] = ("stay", None)
        return Which(f"{way.feet} ft., provokes from {past}:", choices)

    def cast(self, words: Sequence[str]) -> Meant:
        """A spell of the sheet at a combatant or a square."""
        faces = tuple(int(word) for word in words if FACE.fullmatch(word))
        named = [word for word in words if not FACE.fullmatch(word)]
        game, actor = self.now.fight.dialect, self.now.actor
        own = next((name for name in game.own_acts if name.partition(".")[2] == "cast"), "")
        known = [one.name for one in actor.sheet.spells] or [
            *getattr(game.custom_of(actor.sheet), "spells", ())
        ]
        if not named:
            raise Unclear(f"which spell? {', '.join(known) or 'the sheet has none'}")
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
                said += [word] if own else ["--at", word]
            elif word.startswith("-"):
                said.append(word)
            else:
                said += [*(() if own else ("--targets",)), self.now.find_id_by_word(word)]
        return Command(("do", DB, own or "cast", spell, *said), faces)

    def end_turn(self, words: Sequence[str]) -> Meant:
        """The end of the turn."""
        return Command(("do", DB, "end-turn", *self._named(words)))

    def auto(self, words: Sequence[str]) -> Meant:
        """Automatic play of the current turn, or of those of some combatants."""
        sides = {one.side for one in self.now.state.combatants.values()}
        return Command(("auto", DB, *(word if word in sides else self._named([word])[0] for word in words)))

    def why(self, words: Sequence[str]) -> Meant:
        """Explain the last outcome, or another event or turn."""
        return Command(("why", DB, *(words or (str(self._last()),))))

    def odds(self, words: Sequence[str]) -> Meant:
        """The chance of the last outcome; with "win" the chances of winning."""
        if words and words[0] == "win":
            return Command(("odds", DB, "--at", "end", *words[1:]))
        if words:
            return Command(("odds", DB, *words))
        return Command(("odds", DB, "--event", str(Ruled(self.now).last())))

    def rule(self, words: Sequence[str]) -> Meant:
        """A change from now on, or a ruling on an outcome, which becomes the main line."""
        return rule(self.now, words, self.author)

    def _last(self) -> int:
        for event in self.now.outcomes():
            return event.seq
        raise Unclear("there is no outcome yet")


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
"""Word -> its meaning: a function that returns it, a command to extend, or the answer."""


def beginning(word: str, known: Sequence[str]) -> list[str]:
    """Return the names that a word equals or else begins; the beginning of any part counts."""
    whole = word.casefold()
    exact = [name for name in known if name.casefold() == whole]
    return exact or [
        name
        for name in known
        if name.casefold().startswith(whole)
        or any(part.startswith(whole) for part in name.casefold().split())
    ]


def one_of(words: Sequence[str], known: Sequence[str], what: str) -> str:
    """Return the one name that the words mean. Raises Unclear."""
    word = " ".join(words)
    found = beginning(word, known)
    unknown = f"there is no {what} {word!r} on the sheet: {', '.join(known) or 'it has none'}"
    return only(found, f"{word!r} begins {counted(len(found), what)}", unknown)


def _walked(path: Sequence[Square]) -> Command:
    return Command(("do", DB, "move", *map(square, path)))


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
                # If one die of an act is physical, all dice of that act are.
                by_hand_once = bool(question.notation) and not by_hand(store)
                meant: Meant = Command(("choose", DB, answer, *("--manual",) * by_hand_once))
            elif KEY.fullmatch(line):
                meant = self._keyed(int(line))
            else:
                meant = Shorthand(now, self.commands, self.author).meant(line)
        self._do(meant)

    def _pressed(self, line: str, which: Which) -> None:
        """Take the answer to the prompt's own question; any other line drops the question."""
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
        """Run the command; typed results of dice answer the rolls that it waits for."""
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
            raise Unclear(f"there is no key {key} now: ? lists the keys")
        return Command(("do", DB, encode(self._keys[key - 1]).decode()))

    def _list(self, now: Moment, kind: str) -> None:
        """Print the allowed acts by kind, with keys; ?? [ACT] the refused ones; ? m the squares in reach."""
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


def count_dice(notation: str) -> int:
    """Return how many dice a roll needs."""
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
    """Yield the lines separated by semicolons outside quotes and braces.

    An unclosed brace extends to the end.
    """
    for part in re.findall(r"""(?:"[^"]*"|'[^']*'|\{(?:.*\}|.*)|[^;])+""", text):
        if part.strip():
            yield part.strip()


__all__ = [
    "Moment",
    "Session",
]
