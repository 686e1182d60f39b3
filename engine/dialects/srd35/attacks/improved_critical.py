"""Improved Critical: a threat range twice as wide with one weapon (srd35.feat.improved-critical)."""

from affray.engine.dialects.srd35.classes.combat_feats import lacks
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.critical_hits import immune_to_criticals

TOPIC = "feat.improved-critical"
#: When the attacker has the feat for the weapon of its blow, and the roll calls for it.
WITH_FEAT = "natural < weapon.threat and f'improved critical ({weapon.name})' in attacker.sheet.feats"
#: The highest face of the die, from which threat ranges are counted down.
DIE = 20


def in_widened_range(fight: Fight, blow: Blow, natural: int, total: int, needed: int) -> bool:
    """Say whether a hit threatens that is below the weapon's own range and within the feat's.

    The range is doubled from what the weapon has of itself: nothing else that widens it adds to the feat
    (srd35.feat.improved-critical, srd35.crit.threat-range-doubling, srd35.crit.immune).
    """
    if natural < lowest(fight, blow) or lacks(fight, blow.attacker, TOPIC):
        return False
    immune = immune_to_criticals(fight, blow)
    cites = fight.rules("crit.immune") if immune else fight.rules(TOPIC, "crit.threat-range-doubling")
    blow.cites += [rule for rule in cites if rule not in blow.cites]
    return not immune


def lowest(fight: Fight, blow: Blow) -> int:
    """Return the lowest natural roll that threatens: 19 for 20, 17 for 19-20, 15 for 18-20."""
    beyond = DIE + 1
    return int(beyond - (beyond - blow.weapon.threat) * fight.figure(TOPIC, "threat_width"))
