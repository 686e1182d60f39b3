"""Outcomes: a small language for conditions at the end of a fight or at any position.
outcome = part { "or" part }            part = atom { "and" atom }, "not" before either, "(...)" around
atom    = WHO dies | survives | falls | WHO is [not] CONDITION, down, dead or alive
        | SIDE wins | SIDE loses
        | PATH < <= = != >= > VALUE     a path of `affray blame`: ysolde.hp, gharm.at, round
each perhaps with                       at POSITION (17, r3, r3.t2, end)
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields, replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.language.names import People, UnknownCombatant
from affray.events.errors import AffrayError, clear_line, did_you_mean
from affray.projections.state import Combatant, Encounter
from affray.projections.timeline import END, Position, parse
from affray.replay.names import parse_state_path, split_into_named_parts

VERBS: Final = {"dies": "dead", "survives": "alive", "lives": "alive", "falls": "down"}
"""Verb about a combatant -> its state."""
OF_SIDES: Final = {"wins": "wins", "win": "wins", "loses": "loses", "lose": "loses"}
STATES: Final = ("down", "dead", "alive")
"""States of a combatant besides the conditions of the dialect."""
JOINING: Final = ("and", "or", "not", "at", "(", ")")
COMPARES: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "<=": lambda one, other: bool(one <= other),
    ">=": lambda one, other: bool(one >= other),
    "!=": lambda one, other: bool(one != other),
    "<": lambda one, other: bool(one < other),
    ">": lambda one, other: bool(one > other),
    "=": lambda one, other: bool(one == other),
}
LONGEST: Final = 500
"""Most signs of an outcome."""
_WORD = re.compile(r"\s*(?:\"([^\"]*)\"|'([^']*)'|(<=|>=|!=|==|[<>=()])|([^\s<>=!()\"']+))")
_NOTHING: Final = "none"


class BadOutcome(AffrayError):
    """The text is not an outcome, or names an unknown combatant or thing."""


class Atom(Struct, frozen=True):
    """One condition at `at`: `who` is `what`, a side wins or loses, a path compared with `value`.

    `kind` is "is", "wins", "loses" or one of `COMPARES`; `path` are combatant, field and part.
    """

    kind: str
    who: str = ""
    what: str = ""
    path: tuple[str, str, str] = ("", "", "")
    value: int | str | None = None
    at: Position = END


class Outcome(Struct, frozen=True):
    """An outcome: `text` as it was read; `tree` joins numbers of `atoms`: ("not", a), ("and", a, b)."""

    text: str
    atoms: tuple[Atom, ...]
    tree: Any

    def of(self, truths: Sequence[bool]) -> bool:
        """Return whether it holds for these values of its atoms."""
        return _joined(self.tree, truths)


def holds(fight: Fight, atom: Atom) -> bool:
    """Return whether an atom holds now in a fight."""
    state = fight.state
    if atom.kind in ("wins", "loses"):
        standing = {one.side for one in state.combatants.values() if not is_down(fight, one)}
        return standing == {atom.who} if atom.kind == "wins" else atom.who not in standing
    if atom.kind == "is":
        one = state.combatants.get(atom.who)
        if one is None or atom.what == "down":
            return one is not None and is_down(fight, one)
        if atom.what in ("alive", "dead"):
            return state.is_dead(one) == (atom.what == "dead")
        return atom.what in one.conditions
    found = value_at(state, *atom.path)
    if atom.kind in ("=", "!="):
        return (found == atom.value) == (atom.kind == "=")
    return isinstance(found, int) and COMPARES[atom.kind](found, atom.value)


def value_at(state: Encounter, who: str, name: str, part: str) -> int | str | None:
    """Return the value at a path for comparison in an outcome; None for none."""
    owner: object = state.combatants.get(who) if who else state
    found = getattr(owner, name, None)
    if part:
        found = (split_into_named_parts(found) or {}).get(part)
    if isinstance(found, bool):
        return "yes" if found else "no"
    if isinstance(found, int):
        return found
    if isinstance(found, str) or not found:
        return found or None
    if isinstance(found, tuple | dict):
        return ",".join(getattr(one, "id", None) or str(one) for one in found)
    return "yes"


def outcome(fight: Fight, text: str) -> Outcome:
    """Parse an outcome about the combatants in a fight. Raises BadOutcome, UnknownPath, BadPosition."""
    if len(text) > LONGEST:
        raise BadOutcome(f"an outcome may have at most {LONGEST} signs, not {len(text)}")
    reading = _Reading(fight, list(_words(text)))
    tree = reading.either()
    if reading.rest:
        raise BadOutcome(f"{_quoted(text)}: only and, or, at can come before {reading.rest[0]!r}")
    return Outcome(" ".join(text.split()), tuple(reading.atoms), tree)


def continued(fight: Fight, text: str) -> Iterator[str]:
    """Yield outcomes of one atom, and words that join a further one, that begin with the typed text."""
    people = list(fight.state.combatants)
    sides = list(dict.fromkeys(one.side for one in fight.state.combatants.values()))
    begun = max((found.end() for found in re.finditer(r"(?:^|\s)(?:and|or|not)\s+|\(\s*", text)), default=0)
    before = text[:begun]
    known = [f"{who} {verb}" for who in people for verb in VERBS]
    known += [f"{side} {verb}" for side in sides for verb in ("wins", "loses")]
    known += [f"{who} is {name}" for who in people for name in (*STATES, *fight.dialect.kernel.conditions)]
    known += [f"{who}.{one} " for who in people for one in ("hp", "at", "initiative", "nonlethal")]
    whole = [one for one in known if text[begun:].strip() == one.strip()]
    for one in known:
        if f"{before}{one}".startswith(text):
            yield f"{before}{one}"
    for one in whole:
        yield from (f"{before}{one} {word} " for word in ("and", "or", "at"))


def _words(text: str) -> Iterator[str]:
    at = 0
    text = text.strip()
    while at < len(text):
        found = _WORD.match(text, at)
        if found is None:
            raise BadOutcome(f"{_quoted(text)}: {text[at:].strip()[:10]!r} cannot be read")
        yield next(group for group in found.groups() if group is not None)
        at = found.end()


class _Reading:
    """A parser of words from left to right; `atoms` are those read so far."""

    def __init__(self, fight: Fight, words: list[str]) -> None:
        self.fight, self.rest = fight, words
        self.people = People.find_combatants_in_fights(fight.state)
        self.sides = list(dict.fromkeys(one.side for one in fight.state.combatants.values()))
        self.atoms: list[Atom] = []

    def either(self) -> object:
        tree = self.all_of()
        while self.took("or"):
            tree = ("or", tree, self.all_of())
        return tree

    def all_of(self) -> object:
        tree = self.one()
        while self.took("and"):
            tree = ("and", tree, self.one())
        return tree

    def one(self) -> object:
        word = self.next("a combatant, a side or a path")
        if word == "not":
            return ("not", self.one())
        if word == "(":
            tree = self.either()
            if self.next(")") != ")":
                raise BadOutcome("a bracket is open: close it with )")
            return tree
        denied, atom = self.said_of(word)
        if self.took("at"):
            atom = replace(atom, at=parse(self.next("a position, as 17, r3 or r3.t2")))
        self.atoms.append(atom)
        return ("not", len(self.atoms) - 1) if denied else len(self.atoms) - 1

    def said_of(self, subject: str) -> tuple[bool, Atom]:
        """Return an atom that begins with `subject`, and whether it is negated."""
        verb = self.next(f"a verb for {subject}: dies, survives, is CONDITION, wins, loses or <= NUMBER")
        if verb in COMPARES or verb == "==":
            return False, self.compared(subject, verb.replace("==", "="), self.next("a value"))
        if verb in OF_SIDES:
            return False, Atom(OF_SIDES[verb], self.side(subject))
        if verb in VERBS:
            return False, Atom("is", self.whom(subject), VERBS[verb])
        if verb != "is":
            known = [*VERBS, "is", *OF_SIDES]
            raise BadOutcome(f"{verb!r} is not a verb for {subject}{did_you_mean(verb, known, len(known))}")
        denied = self.took("not")
        words = [self.next("a condition")]
        while self.rest and self.rest[0] not in JOINING:
            words.append(self.rest.pop(0))
        name, known = " ".join(words), [*STATES, *self.fight.dialect.kernel.conditions]
        who = self.whom(subject)
        there = {one for person in self.fight.state.combatants.values() for one in person.conditions}
        if name not in known and name not in there:
            whole = f"affray rules {self.fight.state.dialect} --vocabulary"
            raise BadOutcome(f"there is no condition {name!r}{did_you_mean(name, known, whole=whole)}")
        return denied, Atom("is", who, name)

    def compared(self, path: str, sign: str, value: str) -> Atom:
        who, name, part = parse_state_path(self.fight.state, path)
        number, compared = is_number(who, name, part), None if value == _NOTHING else value
        found: int | str | None = compared
        if number and compared is not None:
            if re.fullmatch(r"[+-]?\d{1,9}", compared) is None:
                raise BadOutcome(f"{path} is a number, and {value!r} is not")
            found = int(compared)
        if sign not in ("=", "!=") and not isinstance(found, int):
            raise BadOutcome(f"{path} {sign} {value}: only numbers can be compared by size; write = or !=")
        return Atom(sign, path=(who, name, part), value=found)

    def whom(self, word: str) -> str:
        try:
            return self.people.find_id_of_combatant(word)
        except UnknownCombatant as error:
            if word in self.sides:
                raise BadOutcome(f"{word} is a side: a side wins or loses") from None
            raise BadOutcome(str(error)) from None

    def side(self, word: str) -> str:
        if word not in self.sides:
            one = self.people.knows(word)
            meant = f": the sides are {', '.join(self.sides)}" if one else did_you_mean(word, self.sides)
            raise BadOutcome(f"{word!r} is not a side{meant}")
        return word

    def took(self, word: str) -> bool:
        """Return whether this word comes next, and read it."""
        return self.rest[:1] == [word] and bool(self.rest.pop(0))

    def next(self, wanted: str) -> str:
        if not self.rest:
            raise BadOutcome(f"the outcome ends early: expected {wanted}")
        return self.rest.pop(0)


def is_number(who: str, name: str, part: str) -> bool:
    """Return whether the value at a path is a number, if there is one."""
    kind = next(one.type for one in fields(Combatant if who else Encounter) if one.name == name)
    inner = [one for one in get_args(kind) if one is not type(None)]
    if part:
        return get_origin(kind) is dict and inner[-1] is int
    return kind is int or (inner == [int] and get_origin(kind) is not tuple)


def _joined(tree: Any, truths: Sequence[bool]) -> bool:
    if isinstance(tree, int):
        return truths[tree]
    how, *parts = tree
    if how == "not":
        return not _joined(parts[0], truths)
    found = [_joined(one, truths) for one in parts]
    return all(found) if how == "and" else any(found)


def _quoted(text: str) -> str:
    return repr(clear_line(text)[:80])
