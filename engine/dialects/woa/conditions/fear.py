"""Fear: flight, panic, cowering, and what ends it (woa.condition.fear.*, .frightened.*, .panicked.*)."""

from typing import Any

from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.projections.state import Combatant

FLEEING = "fleeing"
FEAR = ("shaken", "frightened", "panicked")
#: Frightened for having got away in panic, which comes back when the source does.
SUBSIDED = "panic subsided"
#: What those who flee may declare besides movement.
STILL_FREE = (acts.EndTurn, acts.Speak, acts.Drop, acts.Stand, acts.Close)
MOVING = ("move", "run", "stand")
#: How the source of a shakiness begins that outlasts the encounter.
LINGERS = "past fear of "


def feared_by(fight: Fight, combatant: Combatant) -> Combatant | None:
    """Return whom a frightened or panicked combatant fears, None where the source is nobody present."""
    held = combatant.conditions.get("panicked") or combatant.conditions.get("frightened")
    return fight.state.combatants.get(held.source) if held is not None else None


def targets_of(fight: Fight, act: Any) -> tuple[str, ...]:
    """Return whom an act is aimed at, as far as they are there."""
    named = (*getattr(act, "targets", ()), getattr(act, "target", ""))
    return tuple(id for id in named if id in fight.state.combatants)


def change_fear(
    fight: Fight,
    combatant: Combatant,
    name: str,
    other: str,
    topic: str,
    until: Until | None = None,
    source: str = "",
) -> Steps[None]:
    """Turn one degree of fear into another, for as long as the first would last and of the same source."""
    held = combatant.conditions[name]
    cites = fight.rules(topic)
    for lesser in (FLEEING, "cowering", SUBSIDED):
        if lesser in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=lesser, why=other, cites=cites)
    yield ConditionLost(who=combatant.id, condition=name, why=other, cites=cites)
    if other not in combatant.conditions:
        yield ConditionGained(
            who=combatant.id,
            condition=other,
            source=source or held.source,
            until=held.until if until is None else until,
            cites=cites,
        )


def source_defeated(fight: Fight, cause: Combatant) -> Steps[None]:
    """Turn the fear of those whose source of it is defeated into being shaken for the rest of the encounter.

    woa.condition.frightened.source-defeated, woa.condition.panicked.source-defeated
    """
    for combatant in list(fight.state.combatants.values()):
        for name in ("frightened", "panicked"):
            if name in combatant.conditions and combatant.conditions[name].source == cause.id:
                topic = f"condition.{name}.source-defeated"
                yield from change_fear(fight, combatant, name, "shaken", topic, Until())
