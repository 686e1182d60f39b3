"""Opportunity: threatened squares, what provokes, attacks and reactions out of turn."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.kernel.places import reaches
from affray.engine.record.blow import Blow
from affray.engine.rules.conditions.conditions import can_react
from affray.engine.rules.opportunity.threatened_squares import endangers, threatens
from affray.engine.steps import Choice, Steps, altered, reciting
from affray.events.facts import acts
from affray.events.facts.combat import Moved, Provoked
from affray.events.facts.flow import ReactionSpent, RuleApplied
from affray.projections.state import Combatant

# --- Attacks of opportunity in pf1: the rules on opportunities and on their blows (pf1.aoo.*)

#: The rules on every attack of opportunity.
BLOW = ("definition", "single-melee-attack", "normal-bonus")


def name_rules(fight: Fight, steps: Steps[None]) -> Steps[None]:
    """Run a declaration, citing the specific rules for its attacks of opportunity.

    One may be declined; it is one melee attack at the normal bonus (pf1.aoo.optional, pf1.aoo.definition,
    pf1.aoo.single-melee-attack, pf1.aoo.normal-bonus, pf1.aoo.two-triggers).
    """

    def named(step: Any) -> object:
        kind = type(step)
        if kind is Choice and step.purpose == "take":
            return replace(step, rule=fight.rule("pf1.aoo.optional"))
        if kind is Provoked:
            return replace(step, cites=(*step.cites, *rules_of_opening(fight, step)))
        if kind is ReactionSpent and step.kind == "opportunity":
            return replace(step, cites=(*step.cites, *rules_of_blow(fight, step)))
        return step

    return altered(steps, named)


def rules_of_opening(fight: Fight, fact: Provoked) -> tuple[str, ...]:
    """Return the rules by which an opportunity arises: by movement, or by an act in a threatened square.

    pf1.aoo.two-triggers, pf1.aoo.distracting-act, pf1.aoo.provoked-in-threatened-square.
    """
    if fight.rule("aoo.triggers") in fact.cites:
        return fight.rules("pf1.aoo.two-triggers")
    names = ("two-triggers", "distracting-act", "provoked-in-threatened-square")
    return fight.rules(*(f"pf1.aoo.{name}" for name in names))


def rules_of_blow(fight: Fight, fact: ReactionSpent) -> tuple[str, ...]:
    """Return the rules of an attack of opportunity: the first of a round, or one more by Combat Reflexes.

    pf1.aoo.combat-reflexes-full-bonus, pf1.aoo.same-opponent-twice, pf1.feat.combat-reflexes.
    """
    enemy, topics = fight.combatant(fact.who), [f"pf1.aoo.{name}" for name in BLOW]
    if enemy.reactions.get("opportunity"):
        topics.append("pf1.aoo.combat-reflexes-full-bonus")
        own = (f":{fact.against}:", f":{fight.declaration}")
        if any(word in f"{earlier}:" for earlier in enemy.opportunities for word in own):
            topics.append("pf1.aoo.same-opponent-twice")
        topics.append("pf1.feat.combat-reflexes")
    return fight.rules(*topics)


def rules_of_left_square(
    fight: Fight, mover: Combatant, enemy: Combatant, here: Square, there: Square, how: str
) -> tuple[str, ...]:
    """Return the rules by which an enemy threatens a square that is left.

    It could attack into it: next to it, or as far as its reach goes. In a withdrawal only the first square is
    safe, and several enemies have an opportunity each, as the diagram shows it for the reach of an ogre and
    of a goblin (pf1.aoo.threatened-squares, pf1.aoo.adjacent-squares, pf1.aoo.diagram-withdraw,
    pf1.aoo.diagram-path-2, pf1.aoo.diagram-setup).
    """
    names = ["threatened-squares"]
    if fight.dialect.position.reach_bands(fight, enemy) == ((0, SQUARE_FT),):
        names.append("adjacent-squares")
    if how == "withdraw":
        names.append("diagram-withdraw")
    elif sum(threatens(fight, one, mover, here) for one in fight.enemies(mover)) > 1:
        names.append("diagram-path-2")
        if any(foe["reach_ft"] == enemy.reach for foe in fight.figure("pf1.aoo.diagram-setup", "foes")):
            names.append("diagram-setup")
    return fight.rules(*(f"pf1.aoo.{name}" for name in names))


def gives_no_second_opening(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> bool:
    """Return whether a step leaves squares of enemies that have attacked this movement, and have attacks
    left.

    pf1.aoo.movement-counts-once.
    """
    return how != "step" and bool(find_enemies_that_struck(fight, mover, here))


def find_enemies_that_struck(fight: Fight, mover: Combatant, here: Square) -> list[Combatant]:
    """Return the enemies with attacks of opportunity left that have had theirs for this movement."""
    name = fight.dialect.opportunity.opportunity_name(fight, mover)
    return [
        enemy
        for enemy in fight.enemies(mover)
        if name in enemy.opportunities
        and threatens(fight, enemy, mover, here)
        and enemy.reactions.get("opportunity", 0) < fight.dialect.opportunity.opportunities(fight, enemy)[0]
    ]


def report_single_opportunity(
    fight: Fight, mover: Combatant, here: Square, there: Square, how: str
) -> Steps[None]:
    """Report that leaving one more square of an enemy is the same opportunity, even with Combat Reflexes.

    pf1.aoo.movement-counts-once, pf1.aoo.one-per-opportunity.
    """
    if not gives_no_second_opening(fight, mover, here, there, how):
        return
    cites = fight.rules("pf1.aoo.movement-counts-once", "pf1.aoo.one-per-opportunity")
    for enemy in find_enemies_that_struck(fight, mover, here):
        what = f"moving on is no second opening for {enemy.id}"
        yield RuleApplied(who=mover.id, what=what, cites=cites)


def except_the_armed(fight: Fight, blow: Blow, telling: Steps[None]) -> Steps[None]:
    """Report why unarmed attacks do not provoke: usual triggers have exceptions
    (pf1.aoo.exceptions-exist).
    """
    return reciting(telling, RuleApplied, fight.rule("pf1.aoo.exceptions-exist"))


# --- Paths that do not provoke (pf1.aoo.unarmed-no-threat, pf1.aoo.diagram-path-1)

UNARMED: Final = "pf1.aoo.unarmed-no-threat"
APPROACH: Final = "pf1.aoo.diagram-path-1"


def report_safe_path(fight: Fight, act: acts.Move, moving: Steps[None]) -> Steps[None]:
    """Move, reporting the unarmed enemies that the path passes, and an approach that does not provoke."""
    mover = fight.state.combatants[act.actor]
    left = (mover.at, *act.path[:-1])
    unarmed = [enemy for enemy in fight.enemies(mover) if is_unarmed_bystander(fight, enemy, mover, left)]
    cites = fight.rules(APPROACH) if approaches_safely(fight, mover, left, act.path) else ()

    def cited(step: object) -> object:
        if cites and type(step) is Moved and step.who == act.actor and step.path[-1:] == act.path[-1:]:
            return replace(step, cites=(*step.cites, *cites))
        return step

    yield from altered(moving, cited)
    for enemy in unarmed if mover.at in act.path else ():
        what = f"moving past {enemy.id} provokes nothing: it is unarmed"
        yield RuleApplied(who=mover.id, what=what, cites=fight.rules(UNARMED))


def is_unarmed_bystander(fight: Fight, enemy: Combatant, mover: Combatant, left: Sequence[Square]) -> bool:
    """Return whether an enemy could reach a mover on its path, but does not threaten as it is unarmed.

    pf1.aoo.unarmed-no-threat.
    """
    return (
        not can_react(fight, enemy)
        and not fight.dialect.position.reach_bands(fight, enemy)
        and any(reaches(enemy, mover, 0, enemy.reach, at) for at in left)
    )


def approaches_safely(fight: Fight, mover: Combatant, left: Sequence[Square], path: Sequence[Square]) -> bool:
    """Return whether a path ends in a threatened square without having left one.

    pf1.aoo.diagram-path-1.
    """
    standing = [enemy for enemy in fight.enemies(mover) if not is_down(fight, enemy)]
    return any(endangers(fight, enemy, mover, at) for at in path[-1:] for enemy in standing) and not any(
        endangers(fight, enemy, mover, at) for at in left for enemy in standing
    )
