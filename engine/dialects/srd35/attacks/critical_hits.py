"""Critical hits over a wider range: by weapon, by Improved Critical.

srd35.crit.threat, srd35.feat.improved-critical.
"""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.critical_hits import immune_to_criticals


def in_threat_range(fight: Fight, blow: Blow, natural: int, total: int, needed: int) -> bool:
    """Say whether a hit threatens a critical: a natural roll in the range that reaches.

    A keen edge doubles the range; some creatures are immune (srd35.crit.threat,
    srd35.crit.threat-range-doubling, srd35.crit.immune, srd35.crit.spells).
    """
    printed = blow.weapon.threat
    low = keen_threat(fight, blow)
    if natural < low:
        return False
    if immune_to_criticals(fight, blow):
        blow.cites += [rule for rule in fight.rules("srd35.crit.immune") if rule not in blow.cites]
        return False
    blow.cites.append(fight.rule("srd35.crit.threat"))
    if natural < printed:
        blow.cites.append(fight.rule("srd35.crit.threat-range-doubling"))
    if blow.weapon.family == "spell":
        blow.cites.append(fight.rule("srd35.crit.spells"))
    return True


def keen_threat(fight: Fight, blow: Blow) -> int:
    """Return the lowest natural roll that threatens, the range doubled by a keen edge."""
    weapon = blow.weapon
    if "keen" not in weapon.traits:
        return weapon.threat
    low, high = fight.figure("srd35.crit.threat", "default_range")
    span = str(high) if weapon.threat == low else f"{weapon.threat}-{high}"
    ranges = fight.figure("srd35.crit.threat-range-doubling")
    return int(ranges.get(span, weapon.threat))
