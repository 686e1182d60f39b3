"""The chapter on defense in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.defense import cover, defense
from affray.engine.record.defense import Defense
from affray.engine.rules.defense import armor_class as shared_defense
from affray.engine.rules.defense.plain import PLAIN_DEFENSE

DEFENSE: Defense = replace(
    PLAIN_DEFENSE,
    defense_bonus=defense.defense_bonus,
    defense_situation=defense.defense_situation,
    dexterity_denied=shared_defense.dexterity_denied,
    helpless_dexterity=defense.helpless_dexterity,
    cover=cover.cover_parts,
    name="Defense",
)
