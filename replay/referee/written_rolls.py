"""What one written dice roll holds: dice terms, the faces shown for them, sums, and what they come to.

A side is one part of a written roll between its equality signs: `1d20+8`, `(16)+8`, `24`. Values are exact;
None is the value of what nobody can know from the text, such as dice whose faces are not shown.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

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
    kept = get_counting_dice(twenties[0])
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


def get_counting_dice(thrown: Thrown) -> list[Die] | None:
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
    kept = get_counting_dice(atom)
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


# --- A line cut into the signs that written rolls are made of

MARKS = re.compile(r"\*\*|__|`|\*(?=[^\s\d*(])|(?<=[^\s\d*)])\*")
"""Markup for the eye alone."""

_MODS = (
    r"(?:(?:kh|kl|dh|dl|ph|pl|k|d(?!f)|p)\d{0,4}(?!\d*d\d)"
    r"|(?:rr|ro|ra|r|xo|x|e|!!|!p|!)(?:(?:[<>]=?|=)(?=\d))?\d{0,4}|(?:min|max|mi|ma)\d{1,4}"
    r"|(?:cs|cf|df|sf)?[<>]=?\d{1,4}|(?:cs|cf)=?\d{1,4}|s[ad]?(?![a-z]))*+"
)
"""What may stand behind dice. Each sign is read once: `rr` is never tried as two signs."""
_TOKEN = re.compile(
    rf"(?P<dice>(?<![A-Za-z\d.])\d{{0,9}}d(?:\d{{1,4}}|%){_MODS}(?![A-Za-z\d]))"
    r"|(?P<number>(?<![A-Za-z\d.])\d{1,9}(?![A-Za-z\d%]|\.\d|,\d{{3}}(?!\d)))"
    r"|(?P<equal>=>|={1,2}(?!>)|⇒|→|->|➜|➡|(?<=\d), total:?|\btotals?:?(?= ))"
    r"|(?P<add>[+\-−–])|(?P<times>[*×·/÷]|(?<=[\d)\] ])x(?= ?[\d(]))"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comma>,)|(?P<strike>~~)|(?P<bang>!)|(?P<colon>:)"
    r"|(?P<word>[^\W\d_]+(?:['’.\-][^\W\d_]+)*)|(?P<other>\S)",
    re.IGNORECASE,
)
_SPEC = re.compile(r"(\d*)d(\d+|%)", re.IGNORECASE)
_MOD = re.compile(
    r"(kh|kl|dh|dl|ph|pl|k|d|p)(\d*)|(rr|ro|ra|r|xo|x|e|!!|!p|!)([<>]=?|=)?(\d*)|(min|max|mi|ma)(\d+)"
    r"|((?:cs|cf|df|sf)?)([<>]=?|=)?(\d+)|(s[ad]?)",
    re.IGNORECASE,
)


class Token(Struct, frozen=True, gc=False):
    """A sign of a line: its kind, its text, and where it stands (from 0)."""

    kind: str
    text: str
    at: int
    end: int


def blank_out_markup(line: str) -> str:
    """Return a line with spaces in place of the markup that says nothing, at its length."""
    if "*" not in line and "`" not in line and "__" not in line:
        return line
    return MARKS.sub(lambda found: " " * len(found[0]), line)


def cut(line: str) -> list[Token]:
    """Return the signs of a line."""
    return [
        Token(found.lastgroup or "other", found[0], found.start(), found.end())
        for found in _TOKEN.finditer(line)
    ]


def parse_dice_token(text: str) -> Spec:
    """Return the dice that a sign of the kind `dice` asks for."""
    found = _SPEC.match(text)
    assert found is not None
    mods = []
    for one in _MOD.finditer(text, found.end()):
        op = (one[1] or one[3] or one[6] or one[8] or one[11] or "success").lower()
        digits = one[2] or one[5] or one[7] or one[10] or ""
        mods.append(Mod(op, one[4] or one[9] or "", int(digits) if digits else None))
    sides = 100 if found[2] == "%" else int(found[2])
    return Spec(text, int(found[1] or 1), sides, tuple(mods))


# --- Put the faces that one side of a written roll shows to the dice that another side asks for


def aligned(sides: Sequence[Side], subtotals: bool) -> list[Side]:
    """Return the sides of a roll, each that shows faces with the dice which the first side asks for.

    Where the two are not built alike, the side stays as it is. A number without brackets is what a die shows
    only where each side tells what each term comes to (`subtotals`), or where all else is as it was asked
    for: in `1d20+8 = 14 + 2 = 16` somebody may have added 2 to a total of 14.
    """
    asked = thrown_in(sides[0])
    if not asked or any(one.spec is None or one.dice is not None for one in asked):
        return list(sides)
    found = [sides[0]]
    for place, side in enumerate(sides[1:], 1):
        # What comes last, or behind faces, is a total, to which somebody may have added more.
        between = place == 1 and place < len(sides) - 1
        if thrown_in(side) or _lists(sides[0], side) or (subtotals and between):
            alike = True
        else:
            alike = between and side.number is None and has_matching_results(sides[0], side)
        found.append((_merged(sides[0], side) if alike else None) or side)
    return found


def has_matching_results(asked: Side, shown: Side) -> bool:
    """Whether a side shows faces in brackets, or adds the very numbers that were asked for."""
    if thrown_in(shown):
        return True
    if len(asked.terms) != len(shown.terms):
        return False
    pairs = zip(asked.terms, shown.terms, strict=True)
    return _lists(asked, shown) or all(
        one.sign == other.sign and _number(one.first) == _number(other.first)
        for one, other in pairs
        if isinstance(one.first, Number)
    )


def assign_results_to_dice(asked: Side, faces: Sequence[Die]) -> Side:
    """Return a side with faces that stand in one list put to its dice: so many to each as it asks for."""
    left = list(faces)
    dice = thrown_in(asked)
    last = len(dice) - 1

    def shown(thrown: Thrown) -> Thrown:
        assert thrown.spec is not None
        many = len(left) if thrown is dice[last] else min(thrown.spec.count, len(left))
        taken = tuple(left[:many])
        del left[:many]
        return replace(thrown, dice=taken)

    terms = [
        replace(term, first=shown(term.first)) if isinstance(term.first, Thrown) else term
        for term in asked.terms
    ]
    return replace(asked, terms=tuple(terms))


def assign_final_results(side: Side) -> Side:
    """Return `1d6+1d4 (3, 2)` with each face at its die: the list stands behind all that are asked for."""
    dice = thrown_in(side)
    if len(dice) < 2 or dice[-1].dice is None or any(one.dice is not None for one in dice[:-1]):
        return side
    if not isinstance(side.terms[-1].first, Thrown) or any(one.spec is None for one in dice):
        return side
    return assign_results_to_dice(side, dice[-1].dice)


def _lists(asked: Side, shown: Side) -> bool:
    """Whether a side lists faces as a sum in parentheses, (4+5), where the other one asks for dice."""
    pairs = zip(asked.terms, shown.terms, strict=False)
    return len(asked.terms) == len(shown.terms) and any(
        isinstance(one.first, Thrown) and isinstance(other.first, Group) for one, other in pairs
    )


def multiplied(side: Side) -> Side | None:
    """Return what `2 x (2d8+7)` asks for, rolled so often: 4d8+14; None for a side of another form."""
    term = side.terms[0]
    if len(side.terms) > 1 or len(term.factors) != 1 or not isinstance(term.first, Number):
        return None
    sign, group = term.factors[0]
    times = term.first.value
    if sign != "*" or not isinstance(group, Group) or not 1 <= times <= 100:
        return None
    terms = []
    for one in group.side.terms:
        atom = one.first
        if one.factors or isinstance(atom, Group):
            return None
        if isinstance(atom, Number):
            terms.append(replace(one, first=replace(atom, value=atom.value * times)))
        elif atom.spec is not None and atom.spec.plain and atom.dice is None:
            count = atom.spec.count * times
            spec = replace(atom.spec, count=count, text=f"{count}d{atom.spec.sides}")
            terms.append(replace(one, first=replace(atom, spec=spec)))
        else:
            return None
    return replace(side, terms=tuple(terms))


def _number(atom: Atom) -> int | None:
    return atom.value if isinstance(atom, Number) else None


def _merged(asked: Side, shown: Side) -> Side | None:
    if len(asked.terms) != len(shown.terms):
        return _by_order(asked, shown)
    terms = []
    for one, other in zip(asked.terms, shown.terms, strict=True):
        if one.sign != other.sign or len(one.factors) != len(other.factors):
            return None
        first = _put(one.first, other.first)
        rest = [_put(a[1], b[1]) for a, b in zip(one.factors, other.factors, strict=True)]
        if first is None or any(each is None for each in rest):
            return None
        signs = [sign for sign, _ in other.factors]
        factors = tuple((sign, each) for sign, each in zip(signs, rest, strict=True) if each is not None)
        terms.append(Term(other.sign, first, factors))
    return replace(shown, terms=tuple(terms))


def _by_order(asked: Side, shown: Side) -> Side | None:
    """Put faces to dice in their order, where constants were added up or left out on the other side."""
    specs = [term for term in asked.terms if isinstance(term.first, Thrown)]
    places = [n for n, term in enumerate(shown.terms) if isinstance(term.first, Thrown)]
    if not specs or len(specs) != len(places):
        return None
    terms = list(shown.terms)
    for one, place in zip(specs, places, strict=True):
        first = _put(one.first, terms[place].first)
        if first is None or one.sign != terms[place].sign:
            return None
        terms[place] = replace(terms[place], first=first)
    return replace(shown, terms=tuple(terms))


def _put(asked: Atom, shown: Atom) -> Atom | None:
    """Return what is shown, as the dice that are asked for; None where it can be none of them."""
    if isinstance(asked, Number):
        if isinstance(shown, Thrown):
            # (8) in place of 8
            one = shown.dice[0] if shown.dice is not None and len(shown.dice) == 1 else None
            return None if one is None or one.fate else Number(one.face, one.column)
        return shown if isinstance(shown, Number) else None
    if isinstance(asked, Group):
        if not isinstance(shown, Group):
            return None
        side = _merged(asked.side, shown.side)
        return None if side is None else replace(shown, side=side)
    assert asked.spec is not None
    if isinstance(shown, Thrown):
        return replace(shown, spec=asked.spec) if shown.spec is None else None
    if isinstance(shown, Number):
        single = asked.spec.count == 1 and asked.spec.plain
        return Thrown(asked.spec, (Die(shown.value, column=shown.column),), shown.column) if single else shown
    dice = []
    for term in shown.side.terms:
        if term.sign < 0 or term.factors or not isinstance(term.first, Number):
            return None
        dice.append(Die(term.first.value, column=term.first.column))
    return Thrown(asked.spec, tuple(dice), shown.column)


# --- Find the written rolls and sums of a line: `1d20+8 => (16)+8 = 24`, `1d20 (16) + 8 = 24`, `5 + 4 = 9`

DEEPEST = 8
"""So deep parentheses are read."""

ARROWS = ("->", "→", "➜", "➡", "=>", "⇒")
"""Signs that lead from dice to what they show, and between other numbers from before to after."""

FATES = {"dropped": "dropped", "rerolled": "rerolled", "discarded": "dropped", "exploded": "exploded"}


def parse_rolls_of_line(line: str, subtotals: bool = False) -> list[Chain]:
    """Return the written rolls of a line, in their order; `subtotals` as Foundry writes them. O(length)."""
    if not ("=" in line or "⇒" in line or "→" in line or "d" in line or "D" in line or "total" in line):
        return []
    reader = _Reader(blank_out_markup(line), subtotals)
    found: list[Chain] = []
    at, tokens = 0, reader.tokens
    while at < len(tokens):
        kind = tokens[at].kind
        if kind in ("dice", "number", "open") or (kind == "add" and reader.signed(at)):
            chain, end = reader.chain(at)
            if chain is not None:
                found.append(chain)
            at = max(end, at + 1)
        else:
            at += 1
    return found


class _Reader:
    """The signs of one line, and what can be read from each on. Its methods return what, and up to where."""

    def __init__(self, line: str, subtotals: bool = False) -> None:
        self.line, self.subtotals = line, subtotals
        self.tokens = cut(line)

    def kind(self, at: int) -> str:
        return self.tokens[at].kind if at < len(self.tokens) else ""

    def signed(self, at: int) -> bool:
        """Whether a sign belongs to what follows: it stands before it without a space, after none."""
        token = self.tokens[at]
        before = self.line[token.at - 1 : token.at]
        return (
            self.kind(at + 1) in ("number", "dice") and token.end == self.tokens[at + 1].at and before in " ("
        )

    def chain(self, at: int) -> tuple[Chain | None, int]:
        """Read a roll or sum; None for what is neither."""
        first, end = self.side(at, 0)
        if first is None:
            return None, at + 1
        first = assign_final_results(first)
        woven = self._woven(first, at, end)
        if woven is not None:
            return woven
        sides, end = self._explained(first, end)
        asked = thrown_in(first)
        while self._equal(sides, end):
            if self.tokens[end].text in ARROWS and not asked:
                break  # 30 -> 3 is what becomes of hit points
            self._unglue(end + 1, value_of(sides[-1]))
            side, after = self.side(end + 1, 0)
            if side is None:
                break
            sides.append(side)
            end = after
        specs = any(one.spec is not None for one in asked)
        if len(sides) < 2 and not any(one.spec and one.dice for one in asked):
            return None, end
        if not specs and not any(len(side.terms) > 1 or side.terms[0].factors for side in sides):
            return None, end
        return self._made(sides, at, self.tokens[end - 1].end), end

    def _explained(self, first: Side, end: int) -> tuple[list[Side], int]:
        """Return the first side, and with `(1d20+6) [3] + 6 = 9` the one that shows it."""
        inner = first.terms[0].first
        if len(first.terms) == 1 and isinstance(inner, Group) and self.kind(end) == "open":
            asked = thrown_in(inner.side)
            shown, after = self.side(end, 0)
            if asked and shown is not None and self.kind(after) == "equal" and not any(d.dice for d in asked):
                return [inner.side, shown], after
        return [first], end

    def _made(self, sides: list[Side], at: int, end: int) -> Chain:
        start = self.tokens[at].at
        found = tuple(aligned(sides, self.subtotals))
        return chain_of(found, start, end, self.line[start:end].strip(), self.subtotals)

    def _equal(self, sides: list[Side], end: int) -> bool:
        """Whether an equality sign comes next: a colon only between dice and what they show."""
        if self.kind(end) == "equal":
            return True
        if self.kind(end) != "colon" or len(sides) > 1:
            return False
        asked = thrown_in(sides[0])
        if not asked or any(one.dice is not None for one in asked):
            return False
        _, after = self.side(end + 1, 0)
        return self.kind(after) == "equal"

    def _unglue(self, at: int, value: Value) -> None:
        """Take apart a total and the dice of the next roll that it runs into, as on pasted pages."""
        if value is None or self.kind(at) != "dice":
            return
        token = self.tokens[at]
        digits, letter, rest = token.text.partition("d" if "d" in token.text else "D")
        total = str(value) if digits.startswith(str(value)) else digits[:-1] or digits
        if total:
            middle = token.at + len(total)
            self.tokens[at : at + 1] = [
                Token("number", total, token.at, middle),
                Token("dice", digits[len(total) :] + letter + rest, middle, token.end),
            ]

    def _woven(self, first: Side, at: int, end: int) -> tuple[Chain, int] | None:
        """Read rolls all faces of which stand in one pair of brackets, behind everything that is asked for.

        `(1d20+8)[16](24)`, `2d8+7 (5, 2) = 14`, `2 x (2d8+7) (5, 2, 8, 1) = 30`.
        """
        first = multiplied(first) or first
        term = first.terms[0]
        asked = thrown_in(first)
        if (
            self.kind(end) == "open"
            and asked
            and all(one.dice is None for one in asked)
            and isinstance(term.first, Thrown)
        ):
            faces, after = self.faces(end)
            if faces is None or self.kind(after) != "equal":
                return None
            total, last = self.side(after + 1, 0)
            if total is None or total.number is None:
                return None
            return self._made(
                [assign_results_to_dice(first, faces), total], at, self.tokens[last - 1].end
            ), last
        if len(first.terms) > 1 or term.factors or not isinstance(term.first, Group):
            return None
        if self.kind(end) != "open" or self.tokens[end].text != "[":
            return None
        faces, after = self.faces(end)
        if faces is None or self.kind(after) != "open":
            return None
        total, last = self.side(after + 1, 1)
        if total is None or total.number is None or self.kind(last) != "close":
            return None
        shown = assign_results_to_dice(term.first.side, faces)
        return self._made([shown, total], at, self.tokens[last].end), last + 1

    def side(self, at: int, depth: int) -> tuple[Side | None, int]:
        """Read a sum."""
        start, terms = at, []
        while True:
            signed = self.kind(at) == "add"
            sign = -1 if signed and self.tokens[at].text != "+" else 1
            at += signed
            term, after = self.term(at, sign, depth)
            if term is None:
                break
            terms.append(term)
            at = after
            if self.kind(at) != "add" or not self._goes_on(at):
                break
        if not terms:
            return None, start
        if self.kind(at - 1) == "add":
            at -= 1
        column = self.tokens[start].at
        return Side(tuple(terms), column + 1, self.line[column : self.tokens[at - 1].end].strip()), at

    def _goes_on(self, at: int) -> bool:
        """Whether what follows a sign is more of the sum."""
        return self.kind(at + 1) in ("number", "dice", "open")

    def term(self, at: int, sign: int, depth: int) -> tuple[Term | None, int]:
        """Read a product."""
        first, at = self.atom(at, depth)
        if first is None:
            return None, at
        factors: list[tuple[str, Atom]] = []
        while self.kind(at) == "times":
            token = self.tokens[at]
            divides = token.text in "/÷"
            if divides and isinstance(first, Number) and not factors:
                break  # 12/40 hit points
            factor, after = self.atom(at + 1, depth)
            if factor is None:
                break
            factors.append(("/" if divides else "*", factor))
            at = after
        return Term(sign, first, tuple(factors)), at

    def atom(self, at: int, depth: int) -> tuple[Atom | None, int]:
        """Read a number, dice, faces, or what stands in parentheses; labels are passed over."""
        kind = self.kind(at)
        if kind == "number":
            token = self.tokens[at]
            return Number(int(token.text), token.at + 1), self._label(at + 1)
        if kind == "dice":
            return self._dice(at)
        if kind != "open" or depth >= DEEPEST:
            return None, at
        faces, after = self.faces(at)
        column = self.tokens[at].at + 1
        if faces is not None:
            return Thrown(None, faces, column), self._label(after)
        inner, after = self.side(at + 1, depth + 1)
        if inner is None or self.kind(after) != "close":
            return None, at
        return Group(inner, column), self._label(after + 1)

    def _dice(self, at: int) -> tuple[Atom, int]:
        token = self.tokens[at]
        spec, column, after = parse_dice_token(token.text), token.at + 1, self._label(at + 1)
        if self.kind(after) == "open":
            faces, end = self.faces(after)
            if faces is not None:
                return Thrown(spec, faces, column), self._label(end)
            inner, end = self.side(after + 1, 1)
            if (
                inner is not None
                and self.kind(end) == "close"
                and _all_numbers(inner)
                and len(inner.terms) > 1
            ):
                dice = tuple(
                    Die(t.first.value, column=t.first.column)
                    for t in inner.terms
                    if isinstance(t.first, Number)
                )
                return Thrown(spec, dice, column), self._label(end + 1)
        if self.kind(after) == "number" and spec.count == 1 and spec.plain:
            face = self.tokens[after]
            return Thrown(spec, (Die(int(face.text), column=face.at + 1),), column), self._label(after + 1)
        return Thrown(spec, None, column), after

    def _label(self, at: int) -> int:
        """Return where it goes on after a label in brackets, such as [fire]."""
        if self.kind(at) != "open" or self.tokens[at].text != "[" or self.kind(at + 1) != "word":
            return at
        end = at + 1
        while self.kind(end) in ("word", "comma", "add", "number"):
            end += 1
        return end + 1 if self.kind(end) == "close" else at

    def faces(self, at: int) -> tuple[tuple[Die, ...] | None, int]:
        """Read the faces of dice between brackets: (4, 4, **6**, ~~3~~), (16), [2, 5 dropped]."""
        start = at
        at += 1
        dice: list[Die] = []
        between: list[str] = []
        while True:
            struck = self.kind(at) == "strike"
            at += struck
            if self.kind(at) != "number":
                return None, start
            token = self.tokens[at]
            die, at = self._fate(Die(int(token.text), column=token.at + 1), at + 1)
            if struck:
                if self.kind(at) != "strike":
                    return None, start
                die, at = self._fate(replace(die, fate="dropped"), at + 1)
            dice.append(die)
            if self.kind(at) == "close":
                # A sum in parentheses is none of dice, as far as can be seen, unless one is struck out.
                added = len({*between}) > 1 or ("add" in between and not any(one.fate for one in dice))
                return (None, start) if added else (tuple(dice), at + 1)
            if self.kind(at) != "comma" and not (self.kind(at) == "add" and self.tokens[at].text == "+"):
                return None, start
            between.append(self.kind(at))
            at += 1

    def _fate(self, die: Die, at: int) -> tuple[Die, int]:
        """Read what is said of one die: a burst, another face that it counts as, dropped, rerolled."""
        while True:
            if self.kind(at) == "bang":
                die, at = replace(die, exploded=True), at + 1
            elif (
                self.kind(at) == "equal"
                and self.tokens[at].text in ("->", "→")
                and self.kind(at + 1) == "number"
            ):
                die, at = replace(die, counts=int(self.tokens[at + 1].text)), at + 2
            elif self.kind(at) == "word" and self.tokens[at].text.lower() in FATES:
                fate = FATES[self.tokens[at].text.lower()]
                said = {"exploded": True} if fate == "exploded" else {"fate": fate}
                die, at = replace(die, **said), at + 1
            else:
                return die, at


def _all_numbers(side: Side) -> bool:
    return all(isinstance(term.first, Number) and not term.factors and term.sign > 0 for term in side.terms)
