"""Compare two branches: the differences by declaration, roll, event and combatant."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from affray.engine.book import Book
from affray.engine.language.cast import Cast, dialect_words
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import counted
from affray.events.facts import combat, flow
from affray.events.facts.acts import Enter
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import Asked, Declared, Invalidated, Refused, Rolled, Ruled
from affray.events.facts.sheet import Modifier
from affray.events.facts.words import DialectWords
from affray.events.stores.store import Store
from affray.projections.deeds import IDS, declaration
from affray.projections.fold import fold
from affray.projections.sentence import roll_words, sentence, total_of_check
from affray.projections.state import Combatant, Encounter, duplicate
from affray.replay.log.branches import parting
from affray.replay.log.declarations import groups
from affray.replay.log.playhead import state_at
from affray.replay.log.rules_for_fight import book_of
from affray.replay.names import plainly as plainly_told
from affray.replay.redecide.redecide import GOOD

# --- Why a change has no effect: the effect of a ruling, and what happened to it on the new line

Facts = Mapping[str, Any]
Keyed = TypeVar("Keyed", Rolled, flow.Chosen)

NO_ROLL = {
    "attack": "{} makes no attack",
    "defense": "{} is not attacked",
    "damage": "{} deals no damage",
    "confirm": "{} makes no confirmation roll",
    "initiative": "{} rolls no initiative",
    "save.fort": "{} makes no Fortitude save",
    "save.ref": "{} makes no Reflex save",
    "save.will": "{} makes no Will save",
}
"""Statistic -> the sentence for a modifier to a roll that was not made."""

NO_SUCH_ROLL = "{} makes no such roll"
"""The sentence for a modifier to another test that was not made."""

_OVERRULED = re.compile(r"overruled by (?P<other>.+) (?P<value>[+-]\d+) \((?P<why>same .+)\)")


class Idle(Struct, frozen=True):
    """The reason a change has no effect; `sure` if it holds for any events on the line.

    `fact` is the name of the fact that makes the change.
    """

    words: str
    sure: bool
    fact: str = ""


def yield_changes_without_effect(
    a: Facts, b: Facts, base: Encounter, book: Callable[[], Book]
) -> Iterator[Idle]:
    """Yield for each change that line `b` was made for the reason it has no effect, as far as known.

    `a` and `b` are the facts after the common part by names that both lines share, `base` the state before;
    `book` returns the catalogue, and is only called for readings.
    """
    options: set[str] = set()
    for name, fact in b.items():
        if type(fact) is flow.OptionsChanged:
            # If a reading was changed for one declaration, the second change only restores it.
            if not options.isdisjoint(fact.options):
                continue
            options.update(fact.options)
        if name not in a or a[name] != fact:
            for idle in _of_one(fact, a, b, base, book, "(ruled " in name):
                yield replace(idle, fact=name)


def _of_one(
    fact: object, a: Facts, b: Facts, base: Encounter, book: Callable[[], Book], by_hand: bool
) -> Iterator[Idle]:
    if isinstance(fact, combat.EffectGained) and fact.id.startswith("ruling:"):
        yield (_struck if fact.stat.startswith("no.") else _given)(fact, b)
    elif isinstance(fact, Rolled) and fact.provenance.startswith(("overridden", "ruling:")):
        yield _face(_keyed(a, fact), fact, a, b, dialect_words(base))
    elif isinstance(fact, flow.Chosen) and (fact.by == "what-if" or fact.by.startswith("ruling:")):
        yield _choice(_keyed(a, fact), fact)
    elif isinstance(fact, flow.OptionsChanged):
        yield from _readings(fact, base, book)
    elif isinstance(fact, flow.Ruled) and fact.verdict == "void":
        yield _void(fact, a)
    elif by_hand:
        yield from _by_hand(fact, base)


def _keyed(facts: Facts, like: Keyed) -> Keyed | None:
    """Return the roll or answer with the same key on another line, None if there is none."""
    return next((one for one in facts.values() if type(one) is type(like) and one.key == like.key), None)


def _given(fact: combat.EffectGained, b: Facts) -> Idle:
    """Return what happened to an added modifier."""
    one = fact.modifier
    words = f"the {one.value:+d} {one.kind}" if one.value else one.kind.capitalize()
    held = list(_held(fact, b))
    found = [
        (other, part)
        for other in held
        for part in parts_of(other)
        if (part.source, part.rule, part.kind) == (one.source, one.rule, one.kind)
    ]
    if not found:
        rolls = list(_rolls(fact.who, fact.stat, held))
        if not rolls:
            why = NO_ROLL.get(fact.stat, NO_SUCH_ROLL).format(fact.who)
            return Idle(f"{words} is never used, as {why} while it lasts", True)
        return Idle(f"{words} does not apply when {_outcome(rolls[0]) or 'it is rolled'}", True)
    counting = [other for other, part in found if not part.denied]
    if not counting:
        return Idle(f"{words} does not count{_denied(found[0][1].denied)}", True)
    told = next(filter(None, map(_outcome, counting)), "")
    return Idle(f"{words} counts, but still {told}" if told else f"{words} has no effect", False)


def _struck(fact: combat.EffectGained, b: Facts) -> Idle:
    """Return what happened to a removed modifier."""
    stat, name = fact.stat.removeprefix("no."), fact.modifier.source
    rolls = list(_rolls(fact.who, stat, list(_held(fact, b))))
    if not rolls:
        why = NO_ROLL.get(stat, NO_SUCH_ROLL).format(fact.who)
        return Idle(f"there is no {name!r} to remove, as {why} while the ruling applies", True)
    parts = [part for roll in rolls for part in _side(roll, stat)]
    found = [part for part in parts if name.casefold() in (part.source.casefold(), part.kind.casefold())]
    if not found:
        there = ", ".join(dict.fromkeys(part.source or part.kind for part in parts)) or "none"
        return Idle(f"no {name!r} is among the modifiers to the {stat} of {fact.who}: {there}", True)
    struck = [part for part in found if part.denied.startswith("ruled out")]
    if not struck:
        return Idle(f"the {_named(found[0])} does not count anyway{_denied(found[0].denied)}", True)
    without = (roll for roll in rolls if any(one in struck for one in _side(roll, stat)))
    told = next(filter(None, map(_outcome, without)), "")
    words = f"even without the {_named(struck[0])} {told}" if told else f"{name} has no effect"
    return Idle(words, False)


def _face(before: Rolled | None, fact: Rolled, a: Facts, b: Facts, words: DialectWords) -> Idle:
    """Return what happened to given dice results."""
    shown = ", ".join(map(str, fact.faces))
    told = next(
        filter(None, (_outcome(other) for other in b.values() if getattr(other, "key", "") == fact.key)), ""
    )
    if before is not None and before.faces == fact.faces:
        roll = f"{fact.who}'s {roll_words(fact.key, words)} roll"
        if word := _ruled_outcome(fact, a, b):
            return Idle(f"{roll} was a {word} already: {told or f'it showed {shown}'}", True)
        return Idle(f"{roll} showed {shown} already", True)
    then = f" instead of {', '.join(map(str, before.faces))}" if before is not None else ""
    return Idle(f"with {shown}{then} {told or 'the result is the same'}{' as before' * bool(told)}", False)


def _ruled_outcome(roll: Rolled, a: Facts, b: Facts) -> str:
    """Return the outcome, such as "hit", that a ruling on line `b` gives a roll by a word; "" for none."""
    purpose = roll.key.split("/")[-2]
    for name, fact in b.items():
        if type(fact) is flow.Ruled and a.get(name) != fact:
            for effect in fact.changes:
                named, _, word = effect.rpartition("=")
                if word in GOOD and named in (roll.key, purpose, purpose.split("-")[0]):
                    return word
    return ""


def _choice(before: flow.Chosen | None, fact: flow.Chosen) -> Idle:
    chooser = fact.who or "the game master"
    if before is not None and before.answer == fact.answer:
        return Idle(f"{chooser} chose {fact.answer} already", True)
    return Idle(f"the choice of {chooser} ({fact.answer}) has no effect", False)


def _readings(fact: flow.OptionsChanged, base: Encounter, book: Callable[[], Book]) -> Iterator[Idle]:
    known = book()
    for option, value in sorted(fact.options.items()):
        if known.reading(option, base.options).name == value:
            yield Idle(f"{option} is {value} already", True)
        else:
            yield Idle(f"no outcome depends on {option} = {value}", False)


def _void(fact: flow.Ruled, a: Facts) -> Idle:
    for other in a.values():
        if type(other) in (flow.Refused, flow.Invalidated) and other.id == fact.subject:
            return Idle(f"{fact.subject} was never played: {other.reason}", True)
    return Idle(f"{fact.subject} had no lasting effect", False)


def _by_hand(fact: object, base: Encounter) -> Iterator[Idle]:
    """Yield which figures, squares and conditions given by hand were already so."""
    combatant = base.combatants.get(getattr(fact, "who", ""))
    if combatant is None:
        return
    if isinstance(fact, combat.HitPointsChanged) and fact.hp == combatant.hp:
        yield Idle(f"{fact.who} has {counted(fact.hp, 'hit point')} already", True)
    elif isinstance(fact, combat.Moved) and fact.path[-1] == combatant.at:
        yield Idle(f"{fact.who} is at {fact.path[-1][0]},{fact.path[-1][1]} already", True)
    elif isinstance(fact, combat.ConditionGained) and fact.condition in combatant.conditions:
        yield Idle(f"{fact.who} is {fact.condition} already", True)


def parts_of(fact: Any) -> Iterator[Modifier]:
    """Yield the modifiers that decided a fact, including those that did not count."""
    if type(fact) is not combat.EffectGained:
        for name in fact.__struct_fields__:
            value = getattr(fact, name)
            if type(value) is tuple:
                yield from (one for one in value if type(one) is Modifier)


def _held(fact: combat.EffectGained, b: Facts) -> Iterator[object]:
    """Yield the facts from the beginning of an effect to its end."""
    holds = False
    for other in b.values():
        holds = holds or other is fact
        if type(other) is combat.EffectEnded and (other.who, other.id) == (fact.who, fact.id):
            return
        if holds:
            yield other


def _rolls(who: str, stat: str, facts: Sequence[object]) -> Iterator[object]:
    """Yield the outcomes that a modifier of that kind could affect."""
    for fact in facts:
        if (
            (isinstance(fact, combat.AttackResolved) and stat == "attack" and fact.attacker == who)
            or (isinstance(fact, combat.AttackResolved) and stat == "defense" and fact.target == who)
            or (isinstance(fact, combat.DamageResolved) and stat == "damage" and fact.attacker == who)
            or (isinstance(fact, combat.ConfirmationResolved) and stat == "confirm" and fact.attacker == who)
            or (isinstance(fact, flow.InitiativeRolled) and stat == "initiative" and fact.who == who)
            or (isinstance(fact, combat.CheckResolved) and fact.check == stat and fact.who == who)
        ):
            yield fact


def _side(fact: object, stat: str) -> tuple[Modifier, ...]:
    name = {"attack": "attack", "confirm": "attack", "defense": "defense", "damage": "modifiers"}
    found: tuple[Modifier, ...] = getattr(fact, name.get(stat, "parts"))
    return found


def _outcome(fact: object) -> str:
    """Return the result of a roll with its figures; "" for a fact that is not one."""
    if isinstance(fact, combat.AttackResolved):
        hits = "misses" if fact.result == "miss" else "hits"
        return f"{fact.attacker} {hits} {fact.target} ({fact.total} against {fact.needed})"
    if isinstance(fact, combat.ConfirmationResolved):
        confirms = "confirms" if fact.confirmed else "does not confirm"
        return f"{fact.attacker} {confirms} the critical hit ({fact.total} against {fact.needed})"
    if isinstance(fact, combat.MissChanceResolved):
        return (
            f"the miss chance {'spoils' if fact.missed else 'does not spoil'} the attack of {fact.attacker}"
        )
    if isinstance(fact, combat.CheckResolved):
        succeeds = "succeeds" if fact.success else "fails"
        return f"{fact.who} {succeeds} ({total_of_check(fact)})"
    if isinstance(fact, combat.ContestResolved):
        return f"{fact.who} {'wins' if fact.won else 'loses'} ({fact.total} against {fact.opposed})"
    if isinstance(fact, flow.InitiativeRolled):
        return f"{fact.who} has its place in the order"
    return ""


def _named(part: Modifier) -> str:
    value = f"{part.value:+d}" if part.value else part.kind.capitalize()
    return f"{value} of {part.source or part.kind}"


def _denied(why: str) -> str:
    """Return why a modifier does not count: the other modifier, or the reason."""
    if found := _OVERRULED.fullmatch(why):
        kind = found["why"].removeprefix("same type: ")
        return f" next to the {found['other']} ({found['value']}, {kind})"
    return f": {why}"


# --- A difference in one plain sentence: the first change, the deaths, the final state


def plainly(
    a: Facts,
    b: Facts,
    states: tuple[Encounter, Encounter],
    deaths: tuple[Mapping[str, str], Mapping[str, str]],
    idle: Sequence[Idle] = (),
) -> str:
    """Return what differs on line `b` from line `a`, in one sentence with the names of combatants.

    `a` and `b` are the facts after the common part in order, by a name that both lines share; `deaths` the
    places (r4.t2) of deaths on either line; `idle` the changes that may have no effect, with reasons used if
    nothing differs.
    """
    cast = Cast.of(*states)
    sure = {one.fact for one in idle if one.sure}
    first, made_for = (
        find_first_change(a, {name: b[name] for name in b if name not in sure}),
        _with(a, b, cast),
    )
    told = [cast.prose(one) for one in (*([first] if first else []), *fates(states, deaths))]
    if told:
        return f"{cast.capital(made_for + '; '.join(told))}."
    why = "; ".join(cast.prose(one.words) for one in idle)
    return cast.capital(f"{made_for}nothing else changes{': ' * bool(why)}{why.removesuffix('.')}.")


def find_first_change(a: Facts, b: Facts) -> str:
    """Return the first different outcome on line `b`, "" if there is none."""
    for name, fact in b.items():
        if type(fact) is flow.Invalidated and fact.reason.startswith("ruled void"):
            continue  # the ruling itself, whose consequences the rest of the sentence gives
        words = _WORDS.get(type(fact))
        before = a.get(name)
        if words is not None and (said := words(before, fact)):
            return said
    for name, fact in a.items():
        if type(fact) is combat.AttackResolved and name not in b:
            return f"{fact.attacker} does not attack {fact.target} with the {fact.weapon}"
    return ""


def fates(
    states: tuple[Encounter, Encounter], deaths: tuple[Mapping[str, str], Mapping[str, str]]
) -> Iterator[str]:
    """Yield what happens to each combatant whose end differs."""
    for id in dict.fromkeys((*states[0].combatants, *states[1].combatants)):
        one, other = (state.combatants.get(id) for state in states)
        if one is None or other is None:
            yield f"{id} is {'there as well' if one is None else 'no longer there'}"
            continue
        dead = (states[0].is_dead(one), states[1].is_dead(other))
        places = (deaths[0].get(id, ""), deaths[1].get(id, ""))
        if dead == (True, False):
            yield f"{id} lives and ends at {other.hp} hp"
        elif dead == (False, True):
            yield f"{id} dies{_at(places[1])}"
        elif dead == (True, True) and places[0] != places[1] and all(places):
            later = _order(places[1]) > _order(places[0])
            yield f"{id} {'lives until' if later else 'dies already at'} {places[1]} instead of {places[0]}"
        elif dead == (False, False) and one.hp != other.hp:
            yield f"{id} ends at {other.hp} hp instead of {one.hp}"


def _with(a: Facts, b: Facts, cast: Cast) -> str:
    """Return the reason for the second line that the first lacks: a ruling, a reading, dice."""
    for name, fact in b.items():
        if a.get(name) == fact:
            continue
        if type(fact) is flow.Ruled and fact.verdict != "ends":
            return f"with the ruling {fact.text!r} "
        if type(fact) is flow.OptionsChanged:
            return f"with {', '.join(f'{name} = {fact.options[name]}' for name in sorted(fact.options))} "
        if type(fact) is Rolled and (
            fact.provenance == "overridden" or fact.provenance.startswith("ruling:")
        ):
            shown = ", ".join(map(str, fact.faces))
            return f"with {shown} for {cast.name(fact.who)}'s {roll_words(fact.key, cast.words)} roll "
        if type(fact) is not flow.Declared and type(fact) in _WORDS:
            break
    return ""


def _declared(a: flow.Declared | None, b: flow.Declared) -> str:
    if b.by != "what-if" and not b.by.startswith("ruling:"):
        return ""
    said = declaration(b.act, IDS)
    if a is None:
        return said
    if type(a.act) is Enter and type(b.act) is Enter:
        return f"{b.act.id} enters with {_changed(a.act, b.act)}" if a.act != b.act else ""
    if a.act != b.act:
        before = declaration(a.act, IDS)
        return f"{said} (instead of: {before})" if said != before else f"{said}, {_changed(a.act, b.act)}"
    return f"{said} at another moment" if a.by != b.by else ""


def _changed(a: object, b: object) -> str:
    """Return the figures of a declaration that differ, and their old values."""
    old, new = (dict(_figures(plainly_told(one))) for one in (a, b))
    return ", ".join(
        f"{name} {new.get(name) or 'none'} instead of {old.get(name) or 'none'}"
        for name in dict.fromkeys((*old, *new))
        if old.get(name) != new.get(name)
    )


def _figures(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the values in plain data, with the path of names to each; parts of lists by their own names."""
    if isinstance(value, dict):
        for name, inner in value.items():
            outer = path if name in ("sheet", "value") else f"{path} {name}".strip()
            if name == "sheet" and isinstance(inner, dict):
                inner = {
                    f"{part} of the sheet" if part in value else part: one for part, one in inner.items()
                }
            yield from _figures(inner, outer)
    elif isinstance(value, list) and any(isinstance(one, dict) for one in value):
        for at, one in enumerate(value):
            called = one.get("name") or one.get("source") or one.get("kind") or at
            yield from _figures(one, f"{path} {called}")
    else:
        yield path, "the usual" if value is None else _listed(value)


