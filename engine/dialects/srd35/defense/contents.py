"""The chapter on defense in srd35: what stands at each point that is not plain, in the order of an attack."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.attacks import aid_another
from affray.engine.dialects.srd35.attacks.modifier_tables import cite_defense_table
from affray.engine.dialects.srd35.defense import armor_as_worn, cover, incorporeal
from affray.engine.dialects.srd35.defense import armor_class as srd35_armor_class
from affray.engine.dialects.srd35.environment.water import water_cover
from affray.engine.dialects.srd35.grapple import grappled_defense, swallow_whole
from affray.engine.dialects.srd35.movement import load_penalties
from affray.engine.dialects.srd35.senses import concealment, hide
from affray.engine.record.chapter import rolls
from affray.engine.record.compose import choose, first, gather, refine, when
from affray.engine.record.defense import Defense
from affray.engine.record.silent import no_parts
from affray.engine.rules.attacks import precise_shot
from affray.engine.rules.classes import uncanny_dodge
from affray.engine.rules.classes.natures import INCORPOREAL, natured
from affray.engine.rules.defense import armor_class, enhanced_armor
from affray.engine.rules.defense.plain import PLAIN_DEFENSE
from affray.engine.rules.magic import spell_effects
from affray.engine.rules.mounted import ride_skill

ATTACKER_BODILESS, TARGET_BODILESS = natured("attacker", INCORPOREAL), natured("target", INCORPOREAL)

DEFENSE: Defense = replace(
    PLAIN_DEFENSE,
    rolls=rolls("1d100: incorporeal"),
    dexterity_denied=refine(
        armor_class.dexterity_denied,
        when("target.conditions and target.sheet.traits", concealment.dexterity_without_eyes),
        when("'invisible' in attacker.conditions", concealment.sensed_attacker),
        when("attacker.effects or 'unlit' in attacker.conditions", concealment.unseen_attacker),
        when("target.conditions", grappled_defense.dexterity_in_grapple),
    ),
    helpless_dexterity=refine(
        armor_class.helpless_dexterity,
        when("not melee", srd35_armor_class.helpless_at_range),
    ),
    uncanny_dodge=uncanny_dodge.is_uncanny,
    dexterity_cap=load_penalties.dexterity_cap,
    defense_bonus=refine(
        first(
            when("'swallowed' in attacker.conditions", swallow_whole.armor_from_inside),
            refine(
                armor_class.printed_armor_class,
                when(ATTACKER_BODILESS, srd35_armor_class.incorporeal_touch),
                srd35_armor_class.cite_lost_parts,
            ),
        ),
        when("'pinned' in target.conditions", grappled_defense.pinned_dexterity),
        enhanced_armor.enhanced_armor,
        armor_as_worn.armor_as_worn,
        when(ATTACKER_BODILESS, when(f"not {TARGET_BODILESS}", incorporeal.cite_passed_armor)),
        when(TARGET_BODILESS, incorporeal.defense_without_body),
    ),
    cover=refine(
        choose(
            when("'ethereal' in attacker.conditions and 'ethereal' in target.conditions", no_parts),
            when("", incorporeal.cover_of_object, holds=incorporeal.is_target_inside),
            when("", no_parts, holds=incorporeal.is_attacker_inside),
            first(
                when("target.conditions", water_cover),
                when("target.mount", ride_skill.behind_mount),
                cover.cover_on_the_map,
            ),
        ),
        when("found and not melee", precise_shot.past_cover),
    ),
    defense_situation=refine(
        gather(
            *armor_class.TARGET_STATE,
            when("target.effects", aid_another.cite_aid_to_defense),
            when(uncanny_dodge.TAKEN_UNAWARES, uncanny_dodge.cite_uncanny_dodge),
            when("'grappling' in target.conditions", grappled_defense.grappling_penalty),
        ),
        when("found", cite_defense_table),
        when("target.conditions and target.sheet.traits", concealment.defense_without_eyes),
        when("found", srd35_armor_class.cite_helpless),
        when("found and 'prone' in target.conditions", armor_class.worse_of_helpless_and_prone),
        when("'pinned' in target.conditions", grappled_defense.pinned_penalty),
    ),
    reflex_cover=first(
        when(f"target.mount and '{ride_skill.BEHIND}' in target.conditions", ride_skill.reflex_behind_mount),
        cover.reflex_behind_soft_cover,
        when(f"'{hide.IMPROVED_COVER}' in target.conditions", cover.reflex_behind_improved_cover),
        spell_effects.reflex_cover,
    ),
    around_corners=cover.around_corners,
)
