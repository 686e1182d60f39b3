"""Improved Critical: a threat range twice as wide with one weapon (srd35.feat.improved-critical)."""

from collections.abc import Callable

from affray.engine.blow import Blow
from affray.engine.dialects.srd35.attacks.critical_hits import doubled
from affray.engine.dialects.srd35.classes.combat_feats import lacks
from affray.engine.fight import Fight
from affray.engine.memory import per_fight, same
from affray.engine.rules.attacks.critical_hits import immune_to_criticals

TOPIC = "feat.improved-critical"
#: The highest face of the die, from which threat ranges are counted down.
DIE = 20

Threatens = Callable[[Fight, Blow, int, int, int], bool]


def widened(threatens: Threatens) -> Threatens:
    """Return the point that widens for those with the feat what `threatens` finds for all others.

    The range is doubled from what the weapon has of itself: nothing else that widens it adds to the feat.
    """

    def judge(fight: Fight, blow: Blow, natural: int, total: int, needed: int) -> bool:
        """Say whether a hit threatens, by twice the range for the feat (srd35.feat.improved-critical)."""
        if natural < lowest(fight, blow):
            return False
        if natural >= blow.weapon.threat or not has_it(fight, blow):
            return threatens(fight, blow, natural, total, needed)
        if natural < least(fight, blow):
            return False
        immune = immune_to_criticals(fight, blow)
        cites = fight.rules("crit.immune") if immune else fight.rules(TOPIC, "crit.threat-range-doubling")
        blow.cites += [rule for rule in cites if rule not in blow.cites]
        return not immune

    return judge


@per_fight(same("blow.attacker.sheet"), same("blow.weapon"))
def lowest(fight: Fight, blow: Blow) -> int:
    """Return the lowest natural roll by which such a blow could threaten."""
    range_ = doubled(fight, blow)
    return min(range_, least(fight, blow)) if has_it(fight, blow) else range_


def has_it(fight: Fight, blow: Blow) -> bool:
    """Say whether the attacker has the feat for the weapon of this blow, and the attack bonus it takes."""
    who = blow.attacker
    named = f"improved critical ({blow.weapon.name})" in who.sheet.feats
    return named and not lacks(fight, who, TOPIC)


def least(fight: Fight, blow: Blow) -> int:
    """Return the lowest natural roll that threatens: 19 for 20, 17 for 19-20, 15 for 18-20."""
    beyond = DIE + 1
    return int(beyond - (beyond - blow.weapon.threat) * fight.figure(TOPIC, "threat_width"))
