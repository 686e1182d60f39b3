"""Two weapons at once: what both hands pay for it, and what the off hand may do (pf1.two-weapon)."""

from collections.abc import Iterator

from affray.engine.fight.fight import Fight
from affray.engine.rules.attacks import multiweapon_mastery
from affray.engine.rules.attacks.full_attack import lightness
from affray.engine.rules.attacks.two_weapon_fighting import (
    FURTHER,
    HANDS,
    has_two_weapon_feat,
    series_of_second_arm,
)
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def case_of(fight: Fight, combatant: Combatant, light: bool) -> str:
    """Return the row of the table of penalties, by the feat and by whether the off-hand weapon is light."""
    if has_two_weapon_feat(fight, combatant):
        return "feat and light" if light else "feat"
    return "light off hand" if light else "normal"


def two_weapon_penalty(fight: Fight, combatant: Combatant, light: bool, hand: str) -> list[Modifier]:
    """Return what an attack with the "primary" hand or "off_hand" pays when both strike.

    Some creatures pay nothing (pf1.two-weapon).
    """
    if multiweapon_mastery.pays_nothing(combatant):
        return []
    case, column = case_of(fight, combatant, light), hand.partition("_")[0]
    source = f"two weapons, {HANDS[hand]} ({case})"
    return [fight.modifier("pf1.two-weapon", f"case={case}", column, kind="penalty", source=source)]


def off_hand_series(fight: Fight, combatant: Combatant, hands: int) -> list[list[Modifier]]:
    """Return the attacks of the off hand: one, and one more for each of two feats, 5 lower each time.

    Every one of several off hands has one, the second arm of a superior fighter all that the first has
    (pf1.feat.two-weapon).
    """
    if hands == 1 and multiweapon_mastery.is_superior(combatant):
        return series_of_second_arm(fight, combatant)
    if hands > 1:
        return [[] for _ in range(hands)]
    rows: list[list[Modifier]] = [[]]
    for number, feat in enumerate(FURTHER, 1):
        if not masters(fight, combatant, feat):
            break
        row = ("pf1.feat.two-weapon", "off_hand", number)
        rows.append([fight.modifier(*row, kind="iterative", source=feat.title())])
    return rows


def table_row_told(
    fight: Fight, combatant: Combatant, act: acts.FullAttack, second: str, attacks: int
) -> Iterator[RuleApplied]:
    """Tell which row of the table of penalties holds.

    pf1.two-weapon, pf1.two-weapon.double, pf1.feat.two-weapon.
    """
    light, thrown = lightness(fight, combatant, act, second)
    topics = ["pf1.two-weapon"]
    if thrown or "double" in find_weapon(fight, combatant, second).traits:
        topics.append("pf1.two-weapon.double")
    if has_two_weapon_feat(fight, combatant):
        topics.append("pf1.feat.two-weapon")
    what = f"fights with two weapons: {case_of(fight, combatant, light)}"
    if multiweapon_mastery.pays_nothing(combatant):
        what, topics = "fights with several weapons without a penalty", topics[:1]
    yield RuleApplied(who=combatant.id, what=what, cites=fight.rules(*topics))
