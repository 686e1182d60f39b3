"""A way of one's own at the prompt: priced before it is declared, and asked about where it is struck at."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from affray.engine.grid.battlefield import Square
from affray.engine.table.legal import Price, price, with_a_way
from affray.events.codec import encode
from affray.events.facts import acts
from affray.events.facts.declared import AnyAct
from affray.replay.prompt.meant import DB, Command, Meant, Unclear, Which
from affray.replay.prompt.moment import Moment

SQUARE: Final = re.compile(r"(-?\d{1,4}),(-?\d{1,4})")
ALONG: Final[Mapping[str, type[acts.Move | acts.Withdraw | acts.Run | acts.Charge]]] = MappingProxyType(
    {"move": acts.Move, "withdraw": acts.Withdraw, "run": acts.Run, "charge": acts.Charge}
)
"""Movements by their names that go along squares of one's own."""
STRAIGHT: Final[Mapping[str, type[acts.Charge | acts.Overrun]]] = MappingProxyType(
    {"charge": acts.Charge, "overrun": acts.Overrun}
)
"""Those that go straight at somebody: their way is found where the target alone is named."""


def square_of(word: str) -> Square:
    """Return the square that a word names. Raises Unclear."""
    found = SQUARE.fullmatch(word)
    if found is None:
        raise Unclear(f"{word!r} is no square: write it as 4,1")
    return int(found[1]), int(found[2])


def apart(words: Sequence[str]) -> list[str]:
    """Return the words with each square for itself: `4,1>5,2` is two."""
    return [part for word in words for part in (word.split(">") if "," in word else [word]) if part]


def own_way(now: Moment, name: str, words: Sequence[str]) -> Meant | None:
    """Return what a movement along squares means, None where the words are no such thing.

    A charge names its target first, and no squares where the rules may find them. Raises Unclear where they
    refuse the way.
    """
    if name in STRAIGHT and len(words) == 1 and now.called(words[0]):
        act: AnyAct = STRAIGHT[name](actor=now.actor.id, target=now.one_called(words[0]))
        return walked(now, price(now.fight, with_a_way(now.fight, act)), own=False)
    some, target = apart(words), ""
    if name == "charge" and some:
        target, *some = some
    if name not in ALONG or not some or not all(map(SQUARE.fullmatch, some)):
        return None
    path, actor = tuple(map(square_of, some)), now.actor.id
    if name == "charge":
        act = acts.Charge(actor=actor, target=now.one_called(target), path=path)
    else:
        act = ALONG[name](actor=actor, path=path)
    return walked(now, price(now.fight, act))


def walked(now: Moment, found: Price, *, own: bool = True) -> Meant:
    """Return what declares a way, asked about first where it gives somebody an opening.

    What a way of one's `own` costs is told at once.
    """
    if found.refused:
        raise Unclear(f"{now.cast.prose(found.refused)} ({found.rule})")
    told = told_of(now, found)
    going = ("do", DB, encode(found.act).decode())
    if not found.past:
        return Command(going, told=(told,) if own else ())
    past = " and ".join(now.cast.name(id) for id in found.past)
    choices = {"y": ("go", Command(going)), "n": ("stay", None)}
    return Which(f"{told}, past {past}, who may strike:", choices)


def told_of(now: Moment, found: Price) -> str:
    """Return what a way costs and leaves, and on what the rest of it depends."""
    parts = [
        f"{found.feet} ft." if found.feet is not None else "",
        f"{found.left} left" if found.left is not None else "",
        f"the rest depends on: {now.cast.prose(found.depends)}" if found.depends else "",
    ]
    return ", ".join(filter(None, parts))
