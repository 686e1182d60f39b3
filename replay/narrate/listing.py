"""Facts one by one, for lists of events: each line is understood without those around it."""

from typing import Any

from affray.events.facts import combat, declared, flow
from affray.events.facts.rolled import Rolled
from affray.projections.deeds import declaration
from affray.projections.sentence import sentence
from affray.replay.narrate.cast import Cast

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


def told(fact: Any, cast: Cast) -> str:
    """Return a fact in one sentence with names for ids; a declaration with its id, as in keys of rolls."""
    if type(fact) is declared.Declared:
        by = "" if fact.by in ("", "tactics") else f", said by {fact.by}"
        said = f"{declaration(fact.act, cast)} ({fact.id}{by})"
    else:
        said = sentence(cast.saying(fact))
    return said[:1].upper() + said[1:]


def kind_of(fact: Any) -> str:
    """Return the kind of line (its colour) of a fact that a story has no line for."""
    kind: type = type(fact)
    return "chance" if kind is Rolled else "act" if kind is declared.Declared else "note"
