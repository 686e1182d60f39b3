"""The plain values of the chapter on defense: complete, for a dialect to start from."""

from affray.engine.record.compose import gather
from affray.engine.record.defense import Defense
from affray.engine.record.silent import no_parts
from affray.engine.rules.defense import armor_class
from affray.engine.rules.defense.armor_class import armor_cap, helpless_dexterity, uncanny_by_trait
from affray.engine.rules.magic import spell_effects

PLAIN_DEFENSE = Defense(
    acts={},
    defense_bonus=armor_class.printed_armor_class,
    defense_situation=gather(*armor_class.TARGET_STATE),
    dexterity_denied=armor_class.dexterity_denied,
    helpless_dexterity=helpless_dexterity,
    cover=no_parts,
    uncanny_dodge=uncanny_by_trait,
    dexterity_cap=armor_cap,
    reflex_cover=spell_effects.reflex_cover,
    around_corners=spell_effects.cover_against_spread,
    name="armor class",
)
