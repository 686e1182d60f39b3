"""Views: the state in the few words that the page shows, one flat record each."""

from collections.abc import Iterable
from typing import Any

from affray.engine.grid.battlefield import side_between
from affray.engine.grid.lines_and_cover import is_border
from affray.events.facts.flow import AwarenessSettled, RoundBegan
from affray.projections.condition_words import conditions_told
from affray.projections.deeds import declaration
from affray.projections.state import Combatant, Encounter
from affray.replay.narrate.cast import Cast
from affray.replay.narrate.words import until

KINDS = {"total": "wall", "low": "low", "high": "high", "": "fence"}
"""What stands between two squares, by what it covers."""


def encounter_view(state: Encounter, cast: Cast) -> dict[str, Any]:
    """Return what is shown of the encounter itself."""
    ask = state.pending
    return {
        "name": state.name,
        "dialect": state.dialect,
        "terrain": state.terrain,
        "sides": sides_view(state),
        "options": dict(state.options),
        "order": state.order,
        "round": state.round,
        "turn": state.turn,
        "phase": state.phase,
        "active": state.active,
        "begun": state.begun,
        "closed": state.closed,
        "ask": f"{cast.name(ask.who)}: {cast.prose(ask.question)}" if ask is not None else "",
    }


def sides_view(state: Encounter) -> list[tuple[bool, int, int, str, str]]:
    """Return what stands between squares: whether it is upright, its grid line, where it begins, kind, name.

    Kinds are wall, door (closed), open, low, high, and fence for what only hampers.
    """
    found = []
    for one in state.barriers:
        if is_border(one.here, one.there):
            kind = ("open" if one.open else "door") if one.door else KINDS[one.cover]
            found.append((*side_between(one.here, one.there), kind, one.door))
    return found


def combatant_view(one: Combatant, cast: Cast, shapes: list[str]) -> dict[str, Any]:
    """Return what is shown of a combatant; `shapes` names the squares that it threatens."""
    return {
        "side": one.side,
        "size": one.sheet.size,
        "thing": one.sheet.thing is not None,
        "at": one.at,
        "space": one.space,
        "reach": one.reach,
        "hp": one.hp,
        "max": one.max_hp,
        "nonlethal": one.nonlethal,
        "temporary": one.temporary,
        "held": one.held,
        "initiative": one.initiative,
        "conditions": [
            (words, _source(value.source, value.until, cast)) for words, value in conditions_told(one)
        ],
        "effects": _effects(one, cast),
        "injuries": one.injuries,
        "plan": [" ".join(filter(None, (act, cast.name(aim) if aim else ""))) for _, act, aim in one.plan],
        "waits": "delaying" if one.delaying else "",
        "readied": declaration(one.readied.then, cast, one.id) if one.readied is not None else "",
        "threat": shapes,
    }


def affected(fact: Any, state: Encounter) -> Iterable[str]:
    """Return whose view a fact can have changed, in a stable order."""
    if isinstance(fact, RoundBegan | AwarenessSettled):
        return list(state.combatants)
    names = (getattr(fact, "who", ""), getattr(fact, "id", ""))
    return [id for id in dict.fromkeys(names) if id in state.combatants]


def _source(source: str, span: Any, cast: Cast) -> str:
    return ", ".join(filter(None, (cast.prose(source), until(span, cast.name(span.who)))))


def _effects(one: Combatant, cast: Cast) -> list[str]:
    said = []
    for effect in one.effects:
        part = effect.modifier
        value = f"{part.value:+d} " if part.value else ""
        against = f" against {cast.name(effect.against)}" if effect.against else ""
        said.append(f"{value}{effect.stat.replace('-', ' ')}{against} ({cast.prose(part.source)})")
    return said
