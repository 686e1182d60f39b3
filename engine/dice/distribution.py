"""Distributions: how often dice come to each total, counted exactly from their notation.

Everything that states a chance asks here: explanations, odds, rows, luck, swing, pivots and the page. What a
test reads is the total of its dice, so a die with advantage is `2d20kh1` and nothing more.
"""

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import accumulate
from math import comb

from msgspec import Struct

from affray.engine.dice.notation import Dice, ImpossibleFaces, Notation, Number, parse, throw
from affray.events.errors import counted

BURSTS = 10
"""A die explodes so often at most: the die after that counts as it falls."""

LARGEST = 4_000_000
"""Bytes of the largest table that is counted; dice that need more are sampled."""

STEPS = 20_000_000
"""Additions that counting kept dice may take; dice that need more are sampled."""

SAMPLED = 200_000
"""Dice that are thrown for a sample, in all throws together. They always fall the same."""

Ways = Mapping[int, int]
"""In how many ways each total comes up."""


class Distribution(Struct, frozen=True):
    """How often dice come to each total: in `ways` of `possible` equally likely cases, lowest total first.

    `note` says where that is not exact: the bound of explosions, or a sample. It is empty otherwise.
    """

    ways: Ways
    possible: int
    note: str = ""

    @property
    def mean(self) -> Fraction:
        """The mean of the totals."""
        return Fraction(sum(total * ways for total, ways in self.ways.items()), self.possible)

    def quantile(self, number: int, of: int) -> int:
        """Return the total of draw `number` out of `of` that are spread evenly over all cases.

        Of one die with a face for each of `of` draws every face comes up equally often.
        """
        at = number * self.possible // of
        for total, ways in self.ways.items():
            at -= ways
            if at < 0:
                return total
        raise IndexError(number)

    def chance(self, holds: Callable[[int], bool]) -> Fraction:
        """Return the chance of a total for which `holds` returns True."""
        return Fraction(sum(ways for total, ways in self.ways.items() if holds(total)), self.possible)

    def at_least(self, total: int) -> Fraction:
        """Return the chance of `total` or more."""
        return self.chance(lambda one: one >= total)

    def at_most(self, total: int) -> Fraction:
        """Return the chance of `total` or less."""
        return self.chance(lambda one: one <= total)


class Test(Struct, frozen=True):
    """A roll that has to reach a number: `dice` in notation, of which the total is read, plus a bonus.

    The faces `fails` and `succeeds` decide whatever the sum is; 0 is no face. With `under` the sum must not
    exceed the number.
    """

    __test__ = False  # not a test case, although pytest would collect the name

    dice: str
    bonus: int
    needed: int
    fails: int = 0
    succeeds: int = 0
    under: bool = False

    def passes(self, natural: int) -> bool:
        """Return whether dice of this total make it."""
        if natural and natural in (self.fails, self.succeeds):
            return natural == self.succeeds
        total = natural + self.bonus
        return total <= self.needed if self.under else total >= self.needed

    @property
    def chance(self) -> Fraction:
        """The exact chance to make it."""
        return _chance_of(self)


@lru_cache(maxsize=4096)
def _chance_of(test: Test) -> Fraction:
    return distribution(test.dice).chance(test.passes)


