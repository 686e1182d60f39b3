"""Attacks made to draw blood (woa.bleeding.general): weapons and feats that open bleeding wounds."""

from affray.engine.dialects.woa.damage.bleeding import open_wound
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Harm
from affray.engine.record.sheet_names import details_of
from affray.engine.steps import Steps

BLEED = "bleed "
FEAT = "bloody assault"


def open_wounds(fight: Fight, blow: Blow, harm: Harm) -> Steps[None]:
    """Open the wounds that a hit brings: by a weapon's rider "bleed 1d6", or by the feat in melee.

    The sheet says how severe they are: "bloody assault (1d4)". A blow that deals no damage draws no blood.
    """
    if harm.amount <= 0:
        return
    for rider in blow.weapon.riders:
        if rider.effect.startswith(BLEED):
            yield from open_wound(fight, blow.target, rider.effect[len(BLEED) :], rider.name)
    if blow.melee:
        for severity in details_of(FEAT, blow.attacker.sheet.feats):
            yield from open_wound(fight, blow.target, severity, FEAT)
