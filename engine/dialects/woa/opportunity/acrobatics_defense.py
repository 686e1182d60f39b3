"""A check that stands for an Armor Class (woa.posture.stand-acrobatics, woa.posture.stand-free-aoo)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, varied
from affray.engine.rules.attacks.attack_roll import tallies
from affray.events.facts.modifier import Modifier

#: The stat of an Acrobatics check that stands for somebody's AC while it gets up.
EVADING = "evading"


def in_place_of_ac(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what makes the Acrobatics check of who gets up stand for the AC that a blow has to reach.

    The better of the two counts.
    """
    checks = [one.modifier for one in blow.target.effects if one.stat == EVADING]
    if not checks:
        return []
    needed = tallies(fight, varied(blow, cites=[]))[1].total
    return [
        Modifier(check.value - needed, "check", f"{check.source} in place of {needed}", check.rule)
        for check in checks
        if check.value > needed
    ]
