"""What openings a maneuver gives, by which edition (futurepath.action.combat-maneuver).

The new table says of a combat maneuver as an attack action that it provokes, as it says it of a shot: from
whoever threatens. The old text says maneuver by maneuver that the target alone may strike; so it is too where
the maneuver takes the place of an attack in a full attack, in a charge or out of turn, of which the new table
says nothing.
"""

from typing import Final

from affray.engine.dialects.futurepath.contested import old_only
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.maneuvers.attempts import Opening, attempt_goes_on
from affray.engine.rules.opportunity.attacks_of_opportunity import in_order
from affray.engine.rules.opportunity.threatened_squares import threatening, threatens
from affray.engine.rules.turns.interruption import footing
from affray.engine.steps import Steps
from affray.projections.state import Combatant

NEW: Final = "futurepath.table.actions.attack"
OLD: Final = "futurepath.table.actions.varies.legacy"


def provokes_by_table(fight: Fight) -> bool:
    """Say whether a maneuver that is an attack action provokes from all who threaten: by the new table.

    futurepath.table.actions.attack.
    """
    return not old_only(fight) and dict(fight.figure(NEW))["attack (combat maneuver)"] == "yes"


def rules_of_table(fight: Fight, kind: str, row: str, *, bare: bool = False) -> tuple[str, ...]:
    """Return the rule of the edition's table that lets a maneuver provoke, () where its `row` does not.

    The new table speaks of attack actions, which the maneuver may be as its `kind` says; one row of the old
    table says yes of the `bare` hand alone.
    """
    if not old_only(fight):
        spoken_of = kind == "attack" and provokes_by_table(fight)
        return fight.rules("futurepath.action.combat-maneuver") if spoken_of else ()
    says = dict(fight.figure(OLD)).get(row, "")
    return fight.rules(OLD) if says == "yes" or (bare and "yes if unarmed" in says) else ()


def gives_openings_to_all(fight: Fight, blow: Blow) -> bool:
    """Say whether a maneuver is made as an attack action of which the new table says that it provokes."""
    return blow.intent.kind == "attack" and provokes_by_table(fight)


def those_provoked(fight: Fight, blow: Blow, spared: Combatant | None = None) -> list[Combatant]:
    """Return who may strike at the attacker for its maneuver, but the one `spared`."""
    attacker, target = blow.attacker, blow.target
    if gives_openings_to_all(fight, blow):
        found = threatening(fight, attacker)
    else:
        found = [target] if threatens(fight, target, attacker) else []
    return in_order(fight, (one for one in found if one is not spared))


def provoke_by_maneuver(
    fight: Fight,
    attempt: Attempt,
    reason: str,
    opportunity: str,
    *cites: str,
    spared: Combatant | None = None,
) -> Steps[Opening]:
    """Give those who may the attack of opportunity that a maneuver provokes; return what came of it.

    The points of damage are those of the target's: only its attack can spoil an attempt.
    """
    blow = attempt.blow
    attacker, target = blow.attacker, blow.target
    enemies = those_provoked(fight, blow, spared)
    if not enemies:
        return Opening(0, True)
    stood, hurt = footing(fight, attacker, target), 0
    for enemy in enemies:
        before = attacker.hp - attacker.nonlethal
        yield from fight.dialect.opportunity.provoke(fight, attacker, [enemy], reason, opportunity, *cites)
        if enemy is target:
            hurt = before - (attacker.hp - attacker.nonlethal)
        if is_down(fight, attacker):
            break
    return Opening(hurt, (yield from attempt_goes_on(fight, stood, attempt)))
