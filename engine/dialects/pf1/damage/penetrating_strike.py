"""Penetrating Strike: blows that go through part of a damage reduction (pf1.feat.penetrating)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.events.facts.sheet import Reduction

TOPIC: Final = "pf1.feat.penetrating"


def points_ignored(fight: Fight, harm: Harm, reduction: Reduction) -> int:
    """Return how many points of a damage reduction a blow ignores with a weapon of Weapon Focus.

    One that nothing overcomes ("5/-") is proof against the lesser of the two feats.
    """
    attacker, weapon = harm.attacker, harm.weapon
    if attacker is None or weapon is None or not has_feat(attacker, f"weapon focus ({weapon.name})"):
        return 0
    lesser, greater = int(fight.figure(TOPIC, "dr")), int(fight.figure(TOPIC, "greater"))
    points = 0
    if masters(fight, attacker, "greater penetrating strike"):
        points = greater if reduction.bypass else lesser
    elif masters(fight, attacker, "penetrating strike") and reduction.bypass:
        points = lesser
    if points:
        harm.reduced_by += fight.rules(TOPIC)
    return points
