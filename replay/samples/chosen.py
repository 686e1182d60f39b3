"""Which fights the sample set has: who meets whom, where, and with which dice, all by the fight's number."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final, TypeVar

from affray.engine.table.scenario_parts import Entrant, Scenario, packaged_sheets
from affray.events.errors import AffrayError
from affray.replay.samples.grounds import GROUNDS

Item = TypeVar("Item")

FIGHTS: Final = 200
DIALECTS: Final = ("srd35", "pf1", "woa", "futurepath")
"""Fights go round them: a quarter of any multiple of four is of each."""

HEROES: Final[Mapping[str, tuple[str, ...]]] = {
    "futurepath": ("fighter", "sorcerer", "soldier", "medic", "hacker", "sniper"),
    "": ("fighter", "sorcerer", "cleric", "rogue", "barbarian", "archer", "monk"),
}
"""Of which sheets one side is, by dialect, "" of those not named; all other sheets are the other side."""

ROUNDS: Final = 40
"""A fight that is not over by then stays undecided."""
LARGEST: Final = 6
"""Combatants of the other side."""


def sample(number: int) -> Scenario:
    """Return the fight of a number, counted from 1: the same always and everywhere. Raises AffrayError."""
    if number < 1:
        raise AffrayError(f"fights are counted from 1, not from {number}")
    drawn = _Drawn(number)
    dialect = DIALECTS[(number - 1) % len(DIALECTS)]
    ground = drawn.one_of(sorted(GROUNDS), "ground")
    return Scenario(
        map=GROUNDS[ground],
        combatants=tuple(_entrants(dialect, drawn)),
        dialect=dialect,
        name=f"{number:03}-{dialect}-{ground}",
        seed=f"affray sample {number}",
        auto=ROUNDS,
    )


class _Drawn:
    """What is drawn for a fight by its number and by what it is for, alike in every version of Python."""

    def __init__(self, number: int) -> None:
        self._number = number

    def one_of(self, items: Sequence[Item], *purpose: object) -> Item:
        said = "/".join(str(word) for word in (self._number, *purpose))
        return items[int.from_bytes(blake2b(said.encode(), digest_size=8).digest()) % len(items)]


def _entrants(dialect: str, drawn: _Drawn) -> Iterator[Entrant]:
    """Yield two to four heroes, and others until together they have four fifths of their hit points."""
    sheets: Mapping[str, Mapping[str, Any]] = packaged_sheets(dialect)
    heroes = HEROES.get(dialect, HEROES[""])
    others = [name for name in sheets if name not in heroes]
    band = []
    for place in range(drawn.one_of((2, 3, 3, 4), "heroes")):
        left = [name for name in heroes if name not in band]
        band.append(drawn.one_of(left, "hero", place))
    hit_points = sum(sheets[name]["hp"] for name in band)
    kind = drawn.one_of(others, "first")
    company = [kind]
    while len(company) < LARGEST and sum(sheets[name]["hp"] for name in company) < 0.8 * hit_points:
        # Mostly more of a kind, as they are met.
        company.append(
            kind
            if drawn.one_of((1, 1, 1, 0), "more", len(company))
            else drawn.one_of(others, "other", len(company))
        )
    for side, names, columns in (("heroes", band, (2, 0)), ("monsters", company, (16, 18))):
        for place, name in enumerate(names):
            at = columns[place % 2], 1 + 3 * (place // 2) + place % 2
            yield Entrant(id=_id(names, place), side=side, use=name, at=at)


def _id(names: Sequence[str], place: int) -> str:
    """Return what one of a side is called: its kind, numbered where there are several of it."""
    name = names[place]
    return f"{name}-{names[:place].count(name) + 1}" if names.count(name) > 1 else name
