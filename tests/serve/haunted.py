"""Fights with somebody in them whom only the game master sees."""

import random
from typing import Any

from msgspec.structs import replace

from affray.engine.table import policies
from affray.engine.table.table import Table
from affray.events.codec import decode, encode
from affray.events.envelope import Entry, Event
from affray.events.facts import acts
from affray.events.facts.flow import CombatantEntered, Declared
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.projections.state import Encounter
from affray.replay.privacy.audience import Audience
from affray.replay.privacy.visibility import Mentions
from affray.replay.serve.messages import CloudEvent
from affray.replay.serve.visibility import ENDING, PASSING, Counted, Passed, Passing, Teller
from tests.house.fights import opened, play_wildly

GHOST, NAME = "zorgimp", "Vexlord the Grim"
"""The id of the hidden combatant and the name on its sheet: words that stand nowhere else."""


def haunted(dialect: str, seed: int, turns: int = 40) -> MemoryStore:
    """Return the log of a random fight of the packaged combatants and of one more."""
    store = MemoryStore()
    table = opened(dialect, store, seed)
    table.use(answers=policies.auto)
    dice = random.Random(f"{dialect} {seed}")
    bring(table, dice.choice([*table.state.combatants.values()]).id)
    table.declare(acts.Begin())
    play_wildly(table, dice, turns)
    return store


def bring(table: Table, like: str, id: str = GHOST, name: str = NAME) -> None:
    """Let a copy of somebody enter beside somebody of another side, or wherever it can stand."""
    model = table.state.combatants[like]
    sheet = replace(model.sheet, name=name)
    foes = [one for one in table.state.combatants.values() if one.side != model.side] or [model]
    x, y = foes[0].at
    for radius in range(1, 9):
        for dx in range(-radius, radius + 1):
            for dy in range(-radius, radius + 1):
                entry = acts.Enter(id=id, side=model.side, sheet=sheet, at=(x + dx, y + dy))
                if table.declare(entry).refused is None:
                    return
    raise AssertionError("there is no room")


def called_otherwise(store: Store, name: str) -> MemoryStore:
    """Return the log in which the hidden combatant's sheet has another name."""
    made = MemoryStore()
    for head, event in enumerate(store.read("main")):
        fact = decode(event)
        if isinstance(fact, Declared) and isinstance(fact.act, acts.Enter) and fact.act.id == GHOST:
            assert fact.act.sheet is not None
            fact = replace(fact, act=replace(fact.act, sheet=replace(fact.act.sheet, name=name)))
        elif isinstance(fact, CombatantEntered) and fact.id == GHOST:
            fact = replace(fact, sheet=replace(fact.sheet, name=name))
        put(made, head, event, fact)
    return made


def put(store: MemoryStore, head: int, event: Event, fact: Any) -> None:
    """Append a fact where an event of another log stands."""
    entry = Entry(event.type, event.version, event.round, event.turn, event.actor, event.cause, encode(fact))
    store.append("main", [entry], head)


def passed_without(store: Store, id: str) -> list[Passed]:
    """Return the events of a fight as they would stand there without somebody: none that names it is left,
    lists are without it, and what its turns end with follows from the turns before.
    """
    sheets = {
        fact.id: fact.sheet.name for event in store.read("main")
        if event.type == "combatant.entered" and (fact := decode(event))
    }  # fmt: skip
    looked_for = Mentions(sheets, [id])
    found, gone, unheard = [], set[int](), dict[str, str]()
    passed, flows = (0, ""), False
    for event in store.read("main"):
        fact = decode(event)
        if event.type == "declared":
            flows = False
        for name in ("order", "aware", "surprised", "standing"):
            if hasattr(fact, name):
                fact = replace(fact, **{name: tuple(one for one in getattr(fact, name) if one != id)})
        if hasattr(fact, "why") and event.type == "order.set" and looked_for.within(fact.why):
            fact = replace(fact, why="")
        if event.type == "refused":
            if event.cause in gone:
                continue
            fact = replace(fact, reason="")
        if looked_for.within(encode(fact).decode().replace('"', " ")):
            gone.add(event.seq)
            if event.type == "declared":
                unheard[fact.id] = "d0.0"
            continue
        flows = flows or (event.cause in gone and event.type in PASSING)
        if flows:
            event = replace(event, cause=passed[0], actor=passed[1])
        if event.type in ENDING:
            passed = event.cause, event.actor
        if event.actor == id:
            event = replace(event, actor="")
        declaration = getattr(fact, "key", "").partition("/")[0]
        if declaration in unheard:
            fact = replace(fact, key=fact.key.replace(declaration, unheard[declaration], 1))
        found.append(Passed(replace(event, data=encode(fact)), fact, None, None))
    return found


def told_straight(passed: list[Passed], who: Audience) -> list[CloudEvent]:
    """Return what is told of events that no state is made of."""
    counted = Counted(who)
    counted.take(one.event for one in passed)
    teller = Teller(who, Encounter(), (), "", ("main", 0), counted)
    return list(teller.tell(passed, frames=False))


def state_of(store: Store) -> Encounter:
    """Return how a fight stands."""
    return Passing(store, "main", store.head("main").seq, framed=False).state
