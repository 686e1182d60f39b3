"""Parse one written dice roll: dice terms, the results shown for them, sums, and totals.

A side is one part of a written roll between its equality signs: `1d20+8`, `(16)+8`, `24`. Values are exact;
None is the value of a part that the text does not determine, such as dice whose results are not shown.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

Value = int | Fraction | None

LARGEST = 10**30
"""A larger value, or a fraction of more parts, counts as unknown: a product of many factors."""

KEEPS = {"kh": True, "dl": True, "pl": True, "kl": False, "dh": False, "ph": False}
"""Modifiers that keep or drop dice in all tools alike, and whether the highest are kept."""

DROPS = ("dl", "dh", "pl", "ph")
BURSTS = ("!", "x", "e")
"""Modifiers that roll a further die for each that shows the result, in Roll20, Foundry and Avrae."""


class Mod(Struct, frozen=True):
    """A modifier of rolled dice: an operation, with a comparison and a number if it has them."""

    op: str
    compare: str = ""
    number: int | None = None


class Spec(Struct, frozen=True):
    """Dice in notation: their number, their sides, and modifiers."""

    text: str
    count: int
    sides: int
    mods: tuple[Mod, ...] = ()

    @property
    def plain(self) -> bool:
        """Whether only the results of the dice count."""
        return not self.mods

    @property
    def keep(self) -> tuple[bool, int] | None:
        """Return whether the highest are kept, and how many, if that is the only modifier."""
        if len(self.mods) != 1 or self.mods[0].op not in KEEPS:
            return None
        mod = self.mods[0]
        many = 1 if mod.number is None else mod.number
        return KEEPS[mod.op], max(0, self.count - many) if mod.op in DROPS else many


class Die(Struct, frozen=True):
    """One die as shown: its result, the value it counts as if stated, and what happened to it."""

    face: int
    fate: Literal["", "dropped", "rerolled"] = ""
    exploded: bool = False
    counts: int | None = None
    column: int = 0


class Number(Struct, frozen=True):
    """A number that is not recognizably a die."""

    value: int
    column: int = 0


class Thrown(Struct, frozen=True):
    """Dice: as requested, as shown, or both."""

    spec: Spec | None
    dice: tuple[Die, ...] | None
    column: int = 0


class Group(Struct, frozen=True):
    """The content of parentheses."""

    side: "Side"
    column: int = 0


Atom = Number | Thrown | Group


class Term(Struct, frozen=True):
    """A signed product: `sign` 1 or -1, then its first factor, then the others, each with "*" or "/"."""

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
    """A written roll or sum: its sides, with the results assigned to their dice.

    `start` and `end` are its place in the line. `total` is its stated total, None if more is added after
    that. With `subtotals` numbers replace the totals of dice, as Foundry writes them. `thrown` are all dice
    in it, preferring those with results; `natural` is the result of its d20, if exactly one counts.
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
        """Its stated total."""
        return self.sides[-1].number if len(self.sides) > 1 else None


def chain_of(sides: tuple[Side, ...], start: int, end: int, text: str, subtotals: bool) -> Chain:
    """Return the roll of these sides, with the dice found in them."""
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
    """Return the dice that count; None if the text does not show which."""
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
    """Return the value of a side; None if it cannot be determined."""
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
    """Return the lowest and the highest value of a side; None unless it is plain dice and numbers."""
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


# --- A line split into the tokens of written rolls

MARKS = re.compile(r"\*\*|__|`|\*(?=[^\s\d*(])|(?<=[^\s\d*)])\*")
"""Markup without meaning for a roll."""

_MODS = (
    r"(?:(?:kh|kl|dh|dl|ph|pl|k|d(?!f)|p)\d{0,4}(?!\d*d\d)"
    r"|(?:rr|ro|ra|r|xo|x|e|!!|!p|!)(?:(?:[<>]=?|=)(?=\d))?\d{0,4}|(?:min|max|mi|ma)\d{1,4}"
    r"|(?:cs|cf|df|sf)?[<>]=?\d{1,4}|(?:cs|cf)=?\d{1,4}|s[ad]?(?![a-z]))*+"
)
"""Modifiers after dice. Each token is read once: `rr` is never tried as two tokens."""
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
    """A token of a line: its kind, its text, and its place (from 0)."""

    kind: str
    text: str
    at: int
    end: int


def blank_out_markup(line: str) -> str:
    """Return a line of the same length with spaces in place of markup without meaning."""
    if "*" not in line and "`" not in line and "__" not in line:
        return line
    return MARKS.sub(lambda found: " " * len(found[0]), line)


def cut(line: str) -> list[Token]:
    """Return the tokens of a line."""
    return [
        Token(found.lastgroup or "other", found[0], found.start(), found.end())
        for found in _TOKEN.finditer(line)
    ]


def parse_dice_token(text: str) -> Spec:
    """Return the dice of a token of the kind `dice`."""
    found = _SPEC.match(text)
    assert found is not None
    mods = []
    for one in _MOD.finditer(text, found.end()):
        op = (one[1] or one[3] or one[6] or one[8] or one[11] or "success").lower()
        digits = one[2] or one[5] or one[7] or one[10] or ""
        mods.append(Mod(op, one[4] or one[9] or "", int(digits) if digits else None))
    sides = 100 if found[2] == "%" else int(found[2])
    return Spec(text, int(found[1] or 1), sides, tuple(mods))


# --- Assigning the results on one side of a written roll to the dice of another side


