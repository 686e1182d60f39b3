"""The legal declarations of a combatant, and the reasons against others: the rules themselves are asked."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import islice, pairwise, product, takewhile
from types import MappingProxyType
from typing import Any, Final, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dice import Notation, Throw
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import AROUND, SQUARE_FT, Square
from affray.engine.record.acts import Form
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.conditions.conditions import can_react
from affray.engine.rules.gear.hands import held_weapons
from affray.engine.rules.gear.objects import find_doors_between, is_at_door
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.mounted.riding import mount_of
from affray.engine.rules.movement.movement import OVERHEAD, find_unseen_in_step, noticed, speed
from affray.engine.rules.position.places import distance
from affray.engine.rules.turns.actions import permit
from affray.engine.steps import Choice, Refusal, Roll
from affray.engine.table.policies import cautious
from affray.engine.table.runner import refusal_of, resolve
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.base import Act, JsonObject
from affray.events.facts.combat import Moved, Provoked
from affray.events.facts.flow import AnyAct, Declared
from affray.projections.state import Combatant

# --- Squares in reach of a combatant: their cost, the best path, and the threats along it

Path: TypeAlias = tuple[Square, ...]
FARTHER: Final = (1 << 30, 0)
"""More than any path costs."""
WAYS_MOST, FEWEST = 1200, 60
"""The most squares that a path search visits: for creatures of one square (60 feet: 624), and the hugest."""


class ReachablePath(Struct, frozen=True, gc=False):
    """A path to a square: `path` without the start, and its cost in feet.

    `past` are the ids of those that threaten a square that it leaves, and may attack. `around` is a longer
    path that leaves no threatened square, () if there is none within reach or `past` is empty.
    """

    path: Path
    feet: int
    past: tuple[str, ...] = ()
    around: Path = ()

    @property
    def to(self) -> Square:
        """Return its destination."""
        return self.path[-1]


def most_squares(mover: Combatant) -> int:
    """Return the most squares that a path search visits; a step of the huge costs as much as its squares
    do.
    """
    return max(FEWEST, WAYS_MOST // mover.space**2)


def ways(fight: Fight, mover: Combatant, how: str = "normal", *, known: bool = False) -> list[ReachablePath]:
    """Return a path to each square that a move of the mover's speed reaches, the cheapest first.

    Whether the mover may declare a movement is not checked. Paths as `known` to the mover also enter squares
    of combatants it does not perceive, and ignore their threats. O(squares in reach), at most `most_squares`.
    """
    feet = speed(fight, mover) - fight.dialect.movement.forfeit(fight, mover)
    cheapest = dict(cheapest_paths(fight, mover, feet, how, known=known))
    past = {to: passed(fight, mover, path, how, known=known) for to, (path, _) in cheapest.items()}
    safe = {}
    if any(past.values()):
        safe = dict(cheapest_paths(fight, mover, feet, how, safely=True, known=known))
    return [
        ReachablePath(path, cost, past[to], safe[to][0] if past[to] and to in safe else ())
        for to, (path, cost) in cheapest.items()
    ]


def cheapest_paths(
    fight: Fight, mover: Combatant, feet: int, how: str, *, safely: bool = False, known: bool = False
) -> Iterator[tuple[Square, tuple[Path, int]]]:
    """Yield the squares within `feet` where a move may end, each with the cheapest path and its cost.

    Among equally cheap paths the one that leaves the fewest threatened squares; with `safely` none. A path
    may pass squares where a move may not end, and end in one from which it may not continue.
    """
    movement, most = fight.dialect.movement, most_squares(mover)
    found: set[Square] = set()
    least: dict[tuple[Square, int, bool], tuple[int, int]] = {}
    queue: list[tuple[tuple[int, int], int, Path, bool, bool]] = [((0, 0), 0, (), False, True)]
    while queue:
        (cost, left), _, path, ends, goes_on = heappop(queue)
        here = path[-1] if path else mover.at
        if ends and here not in found:
            if len(found) == most:
                return
            found.add(here)
            yield here, (path, cost)
        for dx, dy in AROUND if goes_on else ():
            there = (here[0] + dx, here[1] + dy)
            if there == mover.at:
                continue
            through = open_to(fight, mover, here, there, how, last=False, known=known)
            ending = open_to(fight, mover, here, there, how, last=True, known=known)
            if not (through or ending):
                continue
            measured = movement.measure(fight, mover, (mover.at, *path, there), how)
            key = there, measured.diagonals % 2, through
            if measured.feet > feet or (measured.feet, left) >= least.get(key, FARTHER):
                continue
            enemies = movement.leaving(fight, mover, here, there, how)
            threatened = left + bool(noticed(fight, mover, enemies) if known else enemies)
            if (safely and threatened) or (measured.feet, threatened) >= least.get(key, FARTHER):
                continue
            least[key] = measured.feet, threatened
            heappush(queue, ((measured.feet, threatened), len(path), (*path, there), ending, through))


def open_to(
    fight: Fight, mover: Combatant, here: Square, there: Square, how: str, *, last: bool, known: bool = False
) -> bool:
    """Return whether a step is possible, or believed to be, as the last one of a movement or on its way."""
    try:
        fight.dialect.movement.refuse_step(fight, mover, here, there, last, None, how)
    except Refusal:
        return False
    return known or find_unseen_in_step(fight, mover, here, there, last, how) is None


def passed(fight: Fight, mover: Combatant, path: Path, how: str, *, known: bool = False) -> tuple[str, ...]:
    """Return the ids of those that threaten a square that a path leaves and have an attack left, in order."""
    leaving = fight.dialect.movement.leaving
    steps = pairwise((mover.at, *path))
    some = {one.id: one for here, there in steps for one in leaving(fight, mover, here, there, how)}
    told = noticed(fight, mover, some.values()) if known else some.values()
    return tuple(one.id for one in told if has_one_left(fight, one))


def has_one_left(fight: Fight, enemy: Combatant) -> bool:
    """Return whether a combatant may still make an attack of opportunity this round, given one."""
    if enemy.conditions and (is_down(fight, enemy) or can_react(fight, enemy)):
        return False
    return enemy.reactions.get("opportunity", 0) < fight.dialect.opportunity.opportunities(fight, enemy)[0]


# --- The price of a declared path: the rules carry it out on a copy, without attacks


class Price(Struct, frozen=True, gc=False):
    """The price of a declaration along `path`, if no combatant attacks on the way.

    `feet` is its cost out of the `most` feet available, None if it was refused before the cost was known.
    `past` lists the ids that would get an attack of opportunity, in the order of the path. `refused` is the
    reason why it may not be declared, by `rule`; "" if it may. `shut` lists the squares adjacent to its end
    that cannot be entered. `depends` names the roll or question (of the mover or the game master) that
    decides the rest, which is not examined.
    """

    act: AnyAct
    path: Path
    feet: int | None
    most: int | None
    past: tuple[str, ...]
    refused: str
    rule: str
    shut: tuple[Square, ...]
    depends: str

    @property
    def left(self) -> int | None:
        """Return the feet that it leaves, below 0 if they do not suffice."""
        return None if self.feet is None or self.most is None else self.most - self.feet


class _Undecided(AffrayError):
    """Dice or people decide the next step."""


class _NoDice:
    """Dice that never roll: the result of a roll is left open."""

    def throw(self, key: str, notation: Notation) -> tuple[Throw, str] | None:
        """Raise _Undecided."""
        raise _Undecided(key)


def price(fight: Fight, act: AnyAct) -> Price:
    """Return the price of a declaration along a path; the fight is unchanged.

    Other combatants decline every opportunity; the first roll, and the first question to the mover or the
    game master, ends the examination. O(combatants + squares).
    """
    made = fight.apart()
    declared = Declared(f"d{made.state.declarations + 1}", act)
    actor = made.state.combatants.get(act.actor)
    goer = actor and (mount_of(made, actor) or actor)
    path = squares_entered(act)
    refusal = refusal_of(made, declared)
    paced, feet, past, depends = made.paced, 0, dict[str, None](), ""
    how = paced.how if paced else getattr(act, "how", "normal")
    shut = find_blocked_squares(made, goer, path, how) if goer else ()
    if refusal is not None or goer is None:
        reason, rule = (refusal.reason, refusal.rule) if refusal else ("", "")
        feet_of = (paced.feet, paced.most) if paced else (None, None)
        return Price(act, path, feet_of[0], feet_of[1], (), reason, rule, shut, "")
    own = {act.actor, goer.id}

    def tell(fact: object) -> None:
        nonlocal feet, depends
        if isinstance(fact, Moved) and fact.who == goer.id:
            feet += fact.feet
        elif isinstance(fact, Provoked) and fact.who in own and not fact.denied:
            past[fact.by] = None
        elif isinstance(fact, Roll):
            depends = f"a roll: {fact.purpose}" if fact.who in own else "a roll"

    def answers(fight: Fight, key: str, choice: Choice) -> tuple[str, str]:
        nonlocal depends
        if choice.who in own or not choice.who:
            depends = choice.question
            raise _Undecided(key)
        return cautious(fight, key, choice) or ("", "")

    try:
        resolve(made, declared, seq=0, dice=_NoDice(), answers=answers, tell=tell)
    except _Undecided:
        feet = paced.feet if paced else feet
    return Price(act, path, feet, paced.most if paced else None, tuple(past), "", "", shut, depends)


def squares_entered(act: AnyAct) -> Path:
    """Return the squares that a declaration enters."""
    return (act.to,) if isinstance(act, acts.Step) else cast(Path, tuple(getattr(act, "path", ())))


def find_blocked_squares(fight: Fight, goer: Combatant, path: Path, how: str) -> tuple[Square, ...]:
    """Return the squares adjacent to the end of a path that no step can enter, final or not."""
    here = path[-1] if path else goer.at
    beside = [(here[0] + dx, here[1] + dy) for dx, dy in AROUND]
    return tuple(
        there
        for there in beside
        if there != goer.at
        and not any(open_to(fight, goer, here, there, how, last=last) for last in (True, False))
    )


# --- Possible names in a declaration: other combatants, squares, spells, weapons and items

ASKED: Final = frozenset({"ability", "condition"})
"""Fields of words without which nothing is declared."""


def others(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the ids of the others, the nearest first, and then the combatant's own."""
    known = [one for one in fight.state.combatants.values() if one is not combatant]
    known.sort(key=lambda one: distance(combatant, one))
    return (*(one.id for one in known), combatant.id)


