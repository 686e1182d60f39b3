"""Errors put into entries at random, each of a kind that the words of the format can show."""

import random
from collections.abc import Callable, Sequence
from copy import deepcopy

from tests.refereed.entries import Entry

HITS = ("hit", "threat", "critical")


def _sum(entry: Entry, dice: random.Random, format: str) -> bool:
    """The total is another one."""
    if not entry.dice:
        return False
    added = dice.choice((-10, -3, -2, -1, 1, 2, 3, 10))
    if entry.sum < 2 and entry.total + added in (0, 1):
        return False  # what dice rollers raise to 1
    entry.total += added
    return True


def _face(entry: Entry, dice: random.Random, format: str) -> bool:
    """A die shows more than it has, or nothing."""
    if not entry.dice or (
        format == "foundry text"
        and (len(entry.dice) > 1 or entry.dice[0].notation != f"1d{entry.dice[0].sides}")
    ):
        return False
    if format == "plain" and entry.kind == "attack" and entry.shown:
        return False  # which of the numbers is the die cannot be seen
    one = dice.choice(entry.dice)
    place = dice.randrange(len(one.faces))
    before = one.value
    one.faces[place] = (dice.choice((0, one.sides + 1, one.sides + dice.randint(2, 9))), one.faces[place][1])
    entry.total += one.value - before
    return True


def _count(entry: Entry, dice: random.Random, format: str) -> bool:
    """A die too few or too many is shown."""
    plain = [one for one in entry.dice if one.notation == f"{one.count}d{one.sides}"]
    if not plain or format == "foundry text" or (format == "plain" and entry.kind == "attack"):
        return False
    if format == "brackets" and (len(entry.dice) > 1):
        return False
    one = dice.choice(plain)
    before = one.value
    if len(one.faces) > 1 and dice.random() < 0.5:
        one.faces.pop()
    else:
        one.faces.append((dice.randint(1, one.sides), ""))
    entry.total += one.value - before
    return True


def _modifier(entry: Entry, dice: random.Random, format: str) -> bool:
    """Another number is added than the notation says."""
    if format not in ("pbp", "foundry text", "roll20 text", "roll20 html") or not entry.constants:
        return False
    place = dice.randrange(len(entry.shown))
    changed = entry.shown[place] + dice.choice((-2, -1, 1, 2))
    if not changed or (changed < 0) != (entry.shown[place] < 0):
        return False
    entry.total += changed - entry.shown[place]
    entry.shown[place] = changed
    if entry.outcome and entry.needed is not None:
        entry.outcome, entry.needed = "", None
    return True


def _turned(entry: Entry, dice: random.Random, format: str) -> bool:
    """What came of it is told the other way round."""
    others = {
        "miss": "hit",
        "success": "failure",
        "failure": "success",
        "not confirmed": "confirmed",
        "confirmed": "not confirmed",
    }
    if entry.outcome not in (*others, *HITS) or entry.excuse or not entry.dice or entry.needed is None:
        return False
    if entry.kind == "check" and entry.dice[0].faces[0][0] in (1, 20):
        return False
    entry.outcome = others.get(entry.outcome, "miss")
    return True


def _natural_20(entry: Entry, dice: random.Random, format: str) -> bool:
    """A natural 20 is taken for a miss or a failure."""
    return _natural(entry, 20, {"attack": "miss", "save": "failure", "confirmation": "not confirmed"}, format)


def _natural_1(entry: Entry, dice: random.Random, format: str) -> bool:
    """A natural 1 is taken for a hit or a success."""
    return _natural(entry, 1, {"attack": "hit", "save": "success", "confirmation": "confirmed"}, format)


def _natural(entry: Entry, face: int, endings: dict[str, str], format: str) -> bool:
    if entry.kind not in endings or entry.excuse:
        return False
    entry.total += face - entry.dice[0].faces[0][0]
    entry.dice[0].faces[0] = (face, "")
    entry.outcome = endings[entry.kind]
    return True


def _kept(entry: Entry, dice: random.Random, format: str) -> bool:
    """Other dice are kept than the highest or lowest."""
    marked = ("avrae", "plain", "foundry json", "roll20 json", "roll20 html", "brackets")
    if format not in marked or (format == "brackets" and entry.shown == entry.constants):
        return False
    for one in entry.dice:
        dropped = [place for place, (_, fate) in enumerate(one.faces) if fate == "dropped"]
        live = [place for place, (_, fate) in enumerate(one.faces) if not fate]
        for place in dropped:
            for other in live:
                if one.faces[place][0] != one.faces[other][0]:
                    before = one.value
                    one.faces[place] = (one.faces[place][0], "")
                    one.faces[other] = (one.faces[other][0], "dropped")
                    entry.total += one.value - before
                    return True
    return False


def _points(entry: Entry, dice: random.Random, format: str) -> bool:
    """Points are counted wrongly."""
    if entry.kind == "hit points":
        before, change, after = entry.numbers
        after += dice.choice((-5, -2, -1, 1, 2, 10))
        if after == 0:
            return False  # where some tools stop
        entry.numbers = before, change, after
        return True
    if entry.kind == "half":
        whole, half = entry.numbers
        entry.numbers = whole, half + dice.choice((-3, -2, 2, 3, 7))
        return entry.numbers[1] >= 0
    return False


def _least(entry: Entry, dice: random.Random, format: str) -> bool:
    """A hit deals less than nothing."""
    if entry.kind != "hit points":
        return False
    entry.kind, entry.numbers = "least", (0, -dice.randint(1, 4))
    return True


ERRORS: dict[str, Callable[[Entry, random.Random, str], bool]] = {
    "sum": _sum,
    "face": _face,
    "count": _count,
    "modifier": _modifier,
    "turned": _turned,
    "natural 20": _natural_20,
    "natural 1": _natural_1,
    "kept": _kept,
    "points": _points,
    "least": _least,
}
"""Kind of error -> what puts it into an entry; False where that entry, so written, cannot show it."""

UNCONFIRMED = "unconfirmed"
"""The kind of error that takes the roll away which confirms a critical hit."""

Planted = tuple[list[Entry], list[tuple[int, str]]]
"""The entries with errors, and the place and kind of each."""


def planted(entries: Sequence[Entry], dice: random.Random, format: str, share: float = 0.1) -> Planted:
    """Return a copy of the entries with errors in about that share of them, each kind alike."""
    spoilt = deepcopy(list(entries))
    errors: list[tuple[int, str]] = []
    gone: set[int] = set()
    for place, entry in enumerate(spoilt):
        if place in gone or dice.random() >= share:
            continue
        kinds = [*ERRORS, UNCONFIRMED]
        dice.shuffle(kinds)
        for kind in kinds:
            if kind == UNCONFIRMED:
                following = spoilt[place + 1] if place + 1 < len(spoilt) else None
                if (
                    entry.outcome == "critical"
                    and following is not None
                    and following.kind == "confirmation"
                    and not entry.excuse
                ):
                    gone.add(place + 1)
                    errors.append((place, kind))
                    break
            elif ERRORS[kind](tried := deepcopy(entry), dice, format):
                spoilt[place] = tried
                errors.append((place, kind))
                break
    left = [place for place in range(len(spoilt)) if place not in gone]
    return [spoilt[place] for place in left], [(left.index(place), kind) for place, kind in errors]
