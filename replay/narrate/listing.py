"""Facts one by one, for lists of events: each line is understood without those around it."""

from collections.abc import Callable
from typing import Any

from affray.events.facts import acts, combat, declared, flow
from affray.events.facts.rolled import Rolled
from affray.projections.sentence import sentence
from affray.replay.narrate.cast import Cast
from affray.replay.narrate.deeds import deed

ALONE: frozenset[type] = frozenset(
    {
        declared.Chosen,
        declared.Declared,
        flow.EncounterClosed,
        flow.RoundBegan,
        flow.TurnEnded,
        combat.MountDirected,
    }
)
"""Facts that a list says in words of its own, where a story leans on what stands before or tells more."""

_BARE: dict[type, Callable[[Any, Cast], str]] = {
    acts.Enter: lambda act, cast: f"the game master brings in {act.id} of the {act.side}",
    acts.Begin: lambda act, cast: "the fight is to begin",
    acts.Close: lambda act, cast: "the game master closes the encounter",
    acts.Rest: lambda act, cast: "everybody rests",
    acts.EndTurn: lambda act, cast: (
        f"{cast.name(act.actor)} ends the turn" if act.actor else "the game master lets play go on"
    ),
}
"""Declarations that a story leaves to their outcomes."""


def told(fact: Any, cast: Cast) -> str:
    """Return a fact in one sentence with names for ids; a declaration with its id, as in keys of rolls."""
    if type(fact) is declared.Declared:
        said = deed(fact.act, cast)
        if not said:
            bare = _BARE.get(type(fact.act))
            said = bare(fact.act, cast) if bare is not None else cast.prose(sentence(fact))
        by = "" if fact.by in ("", "tactics") else f", said by {fact.by}"
        said = f"{said} ({fact.id}{by})"
    else:
        said = cast.prose(sentence(fact))
    return said[:1].upper() + said[1:]


def kind_of(fact: Any) -> str:
    """Return the kind of line (its colour) of a fact that a story has no line for."""
    kind: type = type(fact)
    return "chance" if kind is Rolled else "act" if kind is declared.Declared else "note"