def get_single_targets(fight: Fight, combatant: Combatant) -> tuple[tuple[str, ...], ...]:
    """Return no target, and each combatant as a single target."""
    return ((), *((one,) for one in others(fight, combatant)))


def squares_beside(combatant: Combatant) -> tuple[Square, ...]:
    """Return the eight squares to which one step leads."""
    x, y = combatant.at
    return tuple((x + dx, y + dy) for dx, dy in AROUND)


def spells(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the names of the spells of a combatant's sheet."""
    return tuple(one.name for one in combatant.sheet.spells)


def arms(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the means of attack of a combatant, bare hands last."""
    names = (*(one.name for one in held_weapons(combatant)), unarmed(fight, combatant).name)
    return tuple(dict.fromkeys(names))


def bursts(fight: Fight, combatant: Combatant) -> tuple[bool, ...]:
    """Return the values for automatic fire: no, and yes if a weapon in hand can."""
    return (False, True) if any(one.range for one in held_weapons(combatant)) else (False,)


def arsenal(combatant: Combatant) -> tuple[str, ...]:
    """Return the names of a combatant's weapons, those in hand first."""
    return tuple(dict.fromkeys((*combatant.held, *(one.name for one in combatant.sheet.weapons))))


def clothes(combatant: Combatant) -> tuple[str, ...]:
    """Return the names of the items that a combatant wears or could wear."""
    return tuple(one.name for one in combatant.sheet.worn)


def devices(combatant: Combatant) -> tuple[str, ...]:
    """Return the names of the spells in a combatant's items."""
    return tuple(one.name for one in combatant.sheet.spells if one.item)


def belongings(combatant: Combatant) -> tuple[str, ...]:
    """Return the names of everything that a combatant has, had or wears."""
    return tuple(dict.fromkeys((*arsenal(combatant), *clothes(combatant), *combatant.items)))


def closed_words(fight: Fight, combatant: Combatant, kind: type[Act], name: str) -> tuple[Any, ...]:
    """Return the words that the dialect reads in a field, the default first; of feats those of the sheet."""
    closed = fight.dialect.heeded[kind].closed.get(name)
    if closed is None or isinstance(closed[1], Form):
        return ()
    default, words = closed[0], list(closed[1])
    if name == "feat":
        words = [word for word in words if has_feat(combatant, word)]
    return tuple(dict.fromkeys((*(() if name in ASKED else (default,)), *sorted(words))))


# --- The candidates of a combatant: each act with the possible targets, weapons, items and words
# Nothing is checked here: the rules are asked whether they forbid a candidate (`legal`). Acts that cannot be
# listed completely, such as readied acts and their triggers or the place of a spell's burst, are named in
# `NOT_ALL`.

Values: TypeAlias = Sequence[object]

UNLISTED: Final = frozenset({acts.Ready, acts.Split, acts.Plan, acts.Speak, acts.Rest, acts.Lift})
"""Declarations that are not listed: their words and numbers are up to the player."""
NOT_ALL: Final = UNLISTED | {
    *(acts.Charge, acts.Run, acts.Ride, acts.Flyby, acts.Skirmish, acts.Trample, acts.Overrun, acts.Jump),
    *(acts.Reposition, acts.Withdraw, acts.Hide, acts.Seek, acts.Guide, acts.FullAttack, acts.Cast),
    *(acts.Activate, acts.Redirect, acts.Touch, acts.TurnUndead, acts.Delay, acts.Drop, acts.Handle),
    *(acts.Grapple, acts.Grab, acts.Sunder, acts.Disarm, acts.Stunt, acts.Clamber, acts.Prepare),
    *(acts.BullRush, acts.UseSkill, acts.UseAbility, acts.Steal, acts.Pilfer, acts.Identify, acts.Counter),
    acts.Aid,
}
"""Declarations with more possibilities than are listed: paths, words, places and orders."""
MOST_SAMPLES: Final = 20
"""The most samples of a kind that are examined."""
WITH_A_WEAPON: Final = frozenset(
    {acts.Attack, acts.CalledShot, acts.CoupDeGrace, acts.KnockoutBlow, acts.Disarm, acts.Trip, acts.Sunder}
)
"""Declarations that differ with each weapon."""
WORDS: Final = frozenset(
    {"what", "device", "benefit", "to", "how", "kind", "sense", "feat", "ability", "condition", "part"}
)
"""Fields whose words change the declaration, if they are a closed list."""


def samples(fight: Fight, combatant: Combatant, kind: type[Act]) -> Iterator[Act]:
    """Yield declarations of an unlisted kind, of which at least one is legal if any of the kind is."""
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


def candidates(fight: Fight, combatant: Combatant, kind: type[Act]) -> Iterator[Act]:
    """Yield the declarations of a kind that a combatant might make, nearest targets first."""
    kept = fight.dialect.heeded[kind].kept
    said = {name: values for name in kept if (values := values_of(fight, combatant, kind, name))}
    for one in product(*said.values()):
        yield kind(actor=combatant.id, **dict(zip(said, one, strict=True)))


def values_of(fight: Fight, combatant: Combatant, kind: type[Act], name: str) -> Values:
    """Return the values to try for a field of a declaration, () if it is left at its default."""
    if name == "weapon":
        return arms(fight, combatant) if kind in WITH_A_WEAPON else ()
    if name == "item":
        return THINGS[kind](combatant) if kind in THINGS else ()
    if name in NAMED:
        return NAMED[name](fight, combatant)
    return closed_words(fight, combatant, kind, name) if name in WORDS else ()


NAMED: Final[Mapping[str, Callable[[Fight, Combatant], Values]]] = MappingProxyType(
    {
        **dict.fromkeys(("target", "friend", "opponent"), others),
        "targets": get_single_targets,
        "spell": spells,
        "autofire": bursts,
    }
)
"""Fields that name a combatant or an item: their possible values."""

THINGS: Final[Mapping[type[Act], Callable[[Combatant], Values]]] = MappingProxyType(
    {
        **dict.fromkeys((acts.Draw, acts.Sheathe, acts.Load, acts.Grip, acts.Gather, acts.Prepare), arsenal),
        **dict.fromkeys((acts.Don, acts.Doff), clothes),
        acts.Drop: belongings,
        acts.Activate: devices,
    }
)
"""Declarations about an item: its possible names."""


# --- Declarations with interdependent parts: paths, series of strikes, spells and their aim

Propose: TypeAlias = Callable[[Fight, Combatant, Sequence[ReachablePath]], Iterator[Act]]
"""Builds declarations, given the paths to the squares that one move reaches."""


ENDS: Final = 16
"""How many of the nearest squares around a target are tried for a charge."""
FASTEST: Final = 5
"""The greatest multiple of the speed that any run of any dialect reaches (by a feat)."""


def enemies_and_friends(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return the other combatants, the nearest first."""
    return [fight.state.combatants[id] for id in others(fight, combatant)[:-1]]


def moves(fight: Fight, combatant: Combatant, reach: Sequence[ReachablePath]) -> Iterator[Act]:
    """Yield a move to each square in reach."""
    for way in reach:
        yield acts.Move(actor=combatant.id, path=way.path)


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
            strikes = fight.dialect.attacks.usual_strikes(fight, combatant, target, weapon)
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


# --- Finding the path for a declaration that names a target without one

GOES: Final[Mapping[type[Act], Callable[[Fight, Combatant], Iterator[Any]]]] = MappingProxyType(
    {
        acts.Charge: lambda fight, actor: charges(fight, actor, ()),
        acts.BullRush: lambda fight, actor: charges(fight, actor, ()),
        acts.Overrun: lambda fight, actor: over(acts.Overrun)(fight, actor, ()),
    }
)
"""Declarations that go straight at a target: the functions that propose their paths."""


def with_a_way(fight: Fight, act: AnyAct) -> AnyAct:
    """Return a declaration with its missing path filled in by the rules: the shortest legal one.

    Among equally short paths the one with the fewest threats, then the straightest. If none is legal, the
    first path is used, so that the refusal concerns a plausible path. Declarations that have a path, need
    none or do not move are returned unchanged.
    """

    def allowed(one: AnyAct) -> bool:
        return refusal_of(fight, Declared(fight.declaration, one, "")) is None

    proposes = GOES.get(type(act))
    actor = fight.state.combatants.get(getattr(act, "actor", ""))
    given: Path = getattr(act, "path", ())
    if proposes is None or actor is None or given:
        return act
    if allowed(act):
        return act
    target = getattr(act, "target", "")
    some = [replace(act, path=one.path) for one in proposes(fight, actor) if one.target == target]
    if not some:
        return act
    goer = mount_of(fight, actor) or actor

    def cost(path: Path) -> tuple[int, int, int]:
        aside = sum((a - b) ** 2 for a, b in zip(goer.at, path[-1], strict=True))
        return len(path), len(passed(fight, goer, path, "charge")), aside

    ways = [one for one in some if allowed(one)]
    return min(ways, key=lambda one: cost(getattr(one, "path", ()))) if ways else some[0]


LEGAL_MOST: Final = 500
"""The most declarations of a kind that are checked: in a crowd with many weapons there are too many."""


class Closed(Struct, frozen=True, gc=False):
    """A kind of declaration without any legal one: its name, why the first is refused, the rule."""

    kind: str
    reason: str
    rule: str


class Legal(Struct, frozen=True, gc=False):
    """The declarations that are open to a combatant.

    `open` lists them ready to be declared, `ways` the moves among them by destination, with their cost in
    feet and the threats they pass. `closed` gives the reason why each other kind is refused. For the kinds in
    `not_all` more is possible than is listed: longer paths, other squares, free text.
    """

    who: str
    open: tuple[AnyAct, ...]
    ways: tuple[ReachablePath, ...]
    closed: tuple[Closed, ...]
    not_all: tuple[str, ...]


def legal(fight: Fight, combatant: Combatant, *, known: bool = False) -> Legal:
    """Return what a combatant may declare now; the state is unchanged.

    Paths into a combatant that the mover does not perceive are legal but lead nowhere: they are left out
    unless `known` is set. Each candidate is begun as in play and abandoned before its first step.
    O(candidates), at most `MOST` of a kind.
    """
    found: list[AnyAct] = []
    closed: list[Closed] = []
    more: list[str] = []
    goer = mount_of(fight, combatant) or combatant
    reach = ways(fight, goer, known=known)
    for kind in fight.dialect.acts:
        name = str(kind.__struct_config__.tag)
        if kind.declared_by == "game master":
            continue
        if kind in UNLISTED:
            barred = forbidden(fight, kind(actor=combatant.id))
            if barred is None:
                mine, barred = judged(fight, samples(fight, combatant, kind))
                barred = None if mine else barred
            if barred is None:
                more.append(name)
            else:
                closed.append(Closed(name, barred.reason, barred.rule))
            continue
        together = PUT_TOGETHER.get(kind)
        proposed = together(fight, combatant, reach) if together else candidates(fight, combatant, kind)
        some = list(islice(proposed, LEGAL_MOST + 1))
        mine, refusal = judged(fight, some[:LEGAL_MOST], None if known else goer)
        found += mine
        cut = len(some) > LEGAL_MOST or (kind is acts.Move and len(reach) == most_squares(goer))
        if mine and (kind in NOT_ALL or cut):
            more.append(name)
        if not mine and refusal is not None:
            closed.append(Closed(name, refusal.reason, refusal.rule))
    paths = {act.path for act in found if isinstance(act, acts.Move)}
    open_ways = tuple(way for way in reach if way.path in paths)
    return Legal(combatant.id, tuple(found), open_ways, tuple(closed), tuple(more))


def forbidden(fight: Fight, act: Act) -> Refusal | None:
    """Return why a combatant may not declare anything of the kind; None if it may."""
    try:
        permit(fight, act)
    except Refusal as refusal:
        return refusal
    return None


def judged(
    fight: Fight, proposed: Iterable[Act], goer: Combatant | None = None
) -> tuple[list[AnyAct], Refusal | None]:
    """Return the legal declarations, and why the first illegal one is refused.

    Leaves out those by which a `goer` would walk into an unseen combatant.
    """
    mine: list[AnyAct] = []
    first: Refusal | None = None
    for act in dict.fromkeys(proposed):
        refusal = refusal_of(fight, Declared(fight.declaration, cast(AnyAct, act), ""))
        if refusal is None and goer is not None:
            refusal = runs_into_unseen(fight, goer, act)
        if refusal is None:
            mine.append(fight.dialect.recorded(act))
        elif first is None:
            first = refusal
    return mine, first


def runs_into_unseen(fight: Fight, goer: Combatant, act: Act) -> Refusal | None:
    """Return where the path of a declaration leads into an unseen combatant, None if it does not."""
    path: tuple[Square, ...] = (act.to,) if isinstance(act, acts.Step) else getattr(act, "path", ())
    how = "charge" if isinstance(act, acts.Charge) else getattr(act, "how", "") or "normal"
    if isinstance(act, acts.Jump):
        how = OVERHEAD[0]
    for here, there in pairwise((goer.at, *path)):
        met = find_unseen_in_step(fight, goer, here, there, there == path[-1], how)
        if met is not None:
            return Refusal(f"an unseen combatant is at {met.at[0]},{met.at[1]}", met.rule)
    return None