@lru_cache(maxsize=1024)
def distribution(*notations: str) -> Distribution:
    """Return how often the totals of these notations come to each sum.

    Raises DiceNotationError for a text that is no notation. Dice that explode are counted up to BURSTS
    explosions a die. Dice that are rerolled, explode and are kept or dropped, and those whose tables would
    take more than LARGEST bytes or STEPS additions, are sampled with SAMPLED dice. Remembered.
    """
    parsed = [parse(text) for text in notations]
    terms = [term for notation in parsed for term in notation.terms]
    dice = [term for term in terms if isinstance(term, Dice)]
    fixed = sum(term.value for term in terms if isinstance(term, Number))
    if any(map(_must_be_sampled, dice)) or _size(dice) > LARGEST:
        return _estimated(notations, SAMPLED // sum(term.count for term in dice))
    start: Ways = {fixed: 1}
    ways = reduce(_added, map(_of_term, dice), start)
    note = f"a die explodes {counted(BURSTS, 'time')} at most" if any(term.explode for term in dice) else ""
    return Distribution(dict(sorted(ways.items())), sum(ways.values()), note)


def _estimated(notations: tuple[str, ...], throws: int) -> Distribution:
    samples = [[total for total, _ in _sample(text, throws)] for text in notations]
    # Notations that are alike fall independently: each begins at another place of its sample.
    shifted = (each[at:] + each[:at] for at, each in enumerate(samples))
    found = Counter(map(sum, zip(*shifted, strict=True)))
    return Distribution(dict(sorted(found.items())), throws, f"estimated from {counted(throws, 'throw')}")


def _must_be_sampled(dice: Dice) -> bool:
    if dice.keep is None:
        return False
    if dice.explode is None:
        return dice.sides**2 * dice.count**3 > STEPS
    return dice.reroll is not None or BURSTS * dice.sides**2 * dice.count**6 > STEPS


def _size(dice: Iterable[Dice]) -> int:
    """Return about how many bytes the table of all totals takes."""
    bits = span = 0
    for one in dice:
        rounds = (2 if one.reroll is not None else 1) + (BURSTS if one.explode is not None else 0)
        bits += one.count * rounds * one.sides.bit_length()
        span += one.count * one.sides * (1 + BURSTS * (one.explode is not None))
    return bits // 8 * span


def _of_term(dice: Dice) -> Ways:
    """Return the ways of one group of dice, with its sign."""
    if dice.keep is None:
        ways = _power(_of_die(dice), dice.count)
    else:
        ways = _kept(dice) if dice.explode is None else _kept_of_bursting(dice)
    return {dice.sign * total: count for total, count in ways.items()}


def _first_faces(dice: Dice) -> Ways:
    """Return how often one die shows each face once it has been rerolled."""
    faces = range(1, dice.sides + 1)
    if dice.reroll is None:
        return dict.fromkeys(faces, 1)
    turned = sum(map(dice.reroll.holds, faces))
    if dice.reroll_once:
        return {face: turned + (0 if dice.reroll.holds(face) else dice.sides) for face in faces}
    return {face: 1 for face in faces if not dice.reroll.holds(face)}


def _of_die(dice: Dice) -> Ways:
    """Return how often one die comes to each sum, with what it brings by exploding."""
    first = _first_faces(dice)
    if dice.explode is None:
        return _worth(dice, first)
    further: Ways = {0: 1}
    for _ in range(BURSTS):
        further = _burst(dict.fromkeys(range(1, dice.sides + 1), 1), dice, further)
    return _burst(first, dice, further)


def _worth(dice: Dice, faces: Ways) -> Ways:
    """Return how often one die counts for each number."""
    if not dice.least:
        return faces
    made: dict[int, int] = {}
    for face, ways in faces.items():
        made[dice.worth(face)] = made.get(dice.worth(face), 0) + ways
    return made


def _burst(faces: Ways, dice: Dice, further: Ways) -> Ways:
    """Return the sums of a die of which the faces that explode bring further sums."""
    assert dice.explode is not None
    whole = sum(further.values())
    made: dict[int, int] = {}
    for face, ways in faces.items():
        for more, count in further.items() if dice.explode.holds(face) else ((0, whole),):
            worth = dice.worth(face) + more
            made[worth] = made.get(worth, 0) + ways * count
    return made


def _kept(dice: Dice) -> Ways:
    """Return how often the dice that are kept come to each sum.

    The faces are gone through from the one that is kept first. With so many dice accounted for, the sum of
    those that are kept is known: `sums[used][sum]`.
    """
    assert dice.keep is not None
    high = dice.keep.how in ("kh", "dl")
    number = dice.keep.number if dice.keep.how in ("kh", "kl") else dice.count - dice.keep.number
    sums: list[dict[int, int]] = [{0: 1}, *({} for _ in range(dice.count))]
    for face, ways in sorted(_first_faces(dice).items(), reverse=high):
        made: list[dict[int, int]] = [{} for _ in sums]
        for used, known in enumerate(sums):
            for more in range(dice.count - used + 1) if known else ():
                cases = comb(dice.count - used, more) * ways**more
                gained = dice.worth(face) * max(0, min(number - used, more))
                to = made[used + more]
                for total, count in known.items():
                    to[total + gained] = to.get(total + gained, 0) + count * cases
        sums = made
    return sums[dice.count]


def _kept_of_bursting(dice: Dice) -> Ways:
    """Return how often the dice that are kept come to each sum, of dice that explode.

    A die shows some faces that explode and a last one, after BURSTS explosions any. The faces are gone
    through from the one that is kept, or dropped, first, with how many dice of each sort are accounted for:
    those that explode, the last ones, and the last ones after BURSTS explosions.
    """
    assert dice.keep is not None
    assert dice.explode is not None
    many, sides, how = dice.count, dice.sides, dice.keep.how
    counted_first = how in ("kh", "kl")
    known: dict[tuple[int, int, int], Ways] = {(0, 0, 0): {0: 1}}
    for face in sorted(range(1, sides + 1), reverse=how in ("kh", "dh")):
        bursts = dice.explode.holds(face)
        made: dict[tuple[int, int, int], dict[int, int]] = {}
        for (exploding, last, forced), sums in known.items():
            used, left = exploding + last + forced, many - last - forced
            for burst in range(many * BURSTS - exploding + 1) if bursts else (0,):
                for final in (0,) if bursts else range(left + 1):
                    for more in range(left - final + 1):
                        cases = (
                            comb(exploding + burst, burst)
                            * comb(last + final, final)
                            * comb(forced + more, more)
                        )
                        new = burst + final + more
                        first = max(0, min(dice.keep.number - used, new))
                        gained = dice.worth(face) * (first if counted_first else new - first)
                        to = made.setdefault((exploding + burst, last + final, forced + more), {})
                        for total, count in sums.items():
                            to[total + gained] = to.get(total + gained, 0) + count * cases
        known = dict(made)
    found: dict[int, int] = {}
    for (exploding, last, forced), sums in known.items():
        if last + forced == many and exploding >= forced * BURSTS:
            chains = comb(many, forced) * _ways_to_share(exploding - forced * BURSTS, last)
            weight = chains * sides ** (many * (BURSTS + 1) - exploding - many)
            for total, count in sums.items():
                found[total] = found.get(total, 0) + count * weight
    return {total: count for total, count in found.items() if count}


def _ways_to_share(explosions: int, dice: int) -> int:
    """Return in how many ways so many explosions fall on dice with fewer than BURSTS each."""
    ways = [1]
    for _ in range(dice):
        ways = [sum(ways[max(0, at - BURSTS + 1) : at + 1]) for at in range(len(ways) + BURSTS - 1)]
    return ways[explosions] if explosions < len(ways) else 0


def _power(die: Ways, count: int) -> Ways:
    """Return the sums of so many equal dice."""
    made: Ways = {0: 1}
    while count:
        if count & 1:
            made = _added(made, die)
        count >>= 1
        die = _added(die, die) if count else die
    return made


def _added(a: Ways, b: Ways) -> Ways:
    """Return the sums of two independent throws.

    Both tables become one large number each, with room for a sum in every place; the product of the two
    numbers holds all sums.
    """
    width = (sum(a.values()) * sum(b.values())).bit_length() // 8 + 1
    low = min(a) + min(b)
    product = _packed(a, width) * _packed(b, width)
    data = product.to_bytes(width * (max(a) + max(b) - low + 1), "little")
    counts = (int.from_bytes(data[at : at + width], "little") for at in range(0, len(data), width))
    return {low + place: count for place, count in enumerate(counts) if count}


def _packed(ways: Ways, width: int) -> int:
    low = min(ways)
    data = bytearray(width * (max(ways) - low + 1))
    for total, count in ways.items():
        at = (total - low) * width
        data[at : at + width] = count.to_bytes(width, "little")
    return int.from_bytes(data, "little")


@lru_cache(maxsize=64)
def _sample(text: str, throws: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the totals and the faces of so many throws."""
    notation, dice = parse(text), random.Random(0)

    def draw(sides: int, count: int) -> tuple[int, ...]:
        return tuple(dice.choices(range(1, sides + 1), k=count))

    thrown = (throw(notation, draw) for _ in range(throws))
    return tuple((one.total, one.faces) for one in thrown)


# --- Faces that come to a total: to put in the place of those that fell


def faces_for(notation: Notation, total: int) -> tuple[int, ...]:
    """Return the faces of one throw that comes to `total`, in the order of `Throw.faces`.

    The sums are spread evenly over the dice that count. Raises ImpossibleFaces where no throw comes to it.
    """
    terms = [term for term in notation.terms if isinstance(term, Dice)]
    if any(term.keep is not None and term.explode is not None for term in terms):
        found = dict(_sample(str(notation), SAMPLED // sum(term.count for term in terms)))
        if total not in found:
            raise ImpossibleFaces(f"{notation} came to {total} in no throw of a sample")
        return found[total]
    left = total - sum(term.value for term in notation.terms if isinstance(term, Number))
    ranges = [_reachable(term) for term in terms]
    before = [*accumulate(ranges, _sums_of_both, initial=frozenset({0}))]
    if left not in before[-1]:
        raise ImpossibleFaces(f"{notation} never comes to {total}")
    shares: list[int] = []
    for reachable, earlier in zip(reversed(ranges), reversed(before[:-1]), strict=True):
        share = next(one for one in sorted(reachable) if left - one in earlier)
        shares.insert(0, share)
        left -= share
    return tuple(
        face for term, share in zip(terms, shares, strict=True) for face in _faces(term, share * term.sign)
    )


def _sums_of_both(a: frozenset[int], b: frozenset[int]) -> frozenset[int]:
    return frozenset(one + other for one in a for other in b)


class _Die(Struct, frozen=True):
    """A die that comes to `value`: the face that is thrown again, if one is, its face, those that follow."""

    value: int
    face: int
    rerolled: int = 0
    bursts: tuple[int, ...] = ()


@lru_cache(maxsize=256)
def _dice_by_value(dice: Dice) -> dict[int, _Die]:
    """Return one way for a die to come to each of its values, the shortest."""
    found: dict[int, _Die] = {}
    turned = 0
    if dice.reroll is not None:
        turned = next(face for face in range(1, dice.sides + 1) if dice.reroll.holds(face))
    for face in _first_faces(dice):
        again = turned if dice.reroll is not None and dice.reroll.holds(face) else 0
        last = [(dice.worth(face), ())] if dice.explode is None or not dice.explode.holds(face) else []
        rest = [_Die(value, face, again, bursts) for value, bursts in (*last, *_bursts(dice, face))]
        for die in rest:
            known = found.get(die.value)
            if known is None or len(die.bursts) + bool(die.rerolled) < len(known.bursts) + bool(
                known.rerolled
            ):
                found[die.value] = die
    return found


def _bursts(dice: Dice, face: int) -> Iterable[tuple[int, tuple[int, ...]]]:
    """Yield what a face that explodes comes to with the faces that follow it."""
    if dice.explode is None or not dice.explode.holds(face):
        return
    faces = range(1, dice.sides + 1)
    highest = max(filter(dice.explode.holds, faces))
    for many in range(BURSTS):
        for last in faces:
            if not dice.explode.holds(last):
                chain = (*(highest for _ in range(many)), last)
                yield sum(map(dice.worth, (face, *chain))), chain


@lru_cache(maxsize=64)
def _reach(dice: Dice, number: int) -> tuple[Collection[int], ...]:
    """Return the sums that 0, 1, ... `number` dice of a group come to."""
    values = _dice_by_value(dice)
    low, high = min(values), max(values)
    if len(values) == high - low + 1:
        return tuple(range(count * low, count * high + 1) for count in range(number + 1))
    return tuple(accumulate([frozenset(values)] * number, _sums_of_both, initial=frozenset({0})))


def _reachable(dice: Dice) -> frozenset[int]:
    """Return the sums that a group comes to, with its sign, by the throws that are put together here."""
    number = _counting(dice)
    return frozenset(dice.sign * one for one in _reach(dice, number)[number])


def _counting(dice: Dice) -> int:
    """Return how many dice of a group count; of those that explode, how many it has at first."""
    if dice.keep is None:
        return dice.count
    return dice.keep.number if dice.keep.how in ("kh", "kl") else dice.count - dice.keep.number


def _faces(dice: Dice, total: int) -> list[int]:
    """Return faces with which a group comes to a total."""
    known = _dice_by_value(dice)
    number = _counting(dice)
    reach = _reach(dice, number)
    chosen: list[_Die] = []
    for left in range(number, 0, -1):
        fair = total / left
        value = min((one for one in known if total - one in reach[left - 1]), key=lambda one: abs(one - fair))
        chosen.append(known[value])
        total -= value
    if dice.keep is not None:
        # The dice that are put aside show the face that is least worth keeping.
        low = dice.keep.how in ("kh", "dl")
        worst = (min if low else max)(known.values(), key=lambda one: one.value)
        chosen += [worst] * (dice.count - number)
    # Dice that were rerolled are further on in the throw, and explode after the others.
    chosen.sort(key=lambda one: bool(one.rerolled))
    faces = [one.rerolled or one.face for one in chosen]
    faces += [one.face for one in chosen if one.rerolled]
    for turn in range(BURSTS):
        faces += [one.bursts[turn] for one in chosen if turn < len(one.bursts)]
    return faces
