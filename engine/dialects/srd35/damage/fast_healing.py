"""What happens of itself as a turn begins: poison works on, wounds close.

srd35.fast-healing, srd35.regeneration, srd35.poison.
"""

from affray.engine.dialects.srd35.conditions.poison import poison_again
from affray.engine.fight.fight import Fight
from affray.engine.rules.damage.hit_points import hit_points_set
from affray.engine.rules.damage.injury import change_health, settle_health
from affray.engine.steps import Steps
from affray.projections.state import Combatant


def turn_onset(fight: Fight, victim: Combatant) -> Steps[None]:
    """Begin a turn with what is due in it: poison's second effect, regeneration, fast healing."""
    for held in victim.afflictions:
        if held.rider.kind == "poison" and held.round <= fight.state.round:
            yield from poison_again(fight, victim, held)
    if "dead" in victim.conditions:
        return
    if victim.sheet.regeneration:
        yield from close_wounds(fight, victim, victim.sheet.regeneration, 0, "regeneration")
    if victim.sheet.fast_healing:
        points = min(victim.nonlethal, victim.sheet.fast_healing)
        yield from close_wounds(fight, victim, points, victim.sheet.fast_healing - points, "fast-healing")


def close_wounds(fight: Fight, victim: Combatant, nonlethal: int, lethal: int, topic: str) -> Steps[None]:
    """Give back nonlethal damage and hit points, never more than were lost; it ends dying."""
    nonlethal = min(nonlethal, victim.nonlethal)
    lethal = max(0, min(lethal, victim.max_hp - victim.hp))
    if not nonlethal and not lethal:
        return
    name = topic.replace("-", " ")
    left, change = victim.nonlethal - nonlethal, lethal + nonlethal
    yield hit_points_set(victim, victim.hp + lethal, name, fight.rule(topic), nonlethal=left, change=change)
    if lethal and "dying" in victim.conditions:
        yield from change_health(fight, victim, "stable", name, topic)
    yield from settle_health(fight, victim, name)