def _listed(value: object) -> str:
    """Return a value in words: squares are separated by blanks, their numbers and names by commas."""
    if not isinstance(value, list):
        return str(value)
    return (" " if any(isinstance(one, list) for one in value) else ",").join(map(_listed, value))


def _attack(a: combat.AttackResolved | None, b: combat.AttackResolved) -> str:
    hit = b.result != "miss"
    if a is not None and (a.result != "miss") == hit:
        return ""
    return f"{b.attacker} {'hits' if hit else 'misses'} {b.target} with the {b.weapon}"


def _damage(a: combat.DamageResolved | None, b: combat.DamageResolved) -> str:
    if a is not None and a.total - a.reduced == b.total - b.reduced:
        return ""
    less = f" instead of {a.total - a.reduced}" if a is not None else ""
    return f"{b.attacker} deals {b.total - b.reduced} damage to {b.target}{less}"


def _chosen(a: flow.Chosen | None, b: flow.Chosen) -> str:
    if a is not None and a.answer == b.answer:
        return ""
    return f"{b.who or 'the game master'} chooses {b.answer}" + (f" instead of {a.answer}" if a else "")


def _by(*names: str) -> Callable[[object, object], str]:
    """Return a function for the sentence of a fact that is new or differs in one of these fields."""

    def words(a: object, b: object) -> str:
        same = a is not None and all(getattr(a, name) == getattr(b, name) for name in names)
        return "" if same else sentence(b)

    return words


