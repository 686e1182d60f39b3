"""Why a change changes nothing: what a ruling gave or took, and what became of it on the new line."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.book import Book
from affray.events.facts import combat, declared, flow
from affray.events.facts.modifier import Modifier
from affray.events.facts.rolled import Rolled
from affray.events.wording import counted
from affray.projections.state import Encounter

Facts = Mapping[str, Any]

NO_ROLL = {
    "attack": "{} attacks nobody",
    "defense": "nobody attacks {}",
    "damage": "{} deals no damage",
    "confirm": "{} confirms no critical hit",
    "initiative": "{} rolls no initiative",
    "save.fort": "{} makes no Fortitude save",
    "save.ref": "{} makes no Reflex save",
    "save.will": "{} makes no Will save",
}
"""What is said of a modifier to a roll that nobody made, by its statistic."""

_OVERRULED = re.compile(r"overruled by (?P<other>.+) (?P<value>[+-]\d+) \((?P<why>same .+)\)")


class Idle(Struct, frozen=True):
    """Why a change is without effect; `sure` if it is so of itself, whatever else the line may bring.

    `fact` is the name of the fact that makes the change.
    """

    words: str
    sure: bool
    fact: str = ""


def without_effect(a: Facts, b: Facts, base: Encounter, book: Callable[[], Book]) -> Iterator[Idle]:
    """Yield for each change that line `b` was made for why nothing comes of it, as far as that can be said.

    `a` and `b` are the facts after the parting by names that both lines share, `base` the state before it;
    `book` returns the catalogue, and is asked only for readings.
    """
    options: set[str] = set()
    for name, fact in b.items():
        if type(fact) is flow.OptionsChanged:
            # Where a reading was lent for one declaration, the second change only gives it back.
            if not options.isdisjoint(fact.options):
                continue
            options.update(fact.options)
        if name not in a or a[name] != fact:
            for idle in _of_one(fact, a, b, base, book, "(ruled " in name):
                yield replace(idle, fact=name)


def _of_one(
    fact: Any, a: Facts, b: Facts, base: Encounter, book: Callable[[], Book], by_hand: bool
) -> Iterator[Idle]:
    kind = type(fact)
    if kind is combat.EffectGained and fact.id.startswith("ruling:"):
        yield (_struck if fact.stat.startswith("no.") else _given)(fact, b)
    elif kind is Rolled and fact.provenance.startswith(("overridden", "ruling:")):
        yield _face(_keyed(a, fact), fact, b)
    elif kind is declared.Chosen and (fact.by == "what-if" or fact.by.startswith("ruling:")):
        yield _choice(_keyed(a, fact), fact)
    elif kind is flow.OptionsChanged:
        yield from _readings(fact, base, book)
    elif kind is declared.Ruled and fact.verdict == "void":
        yield _void(fact, a)
    elif by_hand:
        yield from _by_hand(fact, base)


def _keyed(facts: Facts, like: Any) -> Any:
    """Return the roll or answer of the same key on another line, None without one."""
    return next((one for one in facts.values() if type(one) is type(like) and one.key == like.key), None)


def _given(fact: combat.EffectGained, b: Facts) -> Idle:
    """Say what became of a modifier that was given."""
    one = fact.modifier
    words = f"the {one.value:+d} {one.kind}"
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
            why = NO_ROLL[fact.stat].format(fact.who)
            return Idle(f"{words} has no part in anything, as {why} while it holds", True)
        return Idle(f"{words} has no part in it where {_outcome(rolls[0]) or 'it is rolled'}", True)
    counting = [other for other, part in found if not part.denied]
    if not counting:
        return Idle(f"{words} does not count{_denied(found[0][1].denied)}", True)
    told = next(filter(None, map(_outcome, counting)), "")
    return Idle(f"{words} counts, and {told} all the same" if told else f"{words} counts for nothing", False)


def _struck(fact: combat.EffectGained, b: Facts) -> Idle:
    """Say what became of a modifier that was struck out."""
    stat, name = fact.stat.removeprefix("no."), fact.modifier.source
    rolls = list(_rolls(fact.who, stat, list(_held(fact, b))))
    if not rolls:
        why = NO_ROLL[stat].format(fact.who)
        return Idle(f"there is no {name!r} to strike out, as {why} while the ruling holds", True)
    parts = [part for roll in rolls for part in _side(roll, stat)]
    found = [part for part in parts if name.casefold() in (part.source.casefold(), part.kind.casefold())]
    if not found:
        there = ", ".join(dict.fromkeys(part.source or part.kind for part in parts)) or "none"
        return Idle(f"no {name!r} is among the modifiers to the {stat} of {fact.who}: {there}", True)
    struck = [part for part in found if part.denied.startswith("ruled out")]
    if not struck:
        return Idle(f"the {_named(found[0])} does not count anyhow{_denied(found[0].denied)}", True)
    without = (roll for roll in rolls if any(one in struck for one in _side(roll, stat)))
    told = next(filter(None, map(_outcome, without)), "")
    words = f"without the {_named(struck[0])} {told} all the same" if told else f"{name} decides nothing"
    return Idle(words, False)


def _face(before: Any, fact: Rolled, b: Facts) -> Idle:
    """Say what became of faces that were given."""
    shown = ", ".join(map(str, fact.faces))
    if before is not None and before.faces == fact.faces:
        return Idle(f"{fact.who}'s {fact.key.split('/')[-2]} roll showed {shown} already", True)
    told = next(
        filter(None, (_outcome(other) for other in b.values() if getattr(other, "key", "") == fact.key)), ""
    )
    then = f" instead of {', '.join(map(str, before.faces))}" if before is not None else ""
    return Idle(f"with {shown}{then} {told or 'it comes to the same'}{' all the same' * bool(told)}", False)


def _choice(before: Any, fact: declared.Chosen) -> Idle:
    chooser = fact.who or "the game master"
    if before is not None and before.answer == fact.answer:
        return Idle(f"{chooser} chose {fact.answer} already", True)
    return Idle(f"it decides nothing that {chooser} chooses {fact.answer}", False)


def _readings(fact: flow.OptionsChanged, base: Encounter, book: Callable[[], Book]) -> Iterator[Idle]:
    known = book()
    for option, value in sorted(fact.options.items()):
        if known.reading(option, base.options).name == value:
            yield Idle(f"{option} is {value} already", True)
        else:
            yield Idle(f"nothing that follows comes out otherwise with {option} = {value}", False)


def _void(fact: declared.Ruled, a: Facts) -> Idle:
    for other in a.values():
        if type(other) in (declared.Refused, declared.Invalidated) and other.id == fact.subject:
            return Idle(f"{fact.subject} was never played: {other.reason}", True)
    return Idle(f"nothing that lasts came of {fact.subject}", False)


def _by_hand(fact: Any, base: Encounter) -> Iterator[Idle]:
    """Say which figures, places and conditions given by hand were so already."""
    combatant = base.combatants.get(getattr(fact, "who", ""))
    if combatant is None:
        return
    kind = type(fact)
    if kind is combat.HitPointsChanged and fact.hp == combatant.hp:
        yield Idle(f"{fact.who} has {counted(fact.hp, 'hit point')} already", True)
    elif kind is combat.Moved and fact.path[-1] == combatant.at:
        yield Idle(f"{fact.who} stands at {fact.path[-1][0]},{fact.path[-1][1]} already", True)
    elif kind is combat.ConditionGained and fact.condition in combatant.conditions:
        yield Idle(f"{fact.who} is {fact.condition} already", True)


def parts_of(fact: Any) -> Iterator[Modifier]:
    """Yield the modifiers that a fact was decided with, those that did not count too."""
    if type(fact) is not combat.EffectGained:
        for name in fact.__struct_fields__:
            value = getattr(fact, name)
            if type(value) is tuple:
                yield from (one for one in value if type(one) is Modifier)


def _held(fact: combat.EffectGained, b: Facts) -> Iterator[Any]:
    """Yield the facts from where an effect was gained to where it ended."""
    holds = False
    for other in b.values():
        holds = holds or other is fact
        if type(other) is combat.EffectEnded and (other.who, other.id) == (fact.who, fact.id):
            return
        if holds:
            yield other


def _rolls(who: str, stat: str, facts: Sequence[Any]) -> Iterator[Any]:
    """Yield the outcomes on which a modifier of that kind could bear."""
    for fact in facts:
        kind = type(fact)
        if (
            (kind is combat.AttackResolved and stat == "attack" and fact.attacker == who)
            or (kind is combat.AttackResolved and stat == "defense" and fact.target == who)
            or (kind is combat.DamageResolved and stat == "damage" and fact.attacker == who)
            or (kind is combat.ConfirmationResolved and stat == "confirm" and fact.attacker == who)
            or (kind is flow.InitiativeRolled and stat == "initiative" and fact.who == who)
            or (kind is combat.CheckResolved and fact.check == stat and fact.who == who)
        ):
            yield fact


def _side(fact: Any, stat: str) -> tuple[Modifier, ...]:
    name = {"attack": "attack", "confirm": "attack", "defense": "defense", "damage": "modifiers"}
    found: tuple[Modifier, ...] = getattr(fact, name.get(stat, "parts"))
    return found


def _outcome(fact: Any) -> str:
    """Return what a roll came to, with its figures; "" for a fact that is no outcome of one."""
    kind = type(fact)
    if kind is combat.AttackResolved:
        hits = "misses" if fact.result == "miss" else "hits"
        return f"{fact.attacker} {hits} {fact.target} ({fact.total} against {fact.needed})"
    if kind is combat.ConfirmationResolved:
        confirms = "confirms" if fact.confirmed else "does not confirm"
        return f"{fact.attacker} {confirms} the critical hit ({fact.total} against {fact.needed})"
    if kind is combat.MissChanceResolved:
        return f"the miss chance {'spoils' if fact.missed else 'does not spoil'} the blow of {fact.attacker}"
    if kind is combat.CheckResolved:
        succeeds = "succeeds" if fact.success else "fails"
        return f"{fact.who} {succeeds} ({fact.total} against {fact.dc})"
    if kind is combat.ContestResolved:
        return f"{fact.who} {'wins' if fact.won else 'loses'} ({fact.total} against {fact.opposed})"
    if kind is flow.InitiativeRolled:
        return f"{fact.who} has its place in the order"
    return ""


def _named(part: Modifier) -> str:
    return f"{part.value:+d} of {part.source or part.kind}"


def _denied(why: str) -> str:
    """Return why a modifier does not count: beside what, or for which reason."""
    if found := _OVERRULED.fullmatch(why):
        kind = found["why"].removeprefix("same type: ")
        return f" beside the {found['other']} ({found['value']}, {kind})"
    return f": {why}"
