"""Shots and throws: range, shooting into melee, past one's own feet, from the ground."""

from typing import Final

from affray.engine.dialects.futurepath.contested import grade_of
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_modifiers import increments
from affray.engine.rules.position.place import next_to
from affray.events.facts.modifier import Modifier

#: A weapon of which its entry says that nobody can use it lying down.
NOT_PRONE: Final = "not prone"
PRONE: Final = "futurepath.modifier.attacker-prone-ranged-weapons"
PRONE_FAMILIES: Final = "futurepath.assumed.prone-weapons"


def range_disadvantage(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty for each full range increment; nearer than one there is none.

    futurepath.attack.range-increment.penalty, futurepath.attack.ranged.max-range,
    futurepath.attack.range-increment.none-within-one.
    """
    if not blow.weapon.range or blow.weapon.family == "spell":
        return []
    full = increments(blow.distance, blow.weapon.range)
    if not full:
        blow.cites.append(fight.rule("futurepath.attack.range-increment.none-within-one"))
        return []
    topic = "futurepath.attack.range-increment.penalty"
    blow.cites.append(fight.rule("futurepath.attack.ranged.max-range"))
    per = fight.figure(topic, "penalty_per_full_increment")
    return [Modifier(per * full, "penalty", f"range {blow.distance} ft.", fight.rule(topic))]


def beyond_maximum(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that a target is too far away: five increments for what is thrown, ten for a projectile.

    futurepath.attack.range-maximum.thrown, futurepath.attack.range-maximum.projectile,
    futurepath.attack.ranged.max-range.
    """
    weapon = blow.weapon
    how = "thrown" if weapon.thrown else "projectile"
    topic = f"futurepath.attack.range-maximum.{how}"
    most = fight.figure("futurepath.attack.ranged.max-range", how)
    feet = most * weapon.range
    if not weapon.range or blow.distance <= feet:
        return "", ""
    return f"{blow.target.id} is {blow.distance} ft. away, and the {weapon.name} carries {feet} ft.", topic


def prone_weapons(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that a weapon cannot be used from the ground: bows and slings, and those that say so.

    futurepath.modifier.attacker-prone-ranged-weapons, futurepath.assumed.prone-weapons.
    """
    weapon = blow.weapon
    useless = fight.figure(PRONE_FAMILIES, "useless")
    if weapon.family not in useless and NOT_PRONE not in weapon.traits:
        return "", ""
    why = f"{blow.attacker.id} is prone and cannot use the {weapon.name}"
    return why, PRONE if NOT_PRONE in weapon.traits else PRONE_FAMILIES


def longarm_beside(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what a longarm suffers next to its target.

    Said of ranged attacks and of firearms alike (futurepath.attack.ranged.longarm-adjacent,
    futurepath.attack.firearm.longarm-adjacent).
    """
    if not next_to(blow.attacker, blow.target):
        return []
    firearm, ranged = (f"futurepath.attack.{kind}.longarm-adjacent" for kind in ("firearm", "ranged"))
    value = fight.figure(ranged, "attack")
    blow.cites.append(fight.rule(ranged))
    return [Modifier(value, grade_of(fight, value), "longarm next to the target", fight.rule(firearm))]


def shooting_prone(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what lying prone takes from a shot, by one reading (prone_ranged).

    futurepath.table.attack-roll-modifiers.legacy.
    """
    if fight.option("prone_ranged") != "minus-two":
        return []
    # A cell of the old table that comes back keeps its id, also where the new table is in force.
    table = "futurepath.table.attack-roll-modifiers.legacy"
    value = fight.book.figure(table, "attacker=prone", "ranged_reading_2")
    return [Modifier(value, grade_of(fight, value), "prone", table)]
