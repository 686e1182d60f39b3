"""The chapter on defense in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35 import contested
from affray.engine.dialects.srd35.attacks import shooting
from affray.engine.dialects.srd35.classes import uncanny_dodge
from affray.engine.dialects.srd35.defense import cover, incorporeal
from affray.engine.dialects.srd35.movement import load
from affray.engine.record.defense import Defense
from affray.engine.rules.defense.plain import PLAIN_DEFENSE

DEFENSE: Defense = replace(
    PLAIN_DEFENSE,
    defense_bonus=incorporeal.defense_bonus,
    defense_situation=contested.defense_situation,
    dexterity_denied=contested.dexterity_denied,
    helpless_dexterity=contested.helpless_dexterity,
    cover=shooting.past_cover(incorporeal.cover_parts),
    uncanny_dodge=uncanny_dodge.is_uncanny,
    dexterity_cap=load.dexterity_cap,
    reflex_cover=contested.reflex_cover,
    around_corners=cover.around_corners,
)
