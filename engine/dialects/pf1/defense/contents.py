"""The chapter on defense in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.attacks import attack_modifiers as own_attack
from affray.engine.record.defense import Defense
from affray.engine.rules.defense import armor_class
from affray.engine.rules.defense.plain import PLAIN_DEFENSE

DEFENSE: Defense = replace(
    PLAIN_DEFENSE,
    defense_bonus=own_attack.defense_bonus,
    defense_situation=armor_class.defense_situation,
    dexterity_denied=own_attack.dexterity_denied,
    cover=own_attack.cover_parts,
    reflex_cover=own_attack.reflex_cover,
)