def aligned(sides: Sequence[Side], subtotals: bool) -> list[Side]:
    """Return the sides of a roll, with results assigned to the dice of the first side.

    A side of another structure is unchanged. A number without brackets is only the result of a die if each
    side gives the value of each term (`subtotals`), or if everything else is as requested: in `1d20+8 = 14 +
    2 = 16` the writer may have added 2 to a total of 14.
    """
    asked = thrown_in(sides[0])
    if not asked or any(one.spec is None or one.dice is not None for one in asked):
        return list(sides)
    found = [sides[0]]
    for place, side in enumerate(sides[1:], 1):
        # The last side, or one after results, is a total, to which the writer may have added more.
        between = place == 1 and place < len(sides) - 1
        if thrown_in(side) or _lists(sides[0], side) or (subtotals and between):
            alike = True
        else:
            alike = between and side.number is None and has_matching_results(sides[0], side)
        found.append((_merged(sides[0], side) if alike else None) or side)
    return found


def has_matching_results(asked: Side, shown: Side) -> bool:
    """Return whether a side shows results in brackets, or adds exactly the numbers requested."""
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
    """Return a side with the results of one list assigned to its dice, each taking its number."""
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
    """Return `1d6+1d4 (3, 2)` with each result at its die: the list after all dice belongs to all of them."""
    dice = thrown_in(side)
    if len(dice) < 2 or dice[-1].dice is None or any(one.dice is not None for one in dice[:-1]):
        return side
    if not isinstance(side.terms[-1].first, Thrown) or any(one.spec is None for one in dice):
        return side
    return assign_results_to_dice(side, dice[-1].dice)


def _lists(asked: Side, shown: Side) -> bool:
    """Return whether a side lists results as a sum in parentheses, (4+5), where the other one has dice."""
    pairs = zip(asked.terms, shown.terms, strict=False)
    return len(asked.terms) == len(shown.terms) and any(
        isinstance(one.first, Thrown) and isinstance(other.first, Group) for one, other in pairs
    )


def multiplied(side: Side) -> Side | None:
    """Return `2 x (2d8+7)` as one roll: 4d8+14; None for a side of another form."""
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
    """Assign results to dice in order, if constants were added up or left out on the other side."""
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
    """Return the results shown as the requested dice; None if they cannot be those."""
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


# --- Finding written rolls and sums in a line: `1d20+8 => (16)+8 = 24`, `1d20 (16) + 8 = 24`, `5 + 4 = 9`

DEEPEST = 8
"""Depth of parentheses that is parsed."""

ARROWS = ("->", "→", "➜", "➡", "=>", "⇒")
"""Signs between dice and their results, and between other numbers before and after."""

FATES = {"dropped": "dropped", "rerolled": "rerolled", "discarded": "dropped", "exploded": "exploded"}


def parse_rolls_of_line(line: str, subtotals: bool = False) -> list[Chain]:
    """Return the written rolls of a line, in order; `subtotals` as Foundry writes them. O(length)."""
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
    """The tokens of one line, and a parser for them. Its methods return a result and where it ends."""

    def __init__(self, line: str, subtotals: bool = False) -> None:
        self.line, self.subtotals = line, subtotals
        self.tokens = cut(line)

    def kind(self, at: int) -> str:
        return self.tokens[at].kind if at < len(self.tokens) else ""

    def signed(self, at: int) -> bool:
        """Return whether a sign belongs to what follows: no space after it, and a space before it."""
        token = self.tokens[at]
        before = self.line[token.at - 1 : token.at]
        return (
            self.kind(at + 1) in ("number", "dice") and token.end == self.tokens[at + 1].at and before in " ("
        )

    def chain(self, at: int) -> tuple[Chain | None, int]:
        """Read a roll or sum; None if it is neither."""
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
                break  # 30 -> 3 is a change of hit points
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
        """Return the first side, and for `(1d20+6) [3] + 6 = 9` the one that shows its results."""
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
        """Return whether an equality sign comes next: a colon only between dice and their results."""
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
        """Separate a total from the dice of the next roll that follows it without a space, as in pasted
        pages.
        """
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
        """Read rolls whose results are all in one pair of brackets, after everything requested.

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
        """Return whether the text after a sign continues the sum."""
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
        """Read a number, dice, results, or a group in parentheses; labels are skipped."""
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
        """Return the place after a label in brackets, such as [fire]."""
        if self.kind(at) != "open" or self.tokens[at].text != "[" or self.kind(at + 1) != "word":
            return at
        end = at + 1
        while self.kind(end) in ("word", "comma", "add", "number"):
            end += 1
        return end + 1 if self.kind(end) == "close" else at

    def faces(self, at: int) -> tuple[tuple[Die, ...] | None, int]:
        """Read the results of dice between brackets: (4, 4, **6**, ~~3~~), (16), [2, 5 dropped]."""
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
                # A sum in parentheses is not recognizably dice, unless one is struck out.
                added = len({*between}) > 1 or ("add" in between and not any(one.fate for one in dice))
                return (None, start) if added else (tuple(dice), at + 1)
            if self.kind(at) != "comma" and not (self.kind(at) == "add" and self.tokens[at].text == "+"):
                return None, start
            between.append(self.kind(at))
            at += 1

    def _fate(self, die: Die, at: int) -> tuple[Die, int]:
        """Read the notes on one die: an explosion, another result that it counts as, dropped, rerolled."""
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
