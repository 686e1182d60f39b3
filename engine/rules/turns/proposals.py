"""Declarations to try whose parts depend on each other: paths, series of strikes, spells and their aim."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, pairwise, product, takewhile
from types import MappingProxyType
from typing import Any, Final, cast

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import AROUND, SQUARE_FT, Square
from affray.engine.kernel.names import (
    belongings,
    closed_words,
    enemies_and_friends,
    others,
    spells,
    squares_beside,
)
from affray.engine.kernel.paths import Path, Propose, ReachablePath, moves, open_to
from affray.engine.kernel.places import distance
from affray.engine.rules.conditions.conditions import can_react
from affray.engine.rules.gear.hands import held_weapons
from affray.engine.rules.gear.objects import find_doors_between, is_at_door
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.mounted.riding import mount_of
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.acts import Act
from affray.events.facts.base import JsonObject
from affray.projections.state import Combatant


def has_one_left(fight: Fight, enemy: Combatant) -> bool:
    """Return whether a combatant may still make an attack of opportunity this round, given one."""
    if enemy.conditions and (is_down(fight, enemy) or can_react(fight, enemy)):
        return False
    return enemy.reactions.get("opportunity", 0) < fight.dialect.opportunity.opportunities(fight, enemy)[0]


ENDS: Final = 16
"""How many of the nearest squares around a target are tried for a charge."""

FASTEST: Final = 5
"""The greatest multiple of the speed that any run of any dialect reaches (by a feat)."""


def withdrawals(fight: Fight, combatant: Combatant, reach: Sequence[ReachablePath]) -> Iterator[Act]:
    """Yield a withdrawal to each square within one move, if twice as far may be allowed."""
    for way in reach:
        yield acts.Withdraw(actor=combatant.id, path=way.path)


def steps(fight: Fight, combatant: Combatant, reach: Sequence[ReachablePath]) -> Iterator[Act]:
    """Yield a short step to each square up to two away: a step may be longer than a square (woa)."""
    x, y = combatant.at
    for dx, dy in product(range(-2, 3), repeat=2):
        if (dx, dy) != (0, 0):
            yield acts.Step(actor=combatant.id, to=(x + dx, y + dy))


def runs(fight: Fight, combatant: Combatant, reach: Sequence[ReachablePath]) -> Iterator[Act]:
    """Yield runs in each of the eight directions: as far as they are open, up to multiples of the speed."""
    x, y = combatant.at
    squares = fight.dialect.movement.speed(fight, combatant) // SQUARE_FT
    for dx, dy in AROUND if squares else ():
        whole = straight(combatant.at, (x + dx * squares * FASTEST, y + dy * squares * FASTEST))
        free = takewhile(
            lambda one: open_to(fight, combatant, *one, "run", last=True), pairwise((combatant.at, *whole))
        )
        path = tuple(there for _, there in free)
        for length in dict.fromkeys(min(len(path), squares * times) for times in range(FASTEST, 1, -1)):
            yield acts.Run(actor=combatant.id, path=path[:length])


def full_attacks(fight: Fight, combatant: Combatant, reach: Sequence[ReachablePath]) -> Iterator[Act]:
    """Yield the usual series of strikes at each other combatant with each weapon."""
    weapons = {one.name: one for one in (*held_weapons(combatant), unarmed(fight, combatant))}
    for target in enemies_and_friends(fight, combatant):
        for weapon in weapons.values():
            try:
                strikes = fight.dialect.attacks.usual_strikes(fight, combatant, target, weapon)
            except Refusal:  # one begun with a weapon that is no longer in hand
                continue
            yield acts.FullAttack(actor=combatant.id, strikes=strikes)


def charges(fight: Fight, combatant: Combatant, reach: Sequence[ReachablePath]) -> Iterator[Act]:
    """Yield charges at each other combatant, straight to each square around it, the nearest first."""
    mover = mount_of(fight, combatant) or combatant
    for target in enemies_and_friends(fight, combatant):
        for path in straight_to(mover, target)[:ENDS]:
            yield acts.Charge(actor=combatant.id, target=target.id, path=path)


def straight_to(mover: Combatant, target: Combatant) -> list[Path]:
    """Return straight paths to the squares around a target, shortest first."""
    (a, b), wide, high = target.at, target.space + target.stretch[0], target.space + target.stretch[1]
    ends = {
        (a + dx, b + dy)
        for dx in range(-mover.space, wide + 1)
        for dy in range(-mover.space, high + 1)
        if dx in (-mover.space, wide) or dy in (-mover.space, high)
    }
    paths = [straight(mover.at, end) for end in ends if end != mover.at]
    return sorted(paths, key=lambda path: (len(path), path))


def straight(start: Square, end: Square) -> Path:
    """Return the squares of a straight line from one square to another, without the start."""
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    count = max(abs(dx), abs(dy))
    return tuple((x + round(dx * one / count), y + round(dy * one / count)) for one in range(1, count + 1))


def castings(fight: Fight, combatant: Combatant, reach: Sequence[ReachablePath]) -> Iterator[Act]:
    """Yield each spell without a target, at each combatant, and at each combatant's square."""
    for spell in spells(fight, combatant):
        yield acts.Cast(actor=combatant.id, spell=spell)
        for id in others(fight, combatant):
            yield acts.Cast(actor=combatant.id, spell=spell, targets=(id,))
            yield acts.Cast(actor=combatant.id, spell=spell, at=fight.state.combatants[id].at)