_WORDS: dict[type, Callable[[Any, Any], str]] = {
    flow.Declared: _declared,
    combat.AttackResolved: _attack,
    combat.ConfirmationResolved: _by("confirmed"),
    combat.MissChanceResolved: _by("missed"),
    combat.DamageResolved: _damage,
    combat.HitPointsChanged: _by("hp", "nonlethal", "temporary"),
    combat.CheckResolved: _by("success"),
    combat.ContestResolved: _by("won"),
    combat.TurningResolved: _by("most", "damage"),
    combat.SideChanged: _by("side"),
    combat.ConditionGained: _by("condition"),
    combat.Moved: _by("path"),
    flow.Chosen: _chosen,
    flow.Invalidated: _by("reason"),
    flow.Refused: _by("reason"),
}


def _at(place: str) -> str:
    return f" at {place}" if place else ""


def _order(place: str) -> list[int]:
    return [int(part.lstrip("rt")) for part in place.split(".")]


class EventChange(Struct, frozen=True):
    """An event that differs: `kind` is "changed", "only a" or "only b"; seq 0 and b"" where it is missing.

    `what` names it: declaration, type and, if there are several, its number.
    """

    kind: str
    what: str
    a: int
    b: int
    data_a: str
    data_b: str


class RollChange(Struct, frozen=True):
    """A roll whose results differ, by key; empty where it was not rolled."""

    key: str
    a: tuple[int, ...]
    b: tuple[int, ...]


