"""Draws the path of one declaration: what was asked and appended when it was played, and by which rule."""

import sys
from collections.abc import Iterator
from inspect import CO_GENERATOR
from itertools import groupby
from types import FrameType
from typing import Any, NamedTuple

from msgspec.structs import replace

from affray.engine import Table, packaged, play
from affray.engine.steps import Choice, Roll
from affray.engine.text.narrate import Narrator
from affray.events import MemoryStore
from affray.events.codec import LABELS, decode
from affray.events.envelope import Event
from making.explained.svg import AMBER, BLUE, EDGE, FAINT, GREEN, VIOLET, WIDE, Drawing, Tint, wrapped

FIGHT, BEFORE = "demo_srd35", 4
"""The fight, and how many lines of its script are played before the declaration that is drawn."""

RULE, ASKED, LOG = (14, 222), (252, 132), (400, 346)
"""Where the three columns begin, and how wide they are."""
HEADS = ("who speaks", "who is asked", "what the log gains")
LINE, SMALL, GAP = 15, 11, 9


class Step(NamedTuple):
    """What a resolver yielded: from which function of which module."""

    module: str
    function: str
    what: Any


def traced(table: Table, act: Any) -> tuple[list[Step], tuple[Event, ...]]:
    """Declare an act; return what its resolvers yielded, each as it left the innermost, and its events."""
    steps: list[Step] = []
    kinds = {Roll, Choice, *LABELS}

    def look(frame: FrameType, event: str, value: Any) -> None:
        if event != "return" or type(value) not in kinds or not frame.f_code.co_flags & CO_GENERATOR:
            return
        if not steps or value is not steps[-1].what:
            steps.append(Step(frame.f_globals["__name__"], frame.f_code.co_name, value))

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        outcome = table.declare(act)
    finally:
        sys.setprofile(before)
    return steps, tuple(outcome.events)


class Row(NamedTuple):
    """An event of the declaration as it is drawn, beside the step that it comes from."""

    step: Step
    event: Event
    lines: list[str]

    @property
    def high(self) -> int:
        """Pixels from this row to the next one."""
        return 31 + LINE * len(self.lines)

    @property
    def tint(self) -> Tint:
        """Its colour, by who had the say."""
        return {Roll: AMBER, Choice: VIOLET}.get(type(self.step.what), GREEN)


def rows() -> tuple[Row, ...]:
    """Play the fight and return the rows of the drawing, the declaration itself first."""
    scenario, store = packaged(FIGHT), MemoryStore()
    table = play(replace(scenario, script=scenario.script[:BEFORE], auto=0), store)
    steps, events = traced(table, scenario.script[BEFORE].do)
    narrator = Narrator()
    said = {event.seq: narrator.entry(decode(event)).text for event in store.read("main")}
    return tuple(
        Row(step, event, wrapped(_short(said[event.seq], event), SMALL, LOG[1] - 20))
        for step, event in zip(
            (Step("affray.engine.table.table", "declare", None), *steps), events, strict=True
        )
    )


def _short(sentence: str, event: Event) -> str:
    """Return a sentence without the question that an answer repeats: it stands beside it."""
    return sentence.partition(" (")[0] if event.type == "chosen" else sentence


def picture() -> str:
    """Return the drawing."""
    found = rows()
    first, last = found[0].event, found[-1].event
    asked = sum(isinstance(one.step.what, Roll | Choice) for one in found)
    drawing = Drawing(
        f"The path of a declaration, {found[0].lines[0]}: {len({*_speakers(found)}) - 1} functions of "
        f"the rules speak in turn, ask {asked} times for dice or an answer, and {len(found)} events, "
        f"{first.seq} to {last.seq}, are appended to the log, each with a digest that covers the one before"
    )
    for (left, _), head in zip((RULE, ASKED, LOG), HEADS, strict=True):
        drawing.words((left, 24), head, size=13, bold=True)
    drawing.words((LOG[0] + LOG[1], 24), "digest", size=SMALL, colour=FAINT, anchor="end")
    top = 36.0
    for _, group in groupby(found, key=lambda row: row.step[:2]):
        top = _group(drawing, list(group), top)
    drawing.words(
        (LOG[0] + LOG[1], top + 12),
        f"{len(found)} events in one transaction: all of them, or none",
        size=SMALL,
        colour=FAINT,
        anchor="end",
    )
    return drawing.svg(top + 24)


def _speakers(found: tuple[Row, ...]) -> Iterator[tuple[str, str]]:
    return (row.step[:2] for row in found)


def _group(drawing: Drawing, group: list[Row], top: float) -> float:
    """Draw what one function says in a row; return where the next begins."""
    step, high = group[0].step, sum(row.high for row in group)
    tint = BLUE if step.what is not None else GREEN
    drawing.box((RULE[0], top), (RULE[1], high - GAP), tint)
    place = step.module.removeprefix("affray.engine.").removeprefix("rules.").replace(".", "/")
    drawing.words((RULE[0] + 8, top + 16), place, size=SMALL, colour=FAINT, room=RULE[1] - 12)
    drawing.words((RULE[0] + 8, top + 31), step.function, mono=True, bold=True, room=RULE[1] - 12)
    for row in group:
        _row(drawing, row, top)
        top += row.high
    return top


def _row(drawing: Drawing, row: Row, top: float) -> None:
    what, high, level = row.step.what, row.high - GAP, top + 18
    if isinstance(what, Roll | Choice):
        fact = decode(row.event)
        question = f"{what.notation} for {what.purpose}?" if isinstance(what, Roll) else f"{what.purpose}?"
        answer = (
            f"the seed: {', '.join(map(str, fact.faces))}"
            if isinstance(what, Roll)
            else f"{fact.by.replace(':', ' ')}: {fact.answer}"
        )
        drawing.box((ASKED[0], top), (ASKED[1], high), row.tint)
        drawing.words((ASKED[0] + 8, top + 16), question, size=SMALL, room=ASKED[1] - 12)
        drawing.words((ASKED[0] + 8, top + 31), answer, size=SMALL, bold=True, room=ASKED[1] - 12)
        drawing.line(((RULE[0] + RULE[1], level), (ASKED[0], level)), row.tint.deep, arrow=True)
        start = ASKED[0] + ASKED[1]
    else:
        start = RULE[0] + RULE[1]
    drawing.line(((start, level), (LOG[0], level)), row.tint.deep, arrow=True)
    drawing.box((LOG[0], top), (LOG[1], high), row.tint)
    if what is not None:
        drawing.line(((WIDE - 48, top - GAP), (WIDE - 48, top)), EDGE, arrow=True)
    head = f"{row.event.seq}  {row.event.type}"
    drawing.words((LOG[0] + 8, top + 16), head, mono=True, bold=True, colour=row.tint.deep)
    drawing.words(
        (LOG[0] + LOG[1] - 8, top + 16),
        row.event.digest.hex()[:8],
        size=SMALL,
        mono=True,
        colour=FAINT,
        anchor="end",
    )
    for at, line in enumerate(row.lines):
        drawing.words((LOG[0] + 8, top + 16 + LINE * (at + 1)), line, size=SMALL)
