"""Combatants carried from random fights into new ones, and compared field by field."""

import random
from typing import Any, Final

from msgspec.structs import fields, replace

from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.events.facts.combat import Until
from affray.projections.state import Affliction, Combatant, Encounter
from affray.replay.campaign.carry import STAYS, TIMED, Between, CarriedOver, Journey, carry
from tests.house.crowds import crowding_act
from tests.house.fights import MOST, opened
from tests.house.wild import anywhere, wild_act

OPEN_GROUND: Final = ("." * 60,) * 60
"""A map on which everybody has a place of its own, far from all others."""
APART: Final = 9
"""More squares than the largest takes up."""
IN_A_ROW: Final = 6


def fought(dialect: str, seed: int, declarations: int = 40) -> MemoryStore:
    """Return the log of a random fight that waits for nobody."""
    dice = random.Random(f"carried {dialect} {seed}")
    store = MemoryStore()
    table = opened(dialect, store, seed) if seed % 2 else anywhere(dice, dialect, store, seed)
    if not table.state.begun:
        table.declare(acts.Begin())
    for _ in range(declarations):
        if table.waiting is not None:
            asked = table.waiting
            table.choose(dice.choice(asked.options) if asked.options else "roll")
            continue
        act = next_act(table) if dice.random() < 0.5 else None
        if act is None and dice.random() < 0.4:
            act = crowding_act(dice, table.fight)
        if act is None or (isinstance(act, acts.Enter) and len(table.state.combatants) >= MOST):
            act = wild_act(dice, table.fight)
        if not isinstance(act, acts.Close):
            table.declare(act)
    while table.waiting is not None:
        asked = table.waiting
        table.choose(asked.options[0] if asked.options else "roll")
    return store


def next_fight(former: Table, **options: Any) -> Table:
    """Return a new fight by the same rules on open ground."""
    state = former.state
    return Table.create(
        MemoryStore(),
        dialect=state.dialect,
        terrain=OPEN_GROUND,
        name="the next one",
        options=state.options,
        tables=state.tables,
        house_rules=[one.name for one in state.packages if one.name != state.dialect],
        seed=options.pop("seed", b"the next fight of them all" + b"." * 6),
    )


def all_carried(store: MemoryStore, between: Between) -> tuple[Table, Table, list[CarriedOver]]:
    """Carry everybody out of a fight; return it, the next one, and what became of each."""
    former = Table(store)
    following = next_fight(former)
    places = {
        id: (APART * (place % IN_A_ROW) + 1, APART * (place // IN_A_ROW) + 1)
        for place, id in enumerate(former.state.combatants)
    }
    journey = Journey(places=places, between=between, dead=True)
    made = carry(store, list(former.state.combatants), following.store, journey=journey)
    return former, Table(following.store), made


def seen(one: Combatant, state: Encounter) -> dict[str, Any]:
    """Return the state of a combatant, moments counted from now, each part of several by its name."""
    shown: dict[str, Any] = {}
    for name in (field.name for field in fields(Combatant) if field.name not in STAYS):
        value = getattr(one, name)
        if name == "resources":
            value = {key: n for key, n in value.items() if n}
        elif name == "conditions":
            value = {key: replace(held, until=left_of(held.until, state)) for key, held in value.items()}
        elif name == "effects":
            value = {each.id: replace(each, until=left_of(each.until, state)) for each in value}
        elif name == "afflictions":
            value = {each.id: due_in(each, state) for each in value}
        shown |= (
            {f"{name} {key}": each for key, each in value.items()}
            if isinstance(value, dict)
            else {name: value}
        )
    return shown


def left_of(until: Until, state: Encounter) -> Until:
    """Return a moment counted from now."""
    return replace(until, round=until.round - state.round) if until.when in TIMED else until


def due_in(one: Affliction, state: Encounter) -> Affliction:
    """Return an affliction whose moments are counted from now, at once for one that is overdue."""
    round = one.round if one.round < 0 else max(0, one.round - state.round)
    return replace(
        one, round=round, minute=one.minute if one.minute < 0 else max(0, one.minute - state.minutes)
    )


def differences(former: Encounter, following: Encounter, found: CarriedOver) -> list[str]:
    """Return each part of the state in which somebody is not what it was, and of which nothing says so."""
    was, now = (seen(state.combatants[found.id], state) for state in (former, following))
    told = [(left.field, left.what) for left in found.leaving.left]
    odd = []
    for part in sorted({*was, *now}):
        field, _, name = part.partition(" ")
        if was.get(part) == now.get(part):
            continue
        effect = was.get(part) if field == "effects" else None
        named = (name, effect.modifier.source if effect else name)
        if part in was and any(of == field and what.startswith(named) for of, what in told):
            continue
        odd.append(f"{found.id}.{part}: {was.get(part)!r} was, {now.get(part)!r} is")
    return odd
