"""What one written dice roll holds: dice terms, the faces shown for them, sums, and what they come to.

A side is one part of a written roll between its equality signs: `1d20+8`, `(16)+8`, `24`. Values are exact;
None is the value of what nobody can know from the text, such as dice whose faces are not shown.
"""

from fractions import Fraction
from typing import Literal

from msgspec import Struct

Value = int | Fraction | None

LARGEST = 10**30
"""What comes to more than that, or to a fraction of more parts, is not known: a product of many factors."""

KEEPS = {"kh": True, "dl": True, "pl": True, "kl": False, "dh": False, "ph": False}
"""What keeps or drops dice in all tools alike, and whether the highest are kept."""

DROPS = ("dl", "dh", "pl", "ph")
BURSTS = ("!", "x", "e")
"""What throws a further die for each that shows the face, in Roll20, Foundry and Avrae."""


class Mod(Struct, frozen=True):
    """What is done to dice after they fell: an operation, with a comparison and a number if it has them."""

    op: str
    compare: str = ""
    number: int | None = None


class Spec(Struct, frozen=True):
    """Dice as notation asks for them: so many, of so many sides, and what is done to them."""

    text: str
    count: int
    sides: int
    mods: tuple[Mod, ...] = ()

    @property
    def plain(self) -> bool:
        """Whether all that counts is what the dice show."""
        return not self.mods

    @property
    def keep(self) -> tuple[bool, int] | None:
        """Return whether the highest are kept, and how many, where that is all that is done to the dice."""
        if len(self.mods) != 1 or self.mods[0].op not in KEEPS:
            return None
        mod = self.mods[0]
        many = 1 if mod.number is None else mod.number
        return KEEPS[mod.op], max(0, self.count - many) if mod.op in DROPS else many


class Die(Struct, frozen=True):
    """One die as it is shown: its face, what it counts where that is said, and what became of it."""

    face: int
    fate: Literal["", "dropped", "rerolled"] = ""
    exploded: bool = False
    counts: int | None = None
    column: int = 0


class Number(Struct, frozen=True):
    """A number that is no die, as far as can be seen."""

    value: int
    column: int = 0


class Thrown(Struct, frozen=True):
    """Dice: as asked for, as shown, or both."""

    spec: Spec | None
    dice: tuple[Die, ...] | None
    column: int = 0


class Group(Struct, frozen=True):
    """What stands in parentheses."""

    side: "Side"
    column: int = 0


Atom = Number | Thrown | Group


class Term(Struct, frozen=True):
    """A signed product: `sign` 1 or -1, then its first factor, then each with "*" or "/" before it."""

    sign: int
    first: Atom
    factors: tuple[tuple[str, Atom], ...] = ()


class Side(Struct, frozen=True):
    """A sum of terms, where it begins (from 1), and its text."""

    terms: tuple[Term, ...]
    column: int = 0
    text: str = ""

    @property
    def leading(self) -> int | None:
        """Return the number that it begins with, if it is one."""
        first = self.terms[0]
        return first.sign * first.first.value if isinstance(first.first, Number) else None

    @property
    def number(self) -> int | None:
        """Return its number, if it is nothing else."""
        return self.leading if len(self.terms) == 1 and not self.terms[0].factors else None


class Chain(Struct, frozen=True):
    """A written roll or sum: its sides, with the faces put to the dice they are of.

    `start` and `end` are where it stands in its line. `total` is what it says to come to, None where it goes
    on adding after that. With `subtotals` numbers stand for what dice come to, as Foundry writes them.
    `thrown` are all dice in it, those with their faces rather than the same ones without; `natural` is what
    the one d20 of it shows, if there is exactly one that counts.
    """

    sides: tuple[Side, ...]
    start: int
    end: int
    text: str = ""
    subtotals: bool = False
    thrown: tuple[Thrown, ...] = ()
    natural: int | None = None

    @property
    def total(self) -> int | None:
        """What it says that it comes to."""
        return self.sides[-1].number if len(self.sides) > 1 else None


def chain_of(sides: tuple[Side, ...], start: int, end: int, text: str, subtotals: bool) -> Chain:
    """Return the roll that these sides are, with its dice found in them."""
    thrown: tuple[Thrown, ...] = ()
    most = -1
    for side in sides:
        found = tuple(thrown_in(side))
        shown = sum(one.dice is not None and one.spec is not None for one in found)
        if found and shown > most:
            thrown, most = found, shown
    return Chain(sides, start, end, text, subtotals, thrown, _natural(thrown))


def _natural(thrown: tuple[Thrown, ...]) -> int | None:
    twenties = [one for one in thrown if one.spec is not None and one.spec.sides == 20]
    if len(twenties) != 1 or twenties[0].dice is None:
        return None
    kept = kept_dice(twenties[0])
    return kept[0].face if kept is not None and len(kept) == 1 and kept[0].counts is None else None


def thrown_in(side: Side) -> list[Thrown]:
    """Return the dice of a side, in the order written."""
    found: list[Thrown] = []
    for term in side.terms:
        for atom in (term.first, *(factor for _, factor in term.factors)):
            if isinstance(atom, Thrown):
                found.append(atom)
            elif isinstance(atom, Group):
                found += thrown_in(atom.side)
    return found


def kept_dice(thrown: Thrown) -> list[Die] | None:
    """Return the dice that count; None where the text does not say which."""
    dice = thrown.dice
    if dice is None:
        return None
    live = [die for die in dice if not die.fate]
    spec = thrown.spec
    if spec is None or spec.plain or len(live) < len(dice):
        return live
    keep = spec.keep
    if keep is None:
        known = all(mod.op in (*BURSTS, "ro", "rr", "mi", "ma", "min", "max") for mod in spec.mods)
        return live if known else None
    highest, many = keep
    if len(live) == many:
        return live
    if len(live) != spec.count:
        return None
    return sorted(live, key=lambda die: die.face, reverse=highest)[:many]


def value_of(side: Side) -> Value:
    """Return what a side comes to; None where that cannot be known from it."""
    total: Value = 0
    for term in side.terms:
        value = _atom(term.first)
        for sign, factor in term.factors:
            by = _atom(factor)
            if value is None or by is None or (sign == "/" and by == 0):
                return None
            value = value * by if sign == "*" else Fraction(value) / by
            if max(abs(value.numerator), value.denominator) > LARGEST:
                return None
        if value is None or total is None:
            return None
        total += term.sign * value
        if max(abs(total.numerator), total.denominator) > LARGEST:
            return None
    return int(total) if isinstance(total, Fraction) and total.denominator == 1 else total


def _atom(atom: Atom) -> Value:
    if isinstance(atom, Number):
        return atom.value
    if isinstance(atom, Group):
        return value_of(atom.side)
    kept = kept_dice(atom)
    if kept is None:
        return None
    return sum(die.face if die.counts is None else die.counts for die in kept)


def bounds(side: Side) -> tuple[int, int] | None:
    """Return the least and the most that a side can come to; None for what is not plain dice and numbers."""
    least = most = 0
    for term in side.terms:
        atom = term.first
        if term.factors or isinstance(atom, Group):
            return None
        if isinstance(atom, Number):
            low = high = atom.value
        elif atom.spec is None or not (atom.spec.plain or atom.spec.keep):
            return None
        else:
            many = atom.spec.count if atom.spec.keep is None else min(atom.spec.count, atom.spec.keep[1])
            low, high = many, many * atom.spec.sides
        ends = sorted((term.sign * low, term.sign * high))
        least, most = least + ends[0], most + ends[1]
    return least, most
