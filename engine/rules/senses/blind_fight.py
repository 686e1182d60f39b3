"""Blind-Fight: one more chance for a melee blow that concealment made miss."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.miss_chance import is_missed
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.steps import Steps

BLIND_FIGHT = "feat.blind-fight"


def strikes_home(fight: Fight, blow: Blow, percent: int, why: str) -> Steps[bool]:
    """Let Blind-Fight roll again for a melee blow that concealment made miss; say whether it hits now.

    srd35.feat.blind-fight, pf1.feat.blind-fight.
    """
    attacker, target = blow.attacker, blow.target
    if not blow.melee or not has_feat(attacker, "blind-fight"):
        return False
    for _ in range(fight.figure(BLIND_FIGHT, "reroll")):
        again, rule = f"{why}; Blind-Fight", fight.rule(BLIND_FIGHT)
        if not (yield from is_missed(attacker, target, percent, again, rule, purpose="blind-fight")):
            return True
    return False
