"""Massive damage and hit points that come back (srd35.injury.massive-damage)."""

from affray.engine.fight import Fight
from affray.engine.rules.conditions.condition_rules import brings_about
from affray.engine.rules.damage.injury import become, settle
from affray.engine.steps import Steps
from affray.events.facts.combat import HitPointsChanged
from affray.projections.state import Combatant


def heal(
    fight: Fight, who: Combatant, amount: int, source: str, *cites: str, magical: bool = True
) -> Steps[None]:
    """Give hit points back, never above the full ones; magic takes off as much nonlethal damage too.

    Temporary hit points are not given back (srd35.heal.limits).
    """
    hp = max(who.hp, min(who.max_hp, who.hp + amount))
    nonlethal = max(0, who.nonlethal - amount) if magical else who.nonlethal
    if hp - who.hp < amount or nonlethal < who.nonlethal:
        cites += fight.rules("heal.limits")
    yield HitPointsChanged(
        who=who.id,
        hp=hp,
        nonlethal=nonlethal,
        temporary=who.temporary,
        change=hp - who.hp,
        why=source,
        cites=cites,
    )
    if "dying" in who.conditions and who.hp < 0:
        yield from become(fight, who, "stable", source, "injury.stabilize-aid")
    yield from settle(fight, who, source)
    if who.conditions:
        yield from brings_about(fight, who, "healed")


def massive_damage(fight: Fight, who: Combatant) -> int:
    """Return the damage of one attack that calls for a save against death."""
    return int(fight.figure("injury.massive-damage", "threshold"))
