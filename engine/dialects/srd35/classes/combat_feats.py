"""The combat feats that add to rolls (srd35.feat.*)."""

from collections.abc import Iterator

from affray.engine.dialects.srd35.gear.weapon_kinds import grip_category
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.combat_feats import is_printed_among
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: The stat of the effect that Power Attack leaves: what it takes off melee attack rolls.
POWER = "melee-attack"


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