class DeclarationChange(Struct, frozen=True):
    """A declaration with a different end; "" where it was never declared.

    Ends: "done", "refused: ...", "invalidated: ...", "void: ...", "waits: ...".
    """

    id: str
    act: str
    actor: str
    a: str
    b: str


class CombatantChange(Struct, frozen=True):
    """A combatant in a different state at the end: the differences, as (a, b), by name.

    Names: "present", "hp", "nonlethal", "temporary", "conditions", "at", "held", "alive".
    """

    id: str
    changes: dict[str, tuple[Any, Any]]

    def rows(self) -> Iterator[str]:
        """Yield the differences, a row for each name: `ogre: hp 12 | 30`."""
        for name, both in self.changes.items():
            yield f"{self.id}: {name} {' | '.join(map(_in_a_row, both))}"


def _in_a_row(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


class Difference(Struct):
    """The differences between branch `a` and branch `b`, which share their events up to `parted`.

    `sentence` describes them plainly, `counted` is where they separate and how much differs. `idle` are the
    changes that `b` was made for and that have no effect, each with the reason; `no_effect` if that is true
    of all of them.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.replay import diff, fork
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> again = fork(store, "r2", "again")
    >>> diff(store, "main", "again").parted
    71
    """

    a: str
    b: str
    parted: int
    round: int
    turn: int
    sentence: str
    counted: str
    declarations: list[DeclarationChange]
    rolls: list[RollChange]
    events: list[EventChange]
    combatants: list[CombatantChange]
    idle: list[str] = field(default_factory=list)
    no_effect: bool = False

    @property
    def same(self) -> bool:
        """Whether both contain the same fight."""
        return not (self.declarations or self.rolls or self.events or self.combatants)


class BranchContents(Struct):
    """The contents of one branch after the common part, ready to compare; never changed."""

    events: dict[str, tuple[int, str]]
    rolls: dict[str, tuple[int, ...]]
    ends: dict[str, tuple[str, str, str]]
    state: Encounter
    facts: JsonObject
    deaths: dict[str, str]


def diff(store: Store, a: str, b: str) -> Difference:
    """Compare two branches of a log.

    Events are matched by declaration and kind, rolls by key: a different position alone is not a difference,
    nor are the digests recorded at round ends, which differ as soon as anything does. O(events after the
    common part). Raises UnknownStream.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.replay import diff, what_if
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> other = what_if(store, faces={"d10/aoo:ogre/attack/1": [2]}, name="luck")
    >>> diff(store, "main", "luck").sentence
    "With 2 for Gharm's attack roll Gharm misses Ysolde with the greatclub; Ysolde lives and ends at 5 hp."
    """
    parted = parting(store, a, b)
    base = state_at(store, a, parted)
    one, other = (get_contents_after(store, branch, parted, base) for branch in (a, b))
    return compared(base, (a, b), parted, one, other)


def get_contents_after(store: Store, branch: str, parted: int, base: Encounter) -> BranchContents:
    """Return the contents of a branch after event `parted` with the state `base`. O(events after it)."""
    return gathered(store.read(branch, after=parted), duplicate(base))


def compared(
    base: Encounter, names: tuple[str, str], parted: int, one: BranchContents, other: BranchContents
) -> Difference:
    """Return the differences between two branches from their contents after the common part."""
    events = [
        _event_change(what, one.events.get(what), other.events.get(what))
        for what in _both(one.events, other.events)
        if one.events.get(what, (0, ""))[1] != other.events.get(what, (0, ""))[1]
    ]
    rolls = [
        RollChange(key, one.rolls.get(key, ()), other.rolls.get(key, ()))
        for key in _both(one.rolls, other.rolls)
        if one.rolls.get(key) != other.rolls.get(key)
    ]
    declarations = [
        _declaration_change(id, one.ends.get(id), other.ends.get(id))
        for id in _both(one.ends, other.ends)
        if one.ends.get(id) != other.ends.get(id)
    ]
    combatants = list(_combatants(one.state, other.state))
    made = Difference(*names, parted, base.round, base.turn, "", "", declarations, rolls, events, combatants)
    made.counted = _counted(made)
    states = (one.state, other.state)
    idle = list(yield_changes_without_effect(one.facts, other.facts, base, lambda: _book(base)))
    cast = Cast.of(*states)
    made.idle = [cast.prose(each.words) for each in idle if each.sure]
    made.no_effect = bool(idle) and len(made.idle) == len(idle) and not (declarations or rolls or combatants)
    told = plainly(one.facts, other.facts, states, (one.deaths, other.deaths), idle)
    made.sentence = made.counted if made.same else told
    return made


def _both(a: Iterable[str], b: Iterable[str]) -> list[str]:
    return list(dict.fromkeys((*a, *b)))


def gathered(events: Iterable[Event], state: Encounter) -> BranchContents:
    """Return the contents of events that follow a state, which is updated. O(events)."""
    told = BranchContents({}, {}, {}, state, {}, {})
    standing: dict[str, int] = {}
    for group in groups(events):
        fold(group, state)
        facts = [decode(event) for event in group]
        first = facts[0]
        id: str = first.id if type(first) is Declared else _group_name(first, standing)
        if type(first) is Declared:
            told.ends[id] = (str(first.act.__struct_config__.tag), first.act.actor, _end(facts))
        seen: dict[str, int] = {}
        for event, fact in zip(group, facts, strict=True):
            if type(fact) is Rolled:
                told.rolls[fact.key] = fact.faces
            if event.type in ("round.ended", "branch.promoted"):
                continue
            key = getattr(fact, "key", "")
            name = f"{event.type} {key}" if key else f"{event.type} {_about(fact)} ({id})"
            seen[name] = seen.get(name, 0) + 1
            numbered = f"{name} no. {seen[name]}" if seen[name] > 1 else name
            told.events[numbered] = (event.seq, event.data.decode())
            told.facts[numbered] = fact
            if type(fact) is ConditionGained and fact.condition in state.words.dead:
                told.deaths[fact.who] = f"r{event.round}.t{event.turn}" if event.turn else f"r{event.round}"
    return told


def _group_name(first: Struct, standing: dict[str, int]) -> str:
    """Return the name of a group without a declaration, the same on both lines: by its id or its number."""
    tag = str(first.__struct_config__.tag)
    if id := getattr(first, "id", ""):
        return f"{tag} {id}{' ends' if getattr(first, 'verdict', '') == 'ends' else ''}"
    standing[tag] = standing.get(tag, 0) + 1
    return f"{tag} {standing[tag]}"


def _book(state: Encounter) -> Book:
    """Return the catalogue of a fight."""
    return (book_of(state) if state.packages else None) or Book.load(state.dialect, tables=state.tables)


def _about(fact: object) -> str:
    return str(getattr(fact, "who", "") or getattr(fact, "attacker", "") or getattr(fact, "id", "") or "-")


def _end(facts: Sequence[object]) -> str:
    last = facts[-1]
    if isinstance(last, Refused):
        return f"refused: {last.reason}"
    if isinstance(last, Invalidated):
        return f"invalidated: {last.reason}"
    if isinstance(last, Ruled):
        return f"{last.verdict}: {last.text}"
    return f"waits: {last.question}" if isinstance(last, Asked) else "done"


def _event_change(what: str, a: tuple[int, str] | None, b: tuple[int, str] | None) -> EventChange:
    kind = "changed" if a and b else "only a" if a else "only b"
    (seq_a, data_a), (seq_b, data_b) = a or (0, ""), b or (0, "")
    return EventChange(kind, what, seq_a, seq_b, data_a, data_b)


def _declaration_change(
    id: str, a: tuple[str, str, str] | None, b: tuple[str, str, str] | None
) -> DeclarationChange:
    act, actor, _ = a or b or ("", "", "")
    return DeclarationChange(id, act, actor, a[2] if a else "", b[2] if b else "")


def _combatants(a: Encounter, b: Encounter) -> Iterable[CombatantChange]:
    for id in _both(a.combatants, b.combatants):
        one, other = a.combatants.get(id), b.combatants.get(id)
        if one is None or other is None:
            yield CombatantChange(id, {"present": (one is not None, other is not None)})
            continue
        mine, theirs = _standing(one, a), _standing(other, b)
        changes = {name: (mine[name], theirs[name]) for name in mine if mine[name] != theirs[name]}
        if changes:
            yield CombatantChange(id, changes)


def _standing(who: Combatant, state: Encounter) -> dict[str, object]:
    return {
        "hp": who.hp,
        "nonlethal": who.nonlethal,
        "temporary": who.temporary,
        "conditions": sorted(who.conditions),
        "at": who.at,
        "held": sorted(who.held),
        "alive": not state.is_dead(who),
    }


def _counted(found: Difference) -> str:
    place = f"r{found.round}.t{found.turn}" if found.turn else f"r{found.round}"
    if found.same:
        return f"{found.a} and {found.b} are equal after they separate at event {found.parted} ({place})."
    counted = [
        _count(len(found.declarations), "declaration ends differently", "declarations end differently"),
        _count(len(found.rolls), "roll differs", "rolls differ"),
        _count(len(found.events), "event differs", "events differ"),
    ]
    start = f"{found.a} and {found.b} separate at event {found.parted} ({place})"
    return f"{start}: {', '.join(filter(None, counted)) or 'only the end differs'}."


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}" if number else ""
