"""The chapter on defense in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.attacks import attack_modifiers as own_attack
from affray.engine.dialects.pf1.attacks import blind_fight, shield_feats
from affray.engine.dialects.pf1.classes import fighter
from affray.engine.dialects.pf1.defense import armor_class as own_armor_class
from affray.engine.dialects.pf1.defense import lowered_dexterity
from affray.engine.dialects.pf1.gear import broken, shields
from affray.engine.dialects.pf1.grapple import hold, swallow
from affray.engine.dialects.pf1.maneuvers import combat_maneuver, maneuver_feats
from affray.engine.dialects.pf1.senses import light, stealth
from affray.engine.record.compose import choose, first, gather, refine, when
from affray.engine.record.defense import Defense
from affray.engine.rules.attacks import precise_shot
from affray.engine.rules.classes import uncanny_dodge
from affray.engine.rules.classes.natures import INCORPOREAL, natured
from affray.engine.rules.defense import armor_class, enhanced_armor
from affray.engine.rules.defense.plain import PLAIN_DEFENSE
from affray.engine.rules.magic import spell_effects
from affray.engine.rules.mounted import ride_skill

#: A blow without a body: by its weapon, or by the limbs of a creature that has none.
WITHOUT_BODY = (
    "'incorporeal' in weapon.traits",
    f"weapon.wield in ('natural', 'unarmed') and {natured('attacker', INCORPOREAL)}",
)

DEFENSE: Defense = replace(
    PLAIN_DEFENSE,
    uncanny_dodge=uncanny_dodge.is_uncanny,
    dexterity_denied=refine(
        armor_class.dexterity_denied,
        when(blind_fight.UNSEEN, blind_fight.keep_dexterity),
        own_attack.rule_on_flat_footed,
        when("target.conditions", light.denied_in_the_dark),
        when("attacker.effects", stealth.unnoticed_attacker),
    ),
    dexterity_cap=refine(
        armor_class.armor_cap,
        own_armor_class.cap_of_armor,
        when("'fighter' in sheet.classes", fighter.dexterity_in_armor),
    ),
    defense_bonus=choose(
        when("intent.maneuver", combat_maneuver.combat_maneuver_defense),
        when("attacker.conditions", swallow.armor_from_inside, holds=swallow.strikes_the_gut),
        refine(
            armor_class.printed_armor_class,
            own_attack.rules_by_kind,
            enhanced_armor.enhanced_armor,
            when("target.effects or target.sheet.worn", broken.on_armor),
            when("'shield focus' in target.sheet.feats", shield_feats.focus_on_shield),
            when("target.effects", shields.without_lowered_shield),
            when("'fighter' in target.sheet.classes", fighter.cite_training),
            own_armor_class.cite_parts,
            when(WITHOUT_BODY, own_attack.incorporeal_touch),
        ),
    ),
    cover=refine(
        choose(
            when(WITHOUT_BODY, own_attack.no_cover_from_touch),
            first(when("target.mount", ride_skill.behind_mount), own_attack.best_cover),
        ),
        when("found and not melee", precise_shot.past_cover),
    ),
    defense_situation=choose(
        when(
            "intent.maneuver",
            gather(
                combat_maneuver.situation_of_target,
                maneuver_feats.warded_by_feat,
                when(
                    "intent.maneuver == 'grapple' and 'grappled' in target.conditions"
                    " and 'invisible' in target.conditions",
                    hold.hard_to_find,
                ),
            ),
        ),
        refine(
            gather(
                *armor_class.TARGET_STATE,
                when(uncanny_dodge.TAKEN_UNAWARES, uncanny_dodge.cite_uncanny_dodge),
                when("target.conditions", light.defense_in_the_dark),
                when("not target.acted", own_armor_class.cite_start_of_battle),
            ),
            when("target.conditions", lowered_dexterity.count_denied_once),
            when("found and 'prone' in target.conditions", armor_class.worse_of_helpless_and_prone),
        ),
    ),
    reflex_cover=first(
        when(f"target.mount and {ride_skill.BEHIND!r} in target.conditions", ride_skill.reflex_behind_mount),
        when("'improved cover' in target.conditions", own_attack.reflex_behind_improved_cover),
        spell_effects.reflex_cover,
        own_attack.reflex_behind_partial_cover,
    ),
)