def over(kind: type[acts.Overrun | acts.Trample]) -> Propose:
    """Return a function that proposes going straight over each other combatant."""

    def proposed(fight: Fight, combatant: Combatant, reach: Sequence[ReachablePath]) -> Iterator[Act]:
        for target in enemies_and_friends(fight, combatant):
            (x, y), (a, b) = combatant.at, target.at
            beyond = (
                a + ((a > x) - (a < x)) * target.space,
                b + ((b > y) - (b < y)) * target.space,
            )
            named: JsonObject = {"target": target.id} if kind is acts.Overrun else {}
            yield kind(actor=combatant.id, path=straight(combatant.at, beyond), **named)

    return proposed


def along(kind: type[acts.Jump | acts.Ride | acts.Skirmish]) -> Propose:
    """Return a function that proposes going the farthest of the paths in reach."""

    def proposed(fight: Fight, combatant: Combatant, reach: Sequence[ReachablePath]) -> Iterator[Act]:
        yield kind(actor=combatant.id, path=reach[-1].path if reach else ())

    return proposed


def aids(fight: Fight, combatant: Combatant, reach: Sequence[ReachablePath]) -> Iterator[Act]:
    """Yield aid for each friend against each enemy in reach, and without an opponent."""
    near = [
        one.id for one in fight.enemies(combatant) if distance(combatant, one) <= combatant.reach + SQUARE_FT
    ]
    for friend in fight.allies(combatant):
        for opponent, benefit in product(("", *near), ("attack", "defense", "check", "condition")):
            yield acts.Aid(actor=combatant.id, friend=friend.id, opponent=opponent, benefit=benefit)  # type: ignore[arg-type]


def flybys(fight: Fight, combatant: Combatant, reach: Sequence[ReachablePath]) -> Iterator[Act]:
    """Yield attacks on each other combatant from each square of the farthest of the paths in reach."""
    path = reach[-1].path if reach else ()
    for target in enemies_and_friends(fight, combatant):
        then = acts.Attack(actor=combatant.id, target=target.id)
        for after in range(1, len(path) + 1):
            yield acts.Flyby(actor=combatant.id, path=path, after=after, then=then)


def thefts(fight: Fight, combatant: Combatant, reach: Sequence[ReachablePath]) -> Iterator[Act]:
    """Yield a theft of each item that another combatant has or wears."""
    for target in enemies_and_friends(fight, combatant):
        for item in belongings(target):
            yield acts.Steal(actor=combatant.id, target=target.id, item=item)


