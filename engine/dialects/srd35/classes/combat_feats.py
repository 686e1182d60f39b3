"""The combat feats that add to rolls (srd35.feat.*)."""

from collections.abc import Iterator

from affray.engine.dialects.srd35.gear.weapon_kinds import grip_category
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.feat_prerequisites import lacks_for_feat
from affray.engine.rules.gear.held_weapons import wields_two
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet_parts import Bonus
from affray.projections.state import Combatant

#: The stat of the effect that Power Attack leaves: what it takes off melee attack rolls.
POWER = "melee-attack"


def is_printed_among(bonuses: tuple[Bonus, ...], name: str) -> bool:
    """Say whether a sheet spells a feat's bonus out among its parts, so that it must not count twice."""
    return any(one.source == name for one in bonuses)


def greater_focus(fight: Fight, blow: Blow, weapon: str) -> Iterator[Modifier]:
    """Add the second +1 to attacks with one weapon (srd35.feat.weapon-focus)."""
    name = "Greater Weapon Focus"
    if weapon == blow.weapon.name and not is_printed_among(blow.weapon.attack, name):
        yield fight.modifier("srd35.feat.weapon-focus", "greater", kind="untyped", source=name)


def greater_specialization(fight: Fight, blow: Blow, weapon: str) -> Iterator[Modifier]:
    """Add the second +2 to damage with one weapon (srd35.feat.weapon-specialization)."""
    name = "Greater Weapon Specialization"
    if weapon == blow.weapon.name and not is_printed_among(blow.weapon.bonus_damage, name):
        yield fight.modifier("srd35.feat.weapon-specialization", "greater", kind="untyped", source=name)


def point_blank_attack(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Add to the attack of shots and throws at close range (srd35.feat.point-blank-shot)."""
    return point_blank(fight, blow, "attack")


def point_blank_damage(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Add to the damage of shots and throws at close range (srd35.feat.point-blank-shot)."""
    return point_blank(fight, blow, "damage")


def point_blank(fight: Fight, blow: Blow, figure: str) -> Iterator[Modifier]:
    """Yield a figure of the feat for a shot or throw within its range."""
    topic = "srd35.feat.point-blank-shot"
    # The first square out of range lies one square further.
    if not blow.melee and blow.distance < fight.figure(topic, "range_ft") + SQUARE_FT:
        yield fight.modifier(topic, figure, kind="untyped", source="Point Blank Shot")


def power_taken(combatant: Combatant) -> Modifier | None:
    """Return what a combatant takes off its melee attacks by Power Attack until its next turn."""
    return next((effect.modifier for effect in combatant.effects if effect.stat == POWER), None)


def power_attack_penalty(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Take what was pledged off every melee attack (srd35.feat.power-attack)."""
    pledged = power_taken(blow.attacker) if blow.melee else None
    if pledged is not None:
        yield pledged


def power_damage(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Add what was pledged to melee damage: twice with both hands, not with a light weapon."""
    pledged = power_taken(blow.attacker) if blow.melee else None
    if pledged is not None:
        held = grip_category(blow.weapon)
        added = -pledged.value * fight.figure("srd35.feat.power-attack", "damage_ratio", held)
        source = "Power Attack" if held == "one-handed" else f"Power Attack ({held.replace('_', ' ')})"
        yield Modifier(added, "untyped", source, pledged.rule)


def two_weapon_defense(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Shield those who hold a weapon in each hand, better while they defend.

    srd35.feat.two-weapon-defense.
    """
    topic, target = "srd35.feat.two-weapon-defense", blow.target
    if lacks_for_feat(fight, target, topic) or not wields_two(target) or is_helpless(fight, target):
        return
    defending = "total-defense" in target.conditions or any(  # srd35.total-defense
        effect.modifier.source == "fighting defensively" for effect in target.effects
    )
    figure = "defensive" if defending else "ac_shield"
    part = fight.modifier(topic, figure, kind="shield", source="Two-Weapon Defense")
    if blow.intent.touch:
        why = f"touch attack: shield does not count ({fight.rule('srd35.ac.touch')})"
        part = Modifier(part.value, part.kind, part.source, part.rule, why)
    yield part


def improved_initiative_bonus(
    fight: Fight, combatant: Combatant, name: str, detail: str
) -> Iterator[Modifier]:
    """Add to initiative (srd35.feat.improved-initiative)."""
    source = "Improved Initiative"
    if not is_printed_among(combatant.sheet.initiative, source):
        yield fight.modifier("srd35.feat.improved-initiative", "initiative", kind="untyped", source=source)
