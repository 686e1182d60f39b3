"""Fights in tight passages, several on a side, and declarations that bring combatants into one another's way.

What comes of them is likely to be two in one place: somebody run over, pushed, thrown, grappled or felled on
the way through others, a mount that loses its rider, somebody who comes in where there is hardly room.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Mode
from affray.engine.table.table import Table
from affray.events.facts import acts
from affray.events.facts.sheet import Sheet
from affray.events.stores.store import Store
from affray.projections.state import Combatant
from tests.house.wild import apart, heard, sheets, sign

Square = tuple[int, int]

PASSAGES = (
    ("............", "............", "............", "............"),
    ("############", "............", "############"),
    ("#####..#####", "............", "............", "#####..#####"),
    ("............", "....####....", "............", "....####....", "............"),
    ("....#.......", "....#.......", "............", "....#.......", "....#......."),
    ("..~~~.......", "..~~~..T....", ".......T....", "..==........", "..==...%%..."),
    ("......  ....", "......  ....", "............", "......  ....", "..^^........"),
)
WAYS = (
    "normal",
    "tumble",
    "crowd",
    "squeeze",
    "defensive",
    "double",
    "leave",
    "tumble-fast",
    "careful",
    "fast",
)
FELLING = ("prone", "paralyzed", "stunned", "unconscious", "dazed", "invisible", "blinded", "entangled")


def crowded(dice: random.Random, dialect: str, store: Store, seed: int, memory: Mode | bool = True) -> Table:
    """Return a table with some on each side, close together in a tight place, not begun."""
    table = Table.create(
        store,
        dialect=dialect,
        terrain=dice.choice(PASSAGES),
        seed=f"crowded {seed}".ljust(32)[:32].encode(),
        memory=memory,
    )
    for number in range(40):
        if len(table.state.combatants) >= dice.randint(4, 8):
            break
        table.declare(newcomer(dice, table.fight, f"{'ab'[number % 2]}{number}", "ab"[number % 2]))
    return table


def newcomer(dice: random.Random, fight: Fight, id: str, side: str) -> acts.Enter:
    """Return the entry of somebody near the others; now and then in a saddle."""
    terrain = fight.state.terrain
    mounts = [
        one
        for one in fight.state.combatants.values()
        if one.side == side and not one.rider and not one.mount and one.space > 1
    ]
    riding = dice.choice(mounts) if mounts and dice.random() < 0.5 else None
    at = riding.at if riding else (dice.randrange(len(terrain[0])), dice.randrange(len(terrain)))
    return acts.Enter(
        id=id,
        side=side,
        sheet=dice.choice(fighting(fight.state.dialect)),
        at=at,
        riding=riding.id if riding and acts.Mount in fight.dialect.acts else "",
        initiative=dice.choice((None, None, 12)),
        acted=dice.random() < 0.7,
    )


def fighting(dialect: str) -> tuple[Sheet, ...]:
    """Return the sheets of those who fight on their own feet, the plainest of them several times."""
    found = [one for one in sheets(dialect) if one.thing is None and one.hp >= 5]
    large = [one for one in found if one.size in ("large", "huge")]
    return (*found, *large)


def through(dice: random.Random, mover: Combatant, other: Combatant) -> tuple[Square, ...]:
    """Return a way straight at another one, into its place, or through it and a little beyond."""
    (x, y), far = mover.at, apart(other, mover)
    path = []
    for _ in range(max(1, far + dice.choice((-1, 0, 0, 1, 1, 2, 3)))):
        x, y = x + sign(other.at[0] - mover.at[0]), y + sign(other.at[1] - mover.at[1])
        path.append((x, y))
    return tuple(path)


def crowding_act(dice: random.Random, fight: Fight) -> Any:
    """Return a declaration that brings combatants together; what the dialect does not read is left out."""
    state = fight.state
    actor = state.combatants.get(state.active) or dice.choice(list(state.combatants.values()))
    others = sorted(
        (one for one in state.combatants.values() if one is not actor), key=lambda one: apart(one, actor)
    )
    if not others:
        return acts.EndTurn(actor=state.active)
    other = dice.choice((*others[:2], *others[:2], *others))
    known = [make for kind, make in kinds(dice, fight, actor, other) if kind in fight.dialect.acts]
    act = dice.choice(known)()
    return act if isinstance(act, acts.Enter) or dice.random() < 0.05 else heard(dice, fight, act)


def kinds(
    dice: random.Random, fight: Fight, actor: Combatant, other: Combatant
) -> Iterator[tuple[type[acts.Act], Callable[[], Any]]]:
    """Yield what brings one into the way of another, each with its type; the likelier ones several times."""
    path, target, id = through(dice, actor, other), other.id, actor.id
    straight, charge = path[:-1], dice.random() < 0.4
    beside = (actor.at[0] + dice.randint(-1, 1), actor.at[1] + dice.randint(-1, 1))

    def overrun() -> acts.Overrun:
        whole = dice.random() < 0.5
        return acts.Overrun(actor=id, target=target, path=path, charge=charge, whole=whole)

    def bull_rush() -> acts.BullRush:
        return acts.BullRush(actor=id, target=target, path=straight if charge else (), charge=charge)

    def rush() -> acts.Charge:
        special: acts.Special = dice.choice(("", "push", "grab", "trip", "grapple"))
        return acts.Charge(actor=id, target=target, path=straight, special=special)

    def wrestle() -> acts.Grapple:
        what = dice.choice(("start", "move", "escape", "release", "pin"))
        return acts.Grapple(actor=id, target=target, what=what, path=path[:1] if what == "move" else ())

    def seize() -> acts.Grab:
        what = dice.choice(("start", "drag", "throw", "escape", "release"))
        return acts.Grab(actor=id, target=target, what=what, path=path, at=path[-1])

    def clamber() -> acts.Clamber:
        what = dice.choice(("climb", "jump", "up", "off"))
        return acts.Clamber(actor=id, target=target, what=what, to=beside)

    def ready() -> acts.Ready:
        blows = (acts.Attack, acts.Trip, acts.Grapple, acts.Push, acts.Feint, acts.Demoralize)
        others = (acts.Overrun(path=path), acts.Mount(), acts.Stand(), acts.Drop(item="prone"), acts.Load())
        then = dice.choice((*(blow(target=target) for blow in blows), *others))
        named = replace(then, target=target) if isinstance(then, acts.Overrun | acts.Mount) else then
        return acts.Ready(actor=id, trigger=acts.Trigger("moves", "", dice.choice((0, 30))), then=named)

    yield from [(acts.Overrun, overrun)] * 3
    yield from [(acts.Move, lambda: acts.Move(actor=id, path=path, how=dice.choice(WAYS)))] * 2
    yield from [(acts.Attack, lambda: acts.Attack(actor=id, target=target))] * 2
    yield from [(acts.Grapple, wrestle), (acts.Grab, seize)] * 2
    yield from [(acts.EndTurn, lambda: acts.EndTurn(actor=id))] * 5
    yield acts.BullRush, bull_rush
    yield acts.Charge, rush
    yield acts.Ready, ready
    yield acts.Clamber, clamber
    yield acts.Push, lambda: acts.Push(actor=id, target=target)
    yield acts.Trample, lambda: acts.Trample(actor=id, path=path)
    yield acts.Withdraw, lambda: acts.Withdraw(actor=id, path=path)
    yield acts.Run, lambda: acts.Run(actor=id, path=path)
    yield acts.Step, lambda: acts.Step(actor=id, to=path[0])
    yield acts.Skirmish, lambda: acts.Skirmish(actor=id, target=target, path=straight, onward=path[-1:])
    yield acts.AwesomeBlow, lambda: acts.AwesomeBlow(actor=id, target=target)
    yield acts.ShakeOff, lambda: acts.ShakeOff(actor=id, target=target, how=dice.choice(("pry", "buck")))
    yield acts.Mount, lambda: acts.Mount(actor=id, target=target, fast=charge)
    yield acts.Dismount, lambda: acts.Dismount(actor=id, to=beside)
    yield acts.Jump, lambda: acts.Jump(actor=id, path=path, takeoff=dice.choice((0, 1)))
    yield acts.Trip, lambda: acts.Trip(actor=id, target=target)
    yield acts.FullAttack, lambda: acts.FullAttack(actor=id, strikes=(acts.Strike(target),))
    yield acts.Drop, lambda: acts.Drop(actor=id, item="prone")
    yield acts.Stand, lambda: acts.Stand(actor=id)
    yield acts.Hazard, lambda: acts.Hazard(target=dice.choice((id, target)), condition=dice.choice(FELLING))
    yield acts.Fall, lambda: acts.Fall(target=target, feet=10)
    yield acts.Enter, lambda: newcomer(dice, fight, f"late{len(fight.state.combatants)}", actor.side)
