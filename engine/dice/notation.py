"""Dice notation: typed text, parsed into one frozen form with one canonical spelling.

Grammar (spaces are allowed around signs and labels, never inside a dice term; letters in either case)::

    notation = ["+" | "-"] term { ("+" | "-") term } term     = ( integer | dice ) [ "[" label "]" ] dice
    = [ count ] "d" ( sides | "%" ) { modifier } modifier = keep | drop | reroll | explode | least  each kind
    at most once per term keep     = "kh" N | "kl" N                         Roll20 "kN" is khN; Foundry "kh"
    is kh1 drop     = "dh" N | "dl" N                         Roll20 "dN" is dlN; Foundry "dl" is dl1 reroll
    = "ro" test | "rr" test                   once | until the test fails (as avrae's d20 reads them) explode
    = "e" test | "!"                          "!" is: on the highest face least    = "min" N
    lower faces count as N; avrae's "miN" is minN test     = N | "<" N | ">" N             equal to, less
    than, greater than N (strictly)

Modifiers apply in the order reroll, explode, keep or drop, least, in whichever order they were typed.
Spellings that the known tools read differently (a bare ``r``, ``!>4``) are refused with the spelling to use
instead.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from affray.events.errors import AffrayError, counted

MAX_TEXT = 200
MAX_DICE = 1000
MAX_SIDES = 1000
MAX_NUMBER = 1_000_000

Keeping = Literal["kh", "kl", "dh", "dl"]
Comparing = Literal["", "<", ">"]


class DiceNotationError(AffrayError):
    """The text is no dice notation; `position` counts its characters from 1."""

    def __init__(self, text: str, position: int, reason: str) -> None:
        shown = text if len(text) <= MAX_TEXT else text[:20] + "..."
        super().__init__(f"dice notation {shown!r}, position {position}: {reason}")
        self.text, self.position, self.reason = text, position, reason


class Test(Struct, frozen=True, gc=False):
    """A condition on one face: equal to, less than or greater than a number."""

    __test__ = False  # not a test case, although pytest would collect the name

    compare: Comparing
    number: int

    def __str__(self) -> str:
        return f"{self.compare}{self.number}"

    def holds(self, face: int) -> bool:
        """Return whether the face meets the condition."""
        if self.compare == "<":
            return face < self.number
        if self.compare == ">":
            return face > self.number
        return face == self.number


class Keep(Struct, frozen=True, gc=False):
    """The dice to keep: keep or drop a number of the highest or lowest."""

    how: Keeping
    number: int

    def __str__(self) -> str:
        return f"{self.how}{self.number}"


class Dice(Struct, frozen=True, tag="dice"):
    """`count` dice of `sides` sides, added (`sign` 1) or subtracted (-1); faces below `least` count as it."""

    count: int
    sides: int
    sign: int = 1
    reroll: Test | None = None
    reroll_once: bool = False
    explode: Test | None = None
    keep: Keep | None = None
    label: str = ""
    least: int = 0

    def worth(self, face: int) -> int:
        """Return what a face counts."""
        return face if face > self.least else self.least

    def __str__(self) -> str:
        """Canonical spelling without sign and label."""
        text = f"{self.count}d{self.sides}"
        if self.reroll is not None:
            text += f"{'ro' if self.reroll_once else 'rr'}{self.reroll}"
        if self.explode is not None:
            text += f"e{self.explode}"
        if self.keep is not None:
            text += str(self.keep)
        return f"{text}min{self.least}" if self.least else text


class Number(Struct, frozen=True, tag="number", gc=False):
    """A constant; `value` carries its sign."""

    value: int
    label: str = ""

    @property
    def sign(self) -> int:
        return -1 if self.value < 0 else 1

    def __str__(self) -> str:
        """Canonical spelling without sign and label."""
        return str(abs(self.value))


class Notation(Struct, frozen=True):
    """A parsed notation. Equal notations have equal `text`, the canonical spelling (also `str()`).

    When the dice are one unmodified, added group, `count` and `sides` describe it and `bonus` is the sum of
    the constants, so that such a throw needs no look at the terms; otherwise all three are 0.
    """

    text: str
    terms: tuple[Dice | Number, ...]
    count: int = 0
    sides: int = 0
    bonus: int = 0

    def __str__(self) -> str:
        return self.text


def same_dice(one: Notation, other: Notation) -> bool:
    """Return whether two notations throw the same dice, regardless of bonuses and of which dice are kept."""
    return _dice(one) == _dice(other)


def count_dice(notation: Notation) -> int:
    """Return how many dice a roll needs."""
    return sum(count for count, _ in _dice(notation))


def _dice(notation: Notation) -> list[tuple[int, int]]:
    return [(term.count, term.sides) for term in notation.terms if isinstance(term, Dice)]


_TERM = re.compile(r"(?:(\d*)d(\d+|%))|(\d+)", re.ASCII | re.IGNORECASE)
_MODIFIER = re.compile(
    r"(?P<keep>k[hl]?|d[hl]?)(?P<many>\d*)"
    r"|(?P<repeat>ro|rr|e)(?P<compare>[<>]?)(?P<number>\d+)"
    r"|(?P<bang>!)(?![!<>=\d])"
    r"|(?P<least>min?)(?P<lowest>\d+)",
    re.ASCII | re.IGNORECASE,
)
_LABEL = re.compile(r"\[([^\[\]]*)\]")
_HOW: dict[str, Keeping] = {"k": "kh", "kh": "kh", "kl": "kl", "d": "dl", "dh": "dh", "dl": "dl"}
_SIGNS = {"+": 1, "-": -1, "\N{MINUS SIGN}": -1}


@lru_cache(maxsize=4096)
def parse(text: str) -> Notation:
    """Return the notation that `text` spells; linear in its length, and remembered.

    Raises DiceNotationError when it spells none, or one beyond 1000 dice, 1000 sides, 200 characters or a
    million.
    """
    if len(text) > MAX_TEXT:
        raise DiceNotationError(text, MAX_TEXT + 1, f"longer than {MAX_TEXT} characters")
    terms: list[Dice | Number] = []
    at = _blank(text, 0)
    while at < len(text) or not terms:
        sign = _SIGNS.get(text[at : at + 1])
        if sign is not None:
            at = _blank(text, at + 1)
        elif terms:
            raise DiceNotationError(text, at + 1, f"expected + or -, found {text[at]!r}")
        term, at = _term(text, at, sign or 1)
        terms.append(term)
        if sum(each.count for each in terms if isinstance(each, Dice)) > MAX_DICE:
            raise DiceNotationError(text, at, f"more than {MAX_DICE} dice")
        at = _blank(text, at)
    return of_terms(tuple(terms))


def of_terms(terms: tuple[Dice | Number, ...]) -> Notation:
    """Return the notation made of these terms, in this order; `parse` of its text gives it back."""
    text = ""
    for term in terms:
        text += "-" if term.sign < 0 else "+" if text else ""
        text += f"{term}[{term.label}]" if term.label else str(term)
    groups = [term for term in terms if isinstance(term, Dice)]
    if len(groups) != 1 or groups[0] != Dice(groups[0].count, groups[0].sides, label=groups[0].label):
        return Notation(text, terms)
    bonus = sum(term.value for term in terms if isinstance(term, Number))
    return Notation(text, terms, groups[0].count, groups[0].sides, bonus)


def _blank(text: str, at: int) -> int:
    while at < len(text) and text[at] == " ":
        at += 1
    return at


def _term(text: str, at: int, sign: int) -> tuple[Dice | Number, int]:
    found = _TERM.match(text, at)
    if found is None:
        what = f"found {text[at]!r}" if at < len(text) else "the text ends"
        raise DiceNotationError(text, at + 1, f"expected dice or a number, {what}")
    if found[3] is not None:
        value = int(found[3])
        if value > MAX_NUMBER:
            raise DiceNotationError(text, at + 1, f"number above {MAX_NUMBER}")
        label, end = _label(text, found.end())
        return Number(sign * value, label), end
    count, sides = int(found[1] or 1), 100 if found[2] == "%" else int(found[2])
    if not 1 <= count <= MAX_DICE:
        dice = counted(count, "die", "dice")
        raise DiceNotationError(text, at + 1, f"{dice}; between 1 and {MAX_DICE} are possible")
    if not 1 <= sides <= MAX_SIDES:
        raise DiceNotationError(text, found.start(2) + 1, f"{sides} sides; 1 to {MAX_SIDES} are possible")
    return _modified(text, found.end(), Dice(count, sides, sign))


def _modified(text: str, at: int, plain: Dice) -> tuple[Dice, int]:
    keep: Keep | None = None
    reroll: Test | None = None
    explode: Test | None = None
    once, least = False, 0
    while found := _MODIFIER.match(text, at):
        word = (found["keep"] or found["repeat"] or found["bang"] or found["least"]).lower()
        if found["keep"]:
            again, keep = keep is not None, Keep(_HOW[word], int(found["many"] or 1))
            if not 1 <= keep.number <= plain.count:
                raise DiceNotationError(text, at + 1, f"{keep} of {counted(plain.count, 'die', 'dice')}")
        elif found["least"]:
            again, least = bool(least), int(found["lowest"])
            if not 2 <= least <= plain.sides:
                raise DiceNotationError(text, at + 1, f"the least face of a d{plain.sides} cannot be {least}")
        elif word in ("ro", "rr"):
            again, reroll, once = reroll is not None, _test(text, found, plain.sides), word == "ro"
        else:
            again, explode = explode is not None, _test(text, found, plain.sides)
        if again:
            raise DiceNotationError(text, at + 1, f"a second modifier of the same kind, {found[0]!r}")
        at = found.end()
    if text[at : at + 1] in ("r", "R"):
        raise DiceNotationError(text, at + 1, "write ro (reroll once) or rr (until it fails), such as ro<3")
    if text[at : at + 1] in ("!", "x", "X"):
        raise DiceNotationError(
            text, at + 1, "write ! (explode on the highest face) or e with a test, such as e>4"
        )
    label, end = _label(text, at)
    return Dice(plain.count, plain.sides, plain.sign, reroll, once, explode, keep, label, least), end


def _test(text: str, found: re.Match[str], sides: int) -> Test:
    compare: Comparing = "<" if found["compare"] == "<" else ">" if found["compare"] == ">" else ""
    test = Test(compare, int(found["number"]) if found["number"] else sides)
    # A test that every face meets would never end, one that none meets is a slip of the pen.
    met = {"": int(1 <= test.number <= sides), "<": min(test.number - 1, sides), ">": sides - test.number}[
        compare
    ]
    if met <= 0 or met >= sides:
        which = "no face" if met <= 0 else "every face"
        raise DiceNotationError(text, found.start() + 1, f"{which} of a d{sides} meets {found[0]!r}")
    return test


def _label(text: str, at: int) -> tuple[str, int]:
    start = _blank(text, at)
    if text[start : start + 1] != "[":
        return "", at
    found = _LABEL.match(text, start)
    label = " ".join(found[1].split()) if found else ""
    if found is None or not label or not label.isprintable():
        raise DiceNotationError(text, start + 1, "a label is printable text between [ and ]")
    return label, found.end()


# --- One throw: which dice fell, which of them count, and what they add up to

MAX_EXTRA = 1000
"""Rerolls and explosions of one term together; beyond it, dice stay as they fell."""

Draw = Callable[[int, int], tuple[int, ...]]
"""`draw(sides, count)`: that many faces, each in 1..sides."""


class ImpossibleFaces(AffrayError):
    """These faces cannot come from a throw of that notation."""


class TooFewFaces(ImpossibleFaces):
    """The throw needs more faces than there are."""


class Throw(Struct, frozen=True, gc=False):
    """The dice that fell. Index tuples point into `faces` and ascend.

    `faces` has every die in the order thrown: for each term its own dice, then rerolls, then explosions,
    round by round. `rerolled` dice were replaced by a later one, `exploded` dice brought a further one,
    `dropped` dice were put aside by a keep or drop; rerolled and dropped dice do not count in `total`.
    """

    faces: tuple[int, ...]
    dropped: tuple[int, ...]
    rerolled: tuple[int, ...]
    exploded: tuple[int, ...]
    total: int


def throw(notation: Notation, draw: Draw) -> Throw:
    """Throw the dice of the notation, taking faces from `draw` as they are needed."""
    count = notation.count
    if count:
        shown = draw(notation.sides, count)
        total = shown[0] if count == 1 else sum(shown)
        return Throw(shown, (), (), (), total + notation.bonus)
    return _gather(notation, draw)[0]


def rethrow(notation: Notation, faces: Sequence[int]) -> Throw:
    """Return the throw that showed exactly these faces, in the order of `Throw.faces`.

    Raises ImpossibleFaces when there are too few or too many of them, or a die cannot show one.
    """
    return throw_from(notation, faces)[0]


def throw_from(notation: Notation, faces: Sequence[int], *, more: bool = False) -> tuple[Throw, int]:
    """Like `rethrow`, with the number of faces used; with `more`, faces may be left over at the end."""
    used = 0

    def draw(sides: int, count: int) -> tuple[int, ...]:
        nonlocal used
        taken = tuple(faces[used : used + count])
        if len(taken) < count:
            raise TooFewFaces(f"{notation} needs at least {_faces(used + count)}, {len(faces)} given")
        for face in taken:
            if type(face) is not int or not 1 <= face <= sides:
                raise ImpossibleFaces(f"{notation}: a d{sides} cannot show {face!r}")
        used += count
        return taken

    thrown = throw(notation, draw)
    if used < len(faces) and not more:
        raise ImpossibleFaces(f"{notation} takes {_faces(used)}, {len(faces)} given")
    return thrown, used


def _faces(count: int) -> str:
    return counted(count, "face")


def describe(notation: Notation, thrown: Throw, *, markdown: bool = True) -> str:
    """One line such as ``4d6kh3 (4, 4, **6**, ~~3~~) = 14``.

    Lowest and highest faces are bold, dice that don't count struck out. Without `markdown`:
    ``4d6kh3 (4, 4, 6, 3 dropped) = 14``. Raises ImpossibleFaces if the throw is another notation's.
    """
    falling = iter(thrown.faces)
    _, sizes = _gather(notation, lambda sides, count: tuple(next(falling, 0) for _ in range(count)))
    if sum(sizes) != len(thrown.faces):
        raise ImpossibleFaces(f"{notation} takes {_faces(sum(sizes))}, the throw has {len(thrown.faces)}")
    line, at = "", 0
    for term, size in zip(notation.terms, sizes, strict=True):
        line += (" - " if line else "-") if term.sign < 0 else " + " if line else ""
        line += str(term)
        if isinstance(term, Dice):
            dice = (_die(thrown, index, term.sides, markdown) for index in range(at, at + size))
            line += f" ({', '.join(dice)})"
        line += f" [{term.label}]" if term.label else ""
        at += size
    return f"{line} = {thrown.total}"


def _die(thrown: Throw, index: int, sides: int, markdown: bool) -> str:
    face = thrown.faces[index]
    burst = "!" if index in thrown.exploded else ""
    if not markdown:
        fate = " rerolled" if index in thrown.rerolled else " dropped" if index in thrown.dropped else ""
        return f"{face}{burst}{fate}"
    if index in thrown.rerolled or index in thrown.dropped:
        return f"~~{face}{burst}~~"
    return f"**{face}**{burst}" if face in (1, sides) else f"{face}{burst}"


def _gather(notation: Notation, draw: Draw) -> tuple[Throw, list[int]]:
    """Return the throw, and how many of its faces belong to each term."""
    faces: list[int] = []
    dropped: list[int] = []
    rerolled: list[int] = []
    exploded: list[int] = []
    sizes: list[int] = []
    total = 0
    for term in notation.terms:
        before = len(faces)
        if isinstance(term, Dice):
            total += term.sign * _group(term, draw, faces, dropped, rerolled, exploded)
        else:
            total += term.value
        sizes.append(len(faces) - before)
    marks = (tuple(sorted(dropped)), tuple(sorted(rerolled)), tuple(sorted(exploded)))
    return Throw(tuple(faces), *marks, total), sizes


def _group(
    term: Dice, draw: Draw, faces: list[int], dropped: list[int], rerolled: list[int], exploded: list[int]
) -> int:
    """Throw one term onto the lists; the sum of the dice that count."""
    start = len(faces)
    faces += draw(term.sides, term.count)
    live = list(range(start, len(faces)))
    spare = MAX_EXTRA
    if term.reroll is not None:
        gone: set[int] = set()
        turned = [index for index in live if term.reroll.holds(faces[index])][:spare]
        while turned:
            gone.update(turned)
            spare -= len(turned)
            fresh = _onto(faces, draw, term.sides, len(turned))
            again = () if term.reroll_once else fresh
            turned = [index for index in again if term.reroll.holds(faces[index])][:spare]
        rerolled += gone
        live = [index for index in range(start, len(faces)) if index not in gone]
    if term.explode is not None:
        bursting = [index for index in live if term.explode.holds(faces[index])][:spare]
        while bursting:
            exploded += bursting
            spare -= len(bursting)
            fresh = _onto(faces, draw, term.sides, len(bursting))
            live += fresh
            bursting = [index for index in fresh if term.explode.holds(faces[index])][:spare]
    if term.keep is not None:
        high = term.keep.how in ("kh", "dl")
        number = term.keep.number if term.keep.how in ("kh", "kl") else len(live) - term.keep.number
        # Of equal faces the earlier die is kept, so that the same faces always give the same throw.
        ranked = sorted(live, key=lambda index: (-faces[index] if high else faces[index], index))
        dropped += ranked[number:]
        live = ranked[:number]
    return sum(term.worth(faces[index]) for index in live)


def _onto(faces: list[int], draw: Draw, sides: int, count: int) -> range:
    start = len(faces)
    faces += draw(sides, count)
    return range(start, len(faces))
