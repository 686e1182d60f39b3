"""Temporary hit points: lent for a while, lost first, never healed.

pf1.temp-hp, srd35.temp-hp.
"""

from affray.engine.fight.fight import Fight
from affray.engine.rules.damage.hit_points import hit_points_set
from affray.engine.steps import Steps
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant, Effect

STAT = "temporary hit points"


def lend_hit_points(
    fight: Fight, combatant: Combatant, points: int, source: str, until: Until, *cites: str
) -> Steps[None]:
    """Put temporary hit points on top of the others until `until`."""
    if points <= 0:
        return
    rule = fight.rule("temp-hp")
    yield EffectGained(
        who=combatant.id,
        id=fight.key(combatant.id, "temporary"),
        stat=STAT,
        modifier=Modifier(points, "temporary", source, rule),
        until=until,
        cites=(rule, *cites),
    )
    yield hit_points_set(
        combatant, combatant.hp, source, rule, *cites, temporary=combatant.temporary + points, change=points
    )


def take_back_lent(fight: Fight, combatant: Combatant, effect: Effect) -> Steps[None]:
    """Take away what is left of the temporary hit points of an effect that ended.

    What is left is reckoned to the effects that go on (pf1.temp-hp, srd35.temp-hp).
    """
    if effect.stat != STAT:
        return
    held = sum(one.modifier.value for one in combatant.effects if one.stat == STAT)
    if combatant.temporary <= held:
        return
    why, rule = f"{effect.modifier.source} is over", fight.rule("temp-hp")
    yield hit_points_set(
        combatant, combatant.hp, why, rule, temporary=held, change=held - combatant.temporary
    )
