"""Draws the addresses of all dice of a round, as it was played and with one declaration changed."""

from collections.abc import Mapping
from typing import NamedTuple

from msgspec.structs import replace

from affray.engine import packaged, play
from affray.engine.text.narrate import Narrator
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.errors import counted
from affray.replay import Ruling, what_if
from making.explained.svg import AMBER, EDGE, FAINT, GREEN, GREY, RED, Drawing, Tint

FIGHT, ROUND = "demo_srd35", 2
CHANGED, ACT = "d15", "disarm fighter"
"""The declaration that is another one on the other line, and what it is there."""

SIDES = (14, 398)
"""Where the trees of both lines begin."""
COLUMN, ROW, DEEP, FACE = 348, 26, 26, 36
"""Pixels: how wide a tree is, how high a row, how far its leaves are set in, how wide a face."""


class Die(NamedTuple):
    """Dice that one address shows."""

    notation: str
    faces: str


class Branch(NamedTuple):
    """A declaration: what is said in it, and the dice that it had thrown, by address without its id."""

    said: str
    dice: dict[str, Die]


def lines() -> tuple[dict[str, Branch], dict[str, Branch]]:
    """Play the fight; return the declarations of the round as it was played, and with the change."""
    store = MemoryStore()
    play(replace(packaged(FIGHT), auto=ROUND), store)
    ruling = Ruling("the ogre goes for the sword", (f"{CHANGED}={ACT}",), author="GM")
    name = what_if(store, ruling=ruling, name="other").name
    return _declared(store, "main"), _declared(store, name)


def _declared(store: MemoryStore, line: str) -> dict[str, Branch]:
    narrator, found = Narrator(), {}
    for event in store.read(line):
        fact = decode(event)
        said = narrator.entry(fact).text
        if event.round != ROUND:
            continue
        if event.type == "declared":
            found[fact.id] = Branch(said.partition(" (")[0], {})
        elif event.type == "rolled":
            id, _, address = fact.key.partition("/")
            found[id].dice[address] = Die(fact.notation, " ".join(map(str, fact.faces)))
    return found


def _dice(line: Mapping[str, Branch]) -> set[tuple[str, str, Die]]:
    return {(id, address, die) for id, one in line.items() for address, die in one.dice.items()}


def picture() -> str:
    """Return the drawing."""
    played, other = lines()
    before, after = _dice(played), _dice(other)
    same, gone, new = before & after, before - after, after - before
    drawing = Drawing(
        f"The addresses of all dice of round {ROUND}, a tree by declarations, on two lines. {CHANGED} is "
        f"changed from {played[CHANGED].said} to {other[CHANGED].said}: {counted(len(gone), 'throw')} asked "
        f"for no longer, {len(new)} at new addresses, {len(same)} with the same faces as before"
    )
    for left, head in zip(SIDES, ("as it was played", f"with {CHANGED} changed"), strict=True):
        drawing.words((left, 24), head, size=13, bold=True)
        drawing.words((left, 46), f"the seed: {packaged(FIGHT).seed}", size=11, colour=FAINT, room=COLUMN)
    top = start = 54.0
    for id in played:
        for left, line, against in zip(SIDES, (played, other), (other, played), strict=True):
            _declaration(drawing, (left, top), id, line[id].said, changed=line[id].said != against[id].said)
            for at, (address, die) in enumerate(line[id].dice.items(), 1):
                kept = (id, address, die) in same
                tint = GREEN if kept else RED if line is played else AMBER
                drawing.line(
                    (
                        (left + 38, top + ROW * (at - 0.5) + (11 if at == 1 else 0)),
                        (left + 38, top + ROW * (at + 0.5)),
                    ),
                    EDGE,
                )
                _leaf(drawing, (left, top + ROW * at), address, die, tint, gone=tint is RED)
                if kept and line is played:
                    level = top + ROW * (at + 0.5)
                    drawing.line(((left + COLUMN, level), (SIDES[1] + DEEP, level)), GREEN.deep, dashed=True)
        last, top = top, top + ROW * (max(len(line[id].dice) for line in (played, other)) + 1) + 6
    for left in SIDES:
        drawing.line(((left + 6, start), (left + 6, last + ROW / 2)), EDGE)
    _key(drawing, top + 8, len(same), len(gone), len(new))
    return drawing.svg(top + 44)


def _declaration(drawing: Drawing, at: tuple[float, float], id: str, said: str, *, changed: bool) -> None:
    left, level = at[0], at[1] + ROW / 2
    drawing.line(((left + 6, level), (left + 18, level)), EDGE)
    tint = AMBER if changed else GREY
    drawing.box((left + 18, at[1] + 2), (40, ROW - 4), tint)
    drawing.words((left + 38, level + 4), id, mono=True, bold=True, anchor="middle", colour=tint.deep)
    drawing.words((left + 66, level + 4), said, bold=changed, room=COLUMN - 66)


def _leaf(
    drawing: Drawing, at: tuple[float, float], address: str, die: Die, tint: Tint, *, gone: bool
) -> None:
    """Draw an address below its declaration, and the faces that lie there."""
    left, level = at[0] + DEEP, at[1] + ROW / 2
    drawing.line(((left + 12, level), (left + 40, level)), EDGE)
    drawing.words((left + 46, level + 4), address, mono=True, struck=gone, colour=tint.deep)
    right = at[0] + COLUMN
    drawing.words((right - 46, level + 4), die.notation, size=11, colour=FAINT, anchor="end")
    drawing.box((right - FACE, level - 10), (FACE, 20), tint, dashed=gone)
    drawing.words((right - FACE / 2, level + 4), die.faces, bold=True, colour=tint.deep, anchor="middle")


def _key(drawing: Drawing, top: float, same: int, gone: int, new: int) -> None:
    left = 14.0
    for tint, text in (
        (GREEN, f"same address, same faces: {same}"),
        (RED, f"no longer asked: {gone}"),
        (AMBER, f"asked for the first time: {new}"),
    ):
        drawing.box((left, top), (18, 16), tint, dashed=tint is RED)
        drawing.words((left + 26, top + 12), text)
        left += 254
