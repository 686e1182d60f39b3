"""Acrobatics past opponents and through their spaces (pf1.skill.acrobatics)."""

from typing import Final

from affray.engine.dialects.pf1.movement.speed import is_slowed_by_armor
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.attacks.attack_roll import tallies
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.movement import tumble as tumbling
from affray.engine.rules.movement.tumble import Tumbling
from affray.engine.rules.position.place import distance
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.projections.state import Combatant

TOPIC: Final = "pf1.skill.acrobatics"


def tumble(fight: Fight, act: acts.Move) -> Steps[None]:
    """Tumble by Acrobatics, trained or not (pf1.skill.acrobatics)."""
    return tumbling.tumble(fight, act, TUMBLING)


def refuse_to_tumble(fight: Fight, mover: Combatant, act: acts.Move) -> None:
    """Refuse to those whom their armor slows."""
    if is_slowed_by_armor(fight, mover):
        weight = mover.sheet.armor_weight
        raise Refusal(f"{mover.id} cannot tumble: it is slowed by its {weight} armor", fight.rule(TOPIC))


def gets_past(
    fight: Fight, mover: Combatant, enemy: Combatant, act: acts.Move, through: bool, others: int
) -> Steps[bool]:
    """Check whether a mover gets past, or through the space of, one opponent: against its CMD.

    Higher by 5 through its space, by 2 for each opponent before it, by 10 at full speed.
    """
    rule = fight.rule(TOPIC)
    dc = defense_against(fight, mover, enemy) + others * fight.figure(TOPIC, "per_extra")
    if through:
        dc += int(str(fight.figure(TOPIC, "through")).rpartition("+")[2])
    if act.fast:
        dc += fight.figure(TOPIC, "full_speed")
    parts = skill_parts(fight, mover, "acrobatics", "dex", rule)
    why = f"{'through the space of' if through else 'past'} {enemy.id}{' at full speed' if act.fast else ''}"
    return (yield from check(fight, mover, "acrobatics", parts, dc, rule, fight.rule("pf1.cmd"), why=why))


def defense_against(fight: Fight, mover: Combatant, enemy: Combatant) -> int:
    """Return an opponent's combat maneuver defense against a mover that wants to get past it (pf1.cmd)."""
    intent = Intent("move", "CMD against acrobatics", maneuver="get past")
    blow = Blow(mover, enemy, unarmed(fight, mover), True, distance(mover, enemy), intent)
    return int(tallies(fight, blow)[1].total)


#: Getting past others is a use of Acrobatics (pf1.skill.acrobatics).
TUMBLING: Final = Tumbling(refuse_to_tumble, gets_past)
