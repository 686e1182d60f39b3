"""Two weapons at once: what both hands pay for it, and what the off hand may do (srd35.twf.*)."""

from collections.abc import Iterator

from affray.engine.fight.fight import Fight
from affray.engine.rules.attacks import multiweapon_mastery
from affray.engine.rules.attacks.full_attack import lightness
from affray.engine.rules.attacks.many_arms import TOPIC as MANY
from affray.engine.rules.attacks.many_arms import many_armed
from affray.engine.rules.attacks.two_weapon_fighting import (
    FURTHER,
    HANDS,
    TRAINING,
    has_two_weapon_feat,
    series_of_second_arm,
)
from affray.engine.rules.classes.feat_prerequisites import masters, missing_for_feat
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def two_weapon_penalties(fight: Fight, combatant: Combatant, light: bool, hand: str) -> list[Modifier]:
    """Return what an attack with the "primary" hand or "off_hand" pays when both hands strike.

    The light off-hand weapon and the feat ease it; some creatures pay nothing (srd35.twf.extra-attack,
    .light-off-hand, .feat, srd35.assumed.weapon-mastery).
    """
    if multiweapon_mastery.pays_nothing(combatant):
        return []
    source = f"two weapons, {HANDS[hand]}"
    parts = [fight.modifier("srd35.twf.extra-attack", hand, kind="penalty", source=source)]
    if light:
        parts.append(
            fight.modifier(
                "srd35.twf.light-off-hand", "reduction", kind="untyped", source="light off-hand weapon"
            )
        )
    if has_two_weapon_feat(fight, combatant):
        path = f"reduction_{hand}"
        feat = "Multiweapon Fighting" if many_armed(combatant) else "Two-Weapon Fighting"
        parts.append(fight.modifier("srd35.twf.feat", path, kind="untyped", source=feat))
    return parts


def off_hand_series(fight: Fight, combatant: Combatant, hands: int = 1) -> list[list[Modifier]]:
    """Return the attacks of the off hand: one, and one more for each of two feats, 5 lower each time.

    Every one of `hands` off hands has one. The second arm of a superior fighter has all that the first has
    (srd35.feat.improved-two-weapon-fighting, srd35.feat.greater-two-weapon-fighting).
    """
    if hands == 1 and multiweapon_mastery.is_superior(combatant):
        return series_of_second_arm(fight, combatant)
    each = fight.figure("srd35.twf.extra-attack", "extra_attacks")
    rows: list[list[Modifier]] = [[] for _ in range(each * hands)]
    if hands > 1:
        return rows
    for feat in FURTHER:
        if not masters(fight, combatant, feat):
            break
        topic = f"feat.{feat.replace(' ', '-')}"
        rows.append([fight.modifier(topic, "attack", kind="iterative", source=feat.title())])
    return rows


def table_rules_told(
    fight: Fight, combatant: Combatant, act: acts.FullAttack, second: str, attacks: int
) -> Iterator[RuleApplied]:
    """Tell what the table says of fighting with these two weapons (srd35.twf.table)."""
    light, thrown = lightness(fight, combatant, act, second)
    ways = fight.figure("srd35.twf.table")
    names = [row["circumstances"] for row in ways]
    row = names[2 * has_two_weapon_feat(fight, combatant) + light]
    weapon = find_weapon(fight, combatant, second)
    topics = ["srd35.twf.table"]
    if multiweapon_mastery.pays_nothing(combatant):
        yield RuleApplied(
            who=combatant.id,
            what="fights with several weapons without a penalty",
            cites=fight.rules("srd35.twf.extra-attack", "srd35.assumed.weapon-mastery"),
        )
        return
    if "double" in weapon.traits:
        topics += ["srd35.twf.double-weapons", "srd35.weapons.double"]
    if thrown:
        topics.append("srd35.twf.thrown")
    if has_two_weapon_feat(fight, combatant):
        topics.append(MANY if many_armed(combatant) else "srd35.feat.two-weapon-fighting")
    missing = missing_for_feat(fight, combatant, TRAINING)
    without = f", without the feat, which takes {missing}" if missing else ""
    yield RuleApplied(
        who=combatant.id, what=f"fights with two weapons: {row}{without}", cites=fight.rules(*topics)
    )
