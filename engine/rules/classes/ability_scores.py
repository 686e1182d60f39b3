"""Ability scores as they stand now: what was lost, and what conditions and effects take or give."""

from affray.engine.fight.fight import Fight
from affray.engine.record.conditions import Step
from affray.engine.rules.classes.ability_modifiers import ability, ability_modifier, score_of
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import SCORES
from affray.projections.state import Combatant


def printed_scores(fight: Fight, combatant: Combatant, name: str, use: str) -> tuple[Step, ...]:
    """Leave scores as they are printed: for dialects that reckon a lower score in another way."""
    return ()


def score_changes(fight: Fight, combatant: Combatant, name: str, use: str = "") -> tuple[Step, ...]:
    """Return what changes an ability just now, one cause after the other.

    `use` is "attack" or "defense" where that is meant. Nothing for a score that the creature does not have.
    """
    if not (combatant.conditions or combatant.losses or combatant.effects):
        return ()
    return fight.dialect.conditions.score_steps(fight, combatant, name, use)


def lowered(fight: Fight, combatant: Combatant, name: str, use: str = "") -> list[Modifier]:
    """Return how an ability modifier differs from the printed one, a part for each cause."""
    return [
        Modifier(step.after - step.before, "ability", step.source, step.rule)
        for step in score_changes(fight, combatant, name, use)
        if step.after != step.before
    ]


def strength_to_break(fight: Fight, combatant: Combatant, rule: str) -> list[Modifier]:
    """Return the parts of a Strength check to break what holds one: the score as it stands now."""
    printed = Modifier(ability(combatant.sheet, "str"), "ability", "Strength", rule)
    return [printed, *lowered(fight, combatant, "str")]


def ability_now(fight: Fight, combatant: Combatant, name: str) -> int:
    """Return the modifier of an ability as it stands now."""
    found = score_changes(fight, combatant, name)
    return found[-1].after if found else ability_modifier(score_of(combatant.sheet, name))


def points_lost(victim: Combatant, name: str) -> int:
    """Return the points that an ability has lost by damage and drain."""
    return victim.losses.get(name, 0) + victim.losses.get(f"{name} drain", 0)


def points_left(victim: Combatant, name: str) -> int:
    """Return how many more points of an ability have to go before none of it is left."""
    return max(0, (score_of(victim.sheet, name) or 0) - points_lost(victim, name))


def points_after(victim: Combatant, name: str, points: int, *, drain: bool) -> tuple[int, int]:
    """Return the points of damage and of drain after so many more of one of them."""
    damage, drained = victim.losses.get(name, 0), victim.losses.get(f"{name} drain", 0)
    return (damage, drained + points) if drain else (damage + points, drained)


def score_now(fight: Fight, combatant: Combatant, name: str) -> int | None:
    """Return the score of an ability as it stands now; None for one that is not there."""
    found = score_changes(fight, combatant, name)
    return found[-1].score if found else score_of(combatant.sheet, name)


def at_zero(name: str) -> str:
    """Return the source of the condition that the loss of all of an ability brings."""
    return f"{SCORES[name]} 0"
