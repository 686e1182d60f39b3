"""What threatens a critical hit over a wider range (srd35.crit.threat)."""

from affray.engine.blow import Blow
from affray.engine.fight import Fight
from affray.engine.rules.attacks.critical_hits import immune_to_criticals


def threatens(fight: Fight, blow: Blow, natural: int, total: int, needed: int) -> bool:
    """Say whether a hit threatens a critical: a natural roll in the range that reaches.

    A keen edge doubles the range; some creatures are immune (srd35.crit.threat, .threat-range-doubling,
    .immune, .spells).
    """
    printed = blow.weapon.threat
    low = doubled(fight, blow)
    if natural < low:
        return False
    if immune_to_criticals(fight, blow):
        blow.cites.append(fight.rule("crit.immune"))
        return False
    blow.cites.append(fight.rule("crit.threat"))
    if natural < printed:
        blow.cites.append(fight.rule("crit.threat-range-doubling"))
    if blow.weapon.family == "spell":
        blow.cites.append(fight.rule("crit.spells"))
    return True


def doubled(fight: Fight, blow: Blow) -> int:
    """Return the lowest natural roll that threatens, the range doubled by a keen edge."""
    weapon = blow.weapon
    if "keen" not in weapon.traits:
        return weapon.threat
    low, high = fight.figure("crit.threat", "default_range")
    span = str(high) if weapon.threat == low else f"{weapon.threat}-{high}"
    ranges = fight.figure("crit.threat-range-doubling")
    return int(ranges.get(span, weapon.threat))
