"""Dice, modifiers, squares and durations in words."""

import re
from collections.abc import Iterable

from msgspec import UNSET

from affray.events.facts.combat import Until
from affray.events.facts.flow import Rolled
from affray.events.facts.sheet import Bonus, Modifier
from affray.events.facts.words import DialectWords
from affray.projections.sentence import faces

# The values of the sheet are in the total already; a story names what the situation adds.
_EVERYDAY = frozenset(
    {
        "ability",
        "armor",
        "base",
        "class",
        "deflection",
        "enhancement",
        "equipment",
        "feat",
        "natural",
        "proficiency",
        "racial",
        "shield",
        "size",
        "skill",
    }
)
_CITATION = re.compile(r"(?<!\s)\s*\([a-z0-9-]+\.[a-z0-9.-]+\)$")
_OVERRULED = ("overruled by", "halved:", "over the cap", "touch attack", "counts once,", "part of being")


def sign(value: int) -> str:
    """Return a number as a term of a sum: " + 7" or " - 2"."""
    return f" {'+' if value >= 0 else '-'} {abs(value)}"


def dice(roll: Rolled) -> str:
    """Return a roll in words: "d20 14", "2d8 (5, 3) = 8", with the origin of the results if unusual."""
    origin = {"physical": " physical", "overridden": " overridden", "imported": " imported"}
    mark = origin.get(roll.provenance, "")
    if roll.notation.startswith("1d") and roll.notation[2:].isdigit() and len(roll.faces) == 1:
        return f"{roll.notation[1:]} {roll.faces[0]}{mark}"
    return f"{roll.notation} ({faces(roll)}){mark} = {roll.total}"


def check(name: str, words: DialectWords) -> str:
    """Return the name of a check in the words of its dialect."""
    return words.checks.get(name, f"{name.replace('-', ' ').replace('.', ' ')} check")


def format_notable_modifiers(
    parts: Iterable[Modifier], words: DialectWords, where: str = "", printed: Iterable[Bonus] = ()
) -> list[str]:
    """Return what the situation adds or denies, "+2 flanking with Vex"; `where` names the number it changes.

    `printed` are the bonuses of the sheet, which are left out.
    """
    parts = [*parts]
    everyday = {(bonus.kind, bonus.source or bonus.kind) for bonus in printed}
    said = format_roll_modes(parts, words)
    for part in parts:
        if part.kind in words.roll_modes:
            continue
        if part.denied:
            if not part.denied.startswith(_OVERRULED):
                said.append(_CITATION.sub("", part.denied))
        elif part.value and part.kind not in _EVERYDAY and (part.kind, part.source) not in everyday:
            said.append(f"{f'{where} ' if where else ''}{part.value:+d} {part.source or part.kind}")
    return list(dict.fromkeys(said))


def format_roll_modes(parts: Iterable[Modifier], words: DialectWords) -> list[str]:
    """Return what changes the dice of a test, each with its sources: "Advantage: steady aim"."""
    modes: dict[tuple[str, str], list[str]] = {}
    for part in parts:
        if part.kind in words.roll_modes:
            denied = f", {_CITATION.sub('', part.denied)}" if part.denied else ""
            modes.setdefault((words.roll_modes[part.kind], denied), []).append(part.source or part.kind)
    return [f"{mode}: {', '.join(dict.fromkeys(why))}{denied}" for (mode, denied), why in modes.items()]


def bracketed(said: list[str]) -> str:
    """Return notes in brackets after a space, nothing for none."""
    return f" [{'; '.join(said)}]" if said else ""


def until(span: Until, name: str) -> str:
    """Return how long something lasts, "" if unknown."""
    if span.count is not UNSET:
        return f"until just before count {span.count} of round {span.round}"
    if span.when in ("turn-start", "turn-end"):
        edge = "start" if span.when == "turn-start" else "end"
        return f"until the {edge} of {name}'s turn" + (f" in round {span.round}" if span.round else "")
    if span.when == "round-end":
        return f"until the end of round {span.round}" if span.round else "until the end of the round"
    if span.when == "concentration":
        return f"while {name} concentrates"
    if span.when == "declaration":
        return "for this event"
    return "until rested" if span.when == "rest" else ""
