"""The chapter on defense in woa: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.woa.attacks import attack_modifiers
from affray.engine.dialects.woa.defense import armor_class, cover
from affray.engine.record.defense import Defense
from affray.engine.rules.defense.plain import PLAIN_DEFENSE

DEFENSE: Defense = replace(
    PLAIN_DEFENSE,
    defense_bonus=armor_class.defense_bonus,
    defense_situation=attack_modifiers.defense_situation,
    dexterity_denied=armor_class.dexterity_denied,
    cover=cover.cover_parts,
)
