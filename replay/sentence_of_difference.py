"""What a difference comes to, in one plain sentence: the first change, who dies when, how they end."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from affray.events.facts import combat, declared, flow
from affray.events.facts.acts import Enter
from affray.events.facts.rolled import Rolled
from affray.projections.deeds import IDS, declaration
from affray.projections.sentence import sentence
from affray.projections.state import Combatant, Encounter
from affray.replay.narrate.cast import Cast
from affray.replay.sheet_figures import plainly as plainly_told
from affray.replay.without_effect import Idle

Facts = Mapping[str, Any]


def plainly(
    a: Facts,
    b: Facts,
    states: tuple[Encounter, Encounter],
    deaths: tuple[Mapping[str, str], Mapping[str, str]],
    idle: Sequence[Idle] = (),
) -> str:
    """Return what differs on line `b` from line `a`, in one sentence that calls people by their names.

    `a` and `b` are the facts after the parting in order, by a name that both lines share; `deaths` the
    places (r4.t2) where somebody died, on either line; `idle` the changes that may have no effect, which
    say why where nothing differs.
    """
    cast = cast_of(states)
    sure = {one.fact for one in idle if one.sure}
    first, made_for = first_change(a, {name: b[name] for name in b if name not in sure}), _with(a, b, cast)
    told = [cast.prose(one) for one in (*([first] if first else []), *fates(states, deaths))]
    if told:
        return f"{_capital(made_for + '; '.join(told))}."
    why = "; ".join(cast.prose(one.words) for one in idle)
    return _capital(f"{made_for}nothing else changes{': ' * bool(why)}{why.removesuffix('.')}.")


def cast_of(states: tuple[Encounter, Encounter]) -> Cast:
    """Return what to call everybody who is on either line."""
    cast = Cast()
    for one in {**states[0].combatants, **states[1].combatants}.values():
        cast.enter(one.id, one.side, one.sheet.name)
    return cast


def first_change(a: Facts, b: Facts) -> str:
    """Return what first comes out otherwise on line `b`, "" if no outcome does."""
    for name, fact in b.items():
        if type(fact) is declared.Invalidated and fact.reason.startswith("ruled void"):
            continue  # the ruling itself, of which the rest of the sentence says what it led to
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
    """Yield what becomes of each combatant who fares otherwise."""
    for id in dict.fromkeys((*states[0].combatants, *states[1].combatants)):
        one, other = (state.combatants.get(id) for state in states)
        if one is None or other is None:
            yield f"{id} is {'there as well' if one is None else 'not there any more'}"
            continue
        dead = (_dead(one), _dead(other))
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
    """Return what the second line was made for that the first does not have: a ruling, a reading, dice."""
    for name, fact in b.items():
        if a.get(name) == fact:
            continue
        if type(fact) is declared.Ruled and fact.verdict != "ends":
            return f"with the ruling {fact.text!r} "
        if type(fact) is flow.OptionsChanged:
            return f"with {', '.join(f'{name} = {fact.options[name]}' for name in sorted(fact.options))} "
        if type(fact) is Rolled and (
            fact.provenance == "overridden" or fact.provenance.startswith("ruling:")
        ):
            purpose = fact.key.split("/")[-2] if "/" in fact.key else fact.key
            shown = ", ".join(map(str, fact.faces))
            return f"with {shown} for {cast.name(fact.who)}'s {purpose} roll "
        if type(fact) is not declared.Declared and type(fact) in _WORDS:
            break
    return ""


def _declared(a: Any, b: declared.Declared) -> str:
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


def _changed(a: Any, b: Any) -> str:
    """Return the figures of a declaration that differ, and what they were."""
    old, new = (dict(_figures(plainly_told(one))) for one in (a, b))
    return ", ".join(
        f"{name} {new.get(name) or 'none'} instead of {old.get(name) or 'none'}"
        for name in dict.fromkeys((*old, *new))
        if old.get(name) != new.get(name)
    )


def _figures(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield what stands in plain data, with the names that lead there; parts of lists as they are called."""
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


def _listed(value: Any) -> str:
    """Return a value as people write it: squares are parted by blanks, their numbers and names by commas."""
    if not isinstance(value, list):
        return str(value)
    return (" " if any(isinstance(one, list) for one in value) else ",").join(map(_listed, value))


def _attack(a: Any, b: combat.AttackResolved) -> str:
    hit = b.result != "miss"
    if a is not None and (a.result != "miss") == hit:
        return ""
    return f"{b.attacker} {'hits' if hit else 'misses'} {b.target} with the {b.weapon}"


def _damage(a: Any, b: combat.DamageResolved) -> str:
    if a is not None and a.total - a.reduced == b.total - b.reduced:
        return ""
    less = f" instead of {a.total - a.reduced}" if a is not None else ""
    return f"{b.attacker} deals {b.total - b.reduced} damage to {b.target}{less}"


def _chosen(a: Any, b: declared.Chosen) -> str:
    if a is not None and a.answer == b.answer:
        return ""
    return f"{b.who or 'the game master'} chooses {b.answer}" + (f" instead of {a.answer}" if a else "")


def _by(*names: str) -> Callable[[Any, Any], str]:
    """Return the sentence of a fact that is new or differs in one of these fields."""

    def words(a: Any, b: Any) -> str:
        same = a is not None and all(getattr(a, name) == getattr(b, name) for name in names)
        return "" if same else sentence(b)

    return words


_WORDS: dict[type, Callable[[Any, Any], str]] = {
    declared.Declared: _declared,
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
    declared.Chosen: _chosen,
    declared.Invalidated: _by("reason"),
    declared.Refused: _by("reason"),
}


def _dead(who: Combatant) -> bool:
    return "dead" in who.conditions


def _at(place: str) -> str:
    return f" at {place}" if place else ""


def _order(place: str) -> list[int]:
    return [int(part.lstrip("rt")) for part in place.split(".")]


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
