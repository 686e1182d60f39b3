"""The legal declarations of a combatant, and the reasons against others: the rules themselves are asked."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise, product
from types import MappingProxyType
from typing import Final, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dice import Notation, Throw
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import AROUND, Square
from affray.engine.kernel.actions import left_of, permit
from affray.engine.kernel.names import (
    arsenal,
    belongings,
    closed_words,
    clothes,
    devices,
    get_single_targets,
    others,
    spells,
)
from affray.engine.kernel.paths import Path, ReachablePath, most_squares, open_to, passed, ways
from affray.engine.record.chapters import Left
from affray.engine.steps import Choice, Refusal, Roll
from affray.engine.table.policies import cautious
from affray.engine.table.runner import refusal_of, resolve
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.base import Act
from affray.events.facts.combat import Moved, Provoked
from affray.events.facts.flow import AnyAct, Declared
from affray.projections.state import Combatant

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
    goer = actor and (made.dialect.kernel.goer(made, actor))
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


def arms(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the means of attack of a combatant, bare hands last."""
    return tuple(dict.fromkeys(one.name for one in fight.dialect.kernel.arms(fight, combatant)))


def bursts(fight: Fight, combatant: Combatant) -> tuple[bool, ...]:
    """Return the values for automatic fire: no, and yes if a weapon in hand can."""
    return (
        (False, True) if any(one.range for one in fight.dialect.kernel.arms(fight, combatant)) else (False,)
    )


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
WITH_A_WEAPON: Final = frozenset(
    {acts.Attack, acts.CalledShot, acts.CoupDeGrace, acts.KnockoutBlow, acts.Disarm, acts.Trip, acts.Sunder}
)
"""Declarations that differ with each weapon."""
WORDS: Final = frozenset(
    {"what", "device", "benefit", "to", "how", "kind", "sense", "feat", "ability", "condition", "part"}
)
"""Fields whose words change the declaration, if they are a closed list."""


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


# --- Finding the path for a declaration that names a target without one


def with_a_way(fight: Fight, act: AnyAct) -> AnyAct:
    """Return a declaration with its missing path filled in by the rules: the shortest legal one.

    Among equally short paths the one with the fewest threats, then the straightest. If none is legal, the
    first path is used, so that the refusal concerns a plausible path. Declarations that have a path, need
    none or do not move are returned unchanged.
    """

    def allowed(one: AnyAct) -> bool:
        return refusal_of(fight, Declared(fight.declaration, one, "")) is None

    proposes = fight.dialect.kernel.straight.get(type(act))
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
    goer = fight.dialect.kernel.goer(fight, actor)

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
    `not_all` more is possible than is listed: longer paths, other squares, free text. `left` is what it has
    left of its turn and of its limited resources.
    """

    who: str
    open: tuple[AnyAct, ...]
    ways: tuple[ReachablePath, ...]
    closed: tuple[Closed, ...]
    not_all: tuple[str, ...]
    left: tuple[Left, ...] = ()


def legal(fight: Fight, combatant: Combatant, *, known: bool = False) -> Legal:
    """Return what a combatant may declare now; the state is unchanged.

    Paths into a combatant that the mover does not perceive are legal but lead nowhere: they are left out
    unless `known` is set. Each candidate is begun as in play and abandoned before its first step.
    O(candidates), at most `MOST` of a kind.
    """
    found: list[AnyAct] = []
    closed: list[Closed] = []
    more: list[str] = []
    goer = fight.dialect.kernel.goer(fight, combatant)
    reach = ways(fight, goer, known=known)
    for kind in fight.dialect.acts:
        name = str(kind.__struct_config__.tag)
        if kind.declared_by == "game master":
            continue
        if kind in UNLISTED:
            barred = forbidden(fight, kind(actor=combatant.id))
            if barred is None:
                mine, barred = judged(fight, fight.dialect.kernel.samples(fight, combatant, kind, candidates))
                barred = None if mine else barred
            if barred is None:
                more.append(name)
            else:
                closed.append(Closed(name, barred.reason, barred.rule))
            continue
        together = fight.dialect.kernel.proposals.get(kind)
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
    return Legal(
        combatant.id, tuple(found), open_ways, tuple(closed), tuple(more), tuple(left_of(fight, combatant))
    )


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
        how = "fly"
    for here, there in pairwise((goer.at, *path)):
        met = fight.dialect.kernel.unseen_in_step(fight, goer, here, there, there == path[-1], how)
        if met is not None:
            return Refusal(f"an unseen combatant is at {met.at[0]},{met.at[1]}", met.rule)
    return None
