"""High ground: who stands above whom, and what that does in melee (woa.high-ground.*)."""

from collections.abc import Iterable

from affray.engine.dialects.woa.environment import underwater_combat
from affray.engine.dialects.woa.movement import aloft
from affray.engine.dialects.woa.position.weapon_reach import band
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.blow import Blow
from affray.engine.record.sheet_names import details_of
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.steps import Refusal
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: Who stands on something, its level so many feet above the ground.
RAISED = "raised"
TOWER_SHIELD = "tower shield"


def own_height(combatant: Combatant) -> int:
    """Return how tall a combatant is in feet: by its trait ("height 6"), else as its space is wide."""
    for detail in details_of("height", combatant.sheet.traits):
        if detail.isdigit():
            return int(detail)
    return combatant.space * SQUARE_FT


def feet_raised(combatant: Combatant) -> int:
    """Return how many feet above the ground a combatant stands by the game master's word."""
    state = combatant.conditions.get(RAISED) if combatant.conditions else None
    return state.level if state is not None else 0


def topic_of_high_ground(fight: Fight, combatant: Combatant, other: Combatant) -> str:
    """Return the topic of the rule by which one is on high ground against another, "" if it is not.

    The map's high ground, a height of half the other's own, or a mount that is larger than the other on foot
    (woa.high-ground.elevation-threshold, woa.high-ground.mounted).
    """
    field = fight.field
    if aloft.height_aloft(combatant) != aloft.height_aloft(other):
        return "woa.fly.high-ground" if aloft.height_aloft(combatant) > aloft.height_aloft(other) else ""
    topic = "woa.high-ground.elevation-threshold"
    if field.high(combatant.at, combatant.space) and not field.high(other.at, other.space):
        return topic
    up = feet_raised(combatant) - feet_raised(other)
    if up > 0 and up * fight.figure(topic, "height_divisor") >= own_height(other):
        return topic
    if combatant.mount and not other.mount:
        mount = fight.state.combatants[combatant.mount]
        if size_step(mount) > size_step(other):
            return "high-ground.mounted"
    return ""


def passes_above(fight: Fight, source: Combatant, between: Iterable[Combatant]) -> bool:
    """Say whether what comes from somebody passes above those in between: it flies, towers or stands high."""
    if "flying" in source.conditions or fight.field.high(source.at, source.space):
        return True
    tallest = max(own_height(one) + feet_raised(one) for one in between)
    return feet_raised(source) > tallest or own_height(source) >= 2 * tallest


def high_ground(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the change of AC between different heights, in melee between those of like size.

    woa.high-ground.ac-modifier, woa.high-ground.size-limit
    """
    attacker, target = blow.attacker, blow.target
    up, down = topic_of_high_ground(fight, attacker, target), topic_of_high_ground(fight, target, attacker)
    if bool(up) == bool(down):
        return []
    apart = abs(size_step(attacker) - size_step(target))
    limit = "woa.high-ground.size-limit"
    beyond_limit = not blow.melee or apart > fight.figure(limit, "max_size_difference")
    if underwater_combat.are_both_under_water(blow):
        blow.cites += [] if beyond_limit else fight.rules("woa.water.no-high-ground")
        return []
    if up == "high-ground.mounted":
        blow.cites.append(fight.rule("woa.mount.combat.higher-ground"))
    topic = up or down
    where = "defender_lower" if up else "defender_higher"
    source = "lower ground" if up else "higher ground"
    part = fight.modifier("woa.high-ground.ac-modifier", where, "ac", kind="circumstance", source=source)
    if beyond_limit:
        why = "the sizes are too different" if blow.melee else "no melee attack"
        denied = f"{why} ({fight.rule(limit)})"
        blow.cites.append(fight.rule(limit))
        return [Modifier(part.value, part.kind, part.source, part.rule, denied)]
    blow.cites.append(fight.rule(topic))
    return [part]


def blocks_down(fight: Fight, blow: Blow) -> bool:
    """Say whether the target could not block this blow, which comes from below it (woa.high-ground.blocking).

    A tower shield can.
    """
    target = blow.target
    below = blow.melee and topic_of_high_ground(fight, target, blow.attacker)
    return bool(below) and TOWER_SHIELD not in target.sheet.traits


def reach_up_or_down(combatant: Combatant, other: Combatant) -> int:
    """Return how many feet one has to reach up or down to another; below 0 if it needs no reaching."""
    up = feet_raised(other) - feet_raised(combatant)
    return up - own_height(combatant) if up > 0 else -up - own_height(other)


def height_apart(combatant: Combatant, other: Combatant) -> int:
    """Return how many feet there are between two above and below: in the air, or on a height.

    woa.high-ground.out-of-reach
    """
    return max(aloft.feet_above(combatant, other), reach_up_or_down(combatant, other))


def refuse_too_high(fight: Fight, blow: Blow) -> None:
    """Refuse a melee attack across a difference of height beyond one's reach (woa.high-ground.out-of-reach).

    From below, one's own height counts towards it.
    """
    if not (blow.attacker.conditions or blow.target.conditions):
        return
    up = feet_raised(blow.target) - feet_raised(blow.attacker)
    if (
        blow.melee
        and reach_up_or_down(blow.attacker, blow.target) > band(fight, blow.attacker, blow.weapon)[1]
    ):
        where = f"{abs(up)} ft. {'up' if up > 0 else 'down'}"
        raise Refusal(
            f"{blow.target.id} is {where}, out of {blow.attacker.id}'s reach",
            fight.rule("woa.high-ground.out-of-reach"),
        )
