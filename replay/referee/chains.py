"""Find the written rolls and sums of a line: `1d20+8 => (16)+8 = 24`, `1d20 (16) + 8 = 24`, `5 + 4 = 9`."""

from msgspec.structs import replace

from affray.replay.referee.aligned import aligned, multiplied, shared_by_all, shared_out
from affray.replay.referee.dice_lines import (
    Atom,
    Chain,
    Die,
    Group,
    Number,
    Side,
    Term,
    Thrown,
    Value,
    chain_of,
    thrown_in,
    value_of,
)
from affray.replay.referee.tokens import Token, cut, spec_of, without_marks

DEEPEST = 8
"""So deep parentheses are read."""

ARROWS = ("->", "→", "➜", "➡", "=>", "⇒")
"""Signs that lead from dice to what they show, and between other numbers from before to after."""

FATES = {"dropped": "dropped", "rerolled": "rerolled", "discarded": "dropped", "exploded": "exploded"}


def chains_of(line: str, subtotals: bool = False) -> list[Chain]:
    """Return the written rolls of a line, in their order; `subtotals` as Foundry writes them. O(length)."""
    if not ("=" in line or "⇒" in line or "→" in line or "d" in line or "D" in line or "total" in line):
        return []
    reader = _Reader(without_marks(line), subtotals)
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
        first = shared_by_all(first)
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
            return self._made([shared_out(first, faces), total], at, self.tokens[last - 1].end), last
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
        shown = shared_out(term.first.side, faces)
        return self._made([shown, total], at, self.tokens[last].end), last + 1

    def side(self, at: int, depth: int) -> tuple[Side | None, int]:
        """Read a sum."""
        start, terms, sign = at, [], 1
        if self.kind(at) == "add":
            sign = 1 if self.tokens[at].text == "+" else -1
            at += 1
        while True:
            term, after = self.term(at, sign, depth)
            if term is None:
                break
            terms.append(term)
            at = after
            if self.kind(at) != "add" or not self._goes_on(at):
                break
            sign = 1 if self.tokens[at].text == "+" else -1
            at += 1
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
        spec, column, after = spec_of(token.text), token.at + 1, self._label(at + 1)
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