def repositions(fight: Fight, combatant: Combatant, reach: Sequence[ReachablePath]) -> Iterator[Act]:
    """Yield the eight squares into which each other combatant could be moved."""
    for target in enemies_and_friends(fight, combatant):
        for square in squares_beside(target):
            yield acts.Reposition(actor=combatant.id, target=target.id, path=(square,))


def handlings(fight: Fight, combatant: Combatant, reach: Sequence[ReachablePath]) -> Iterator[Act]:
    """Yield opening and closing for each door in reach, and the other uses for each of the actor's items."""
    in_reach = [one.id for one in fight.dialect.gear.doors(fight) if distance(combatant, one) <= SQUARE_FT]
    in_reach += [door for door in find_doors_between(fight) if is_at_door(fight, combatant, door)]
    for what in closed_words(fight, combatant, acts.Handle, "what") or (acts.Handle().what,):
        for item in in_reach if what in ("open", "close") else belongings(combatant):
            yield acts.Handle(actor=combatant.id, item=item, what=what)


PUT_TOGETHER: Final[Mapping[type[Act], Propose]] = MappingProxyType(
    {
        acts.Move: moves,
        acts.Withdraw: withdrawals,
        acts.Step: steps,
        acts.Run: runs,
        acts.FullAttack: full_attacks,
        acts.Charge: charges,
        acts.Cast: castings,
        acts.Overrun: over(acts.Overrun),
        acts.Trample: over(acts.Trample),
        acts.Jump: along(acts.Jump),
        acts.Ride: along(acts.Ride),
        acts.Skirmish: along(acts.Skirmish),
        acts.Aid: aids,
        acts.Handle: handlings,
        acts.Flyby: flybys,
        acts.Steal: thefts,
        acts.Reposition: repositions,
    }
)
"""The builders of the declarations of these kinds."""

GOES: Final[Mapping[type[Act], Callable[[Fight, Combatant], Iterator[Any]]]] = MappingProxyType(
    {
        acts.Charge: lambda fight, actor: charges(fight, actor, ()),
        acts.BullRush: lambda fight, actor: charges(fight, actor, ()),
        acts.Overrun: lambda fight, actor: over(acts.Overrun)(fight, actor, ()),
    }
)
"""Declarations that go straight at a target: the functions that propose their paths."""


MOST_SAMPLES: Final = 20
"""The most samples of a kind that are examined."""


def samples(
    fight: Fight,
    combatant: Combatant,
    kind: type[Act],
    candidates: Callable[[Fight, Combatant, type[Act]], Iterator[Act]],
) -> Iterator[Act]:
    """Yield declarations of an unlisted kind, of which at least one is legal if any of the kind is.

    `candidates` are those of a listed kind.
    """
    me = combatant.id
    if kind is acts.Speak:
        yield acts.Speak(actor=me, words="...")
    elif kind is acts.Lift:
        yield from (acts.Lift(actor=me, pounds=1, how=how) for how in ("take", "put", "overhead", "ground"))
    elif kind is acts.Plan:
        intents = (acts.Intent("move", "move"), acts.Intent("standard", "attack"))
        yield from (acts.Plan(actor=me, actions=(one,)) for one in intents)
    elif kind is acts.Ready:
        for then in (acts.TotalDefense(), acts.Attack(), acts.Stand(), acts.Drop(item="prone"), acts.Move()):
            yield acts.Ready(actor=me, trigger=acts.Trigger("attacks"), then=then)
    elif kind is acts.Split:
        for whole in (
            acts.CoupDeGrace,
            acts.KnockoutBlow,
            acts.Stabilize,
            acts.Load,
            acts.Cast,
            acts.FullAttack,
        ):
            if whole in fight.dialect.acts:
                some = islice(candidates(fight, combatant, whole), MOST_SAMPLES)
                yield from (acts.Split(actor=me, then=cast(Any, replace(one, actor=""))) for one in some)
