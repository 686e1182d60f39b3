"""One throw: which dice fell, which of them count, and what they add up to."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from affray.engine.dice.notation import Dice, Notation
from affray.events.errors import AffrayError
from affray.events.wording import counted

MAX_EXTRA = 1000
"""Rerolls and explosions of one term together; beyond it, dice stay as they fell."""

Draw = Callable[[int, int], tuple[int, ...]]
"""`draw(sides, count)`: that many faces, each in 1..sides."""


class ImpossibleFaces(AffrayError):
    """These faces cannot come from a throw of that notation."""


class TooFewFaces(ImpossibleFaces):
    """The throw needs more faces than there are."""


class Throw(Struct, frozen=True, gc=False):
    """What fell. Index tuples point into `faces` and ascend.

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
    """The throw that showed exactly these faces, in the order of `Throw.faces`.

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
    """The throw, and how many of its faces belong to each term."""
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
    return sum(faces[index] for index in live)


def _onto(faces: list[int], draw: Draw, sides: int, count: int) -> range:
    start = len(faces)
    faces += draw(sides, count)
    return range(start, len(faces))
