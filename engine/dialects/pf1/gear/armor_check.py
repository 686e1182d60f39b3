"""The check penalty of armor and shields (pf1.armor.check-penalty)."""

from typing import Final

from affray.engine.dialects.pf1.gear.broken import TOPIC as BROKEN
from affray.engine.dialects.pf1.gear.broken import is_broken
from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.held_weapons import OFF
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC: Final = "pf1.armor.check-penalty"


def check_penalty(fight: Fight, combatant: Combatant, skill: str) -> list[Modifier]:
    """Return what armor and shield take off a skill of Strength or Dexterity, broken ones double.

    What is off takes nothing (pf1.armor.check-penalty, pf1.cond.broken).
    """
    penalties = combatant.sheet.check_penalties
    if not penalties or skill not in fight.figure(TOPIC, "skills"):
        return []
    parts = []
    for one in penalties:
        if one.source and combatant.items.get(one.source) in OFF:
            continue
        value, source, rule = one.value, one.source or one.kind, fight.rule(TOPIC)
        if is_broken(combatant, one.source):
            times = int(fight.figure(BROKEN, "armor_check"))
            value, source, rule = value * times, f"{source} (broken)", fight.rule(BROKEN)
        parts.append(Modifier(value, "check penalty", source, rule))
    return parts
