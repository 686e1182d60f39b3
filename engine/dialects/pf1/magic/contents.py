"""The chapter on magic in pf1: what stands at each point that is not plain.

A spell's `key` is the ability that it is cast with; a sheet may print the total of concentration instead.
Spells cast "swift", and those with the metamagic "quicken spell", are quickened. A spell with "dismissible"
among its components can be dismissed as long as its rounds last.
"""

from msgspec.structs import replace

from affray.engine.dialects.pf1.conditions import poison
from affray.engine.dialects.pf1.damage import healing
from affray.engine.dialects.pf1.defense import incorporeal
from affray.engine.dialects.pf1.gear import broken, shields, tower_shield
from affray.engine.dialects.pf1.grapple import casting as casting_in_a_grapple
from affray.engine.dialects.pf1.magic import casting as pf1_casting
from affray.engine.dialects.pf1.magic import concentration, dismissal
from affray.engine.dialects.pf1.magic import counterspell as pf1_counterspell
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import choose, first, gather, refine, steps, until, when
from affray.engine.record.magic import Magic
from affray.engine.record.other_fields import UNSAID
from affray.engine.rules.attacks import swarms
from affray.engine.rules.classes.natures import INCORPOREAL, natured
from affray.engine.rules.conditions import fascination, immunities
from affray.engine.rules.damage import critical_riders
from affray.engine.rules.environment.hazard_damage import hindering_hazards
from affray.engine.rules.magic import (
    ability_classes,
    casting,
    casting_in_progress,
    components,
    counterspell,
    distraction,
    gazes,
    granted_modifiers,
    held_charge,
    magic_items,
    new_saves,
    ongoing_damage,
    spell_effects,
    spell_resistance,
    targets_and_areas,
    touch_of_charge,
)
from affray.engine.rules.magic.plain import PLAIN_MAGIC
from affray.engine.rules.magic.spell_benefits import benefits
from affray.engine.rules.magic.targets_and_areas import does_damage_alone
from affray.engine.rules.mounted import mounted_casting
from affray.events.facts import acts

MAGIC: Magic = replace(
    PLAIN_MAGIC,
    rolls=PLAIN_MAGIC.rolls
    | rolls(
        "1d100: gaze, incorporeal, spell-failure",
        "1d20: dispel, spell-resistance, spellcraft",
        "healing, ongoing, spell, temporary",
    ),
    questions=questions("gaze: look, avert, shut", "new-save: save, endure"),
    acts={
        acts.Cast: Honours(
            refine(
                first(pf1_casting.cast_immediate_spell, pf1_casting.cast_own_spell),
                mounted_casting.from_the_saddle,
            ),
            "spell targets at defensively opening",
            under={"at": {"targets": UNSAID}},
        ),
        acts.Touch: Honours(refine(held_charge.touch, touch_of_charge.set_about_touch), "targets"),
        acts.Counter: Honours(pf1_counterspell.counter, "spell target"),
        acts.Activate: Honours(
            refine(
                pf1_casting.use_magic_item,
                when("", broken.spend_more_charges, holds=broken.is_broken_device),
            ),
            "item targets at defensively",
            refuses="device",
            under={"at": {"targets": UNSAID}},
        ),
        acts.Maintain: Honours(casting_in_progress.maintain_spell),
        acts.Dismiss: Honours(dismissal.dismiss, "spell"),
        acts.LowerResistance: Honours(spell_resistance.lower_resistance),
    },
    components=PLAIN_MAGIC.components | {dismissal.DISMISSIBLE},
    stats=PLAIN_MAGIC.stats | {spell_resistance.RESISTANCE},
    holds_charges=True,
    strikes_again=does_damage_alone,
    casting_action=first(
        pf1_casting.quickened_action, casting_in_progress.full_round_action, casting.printed_action
    ),
    refuse_casting=first(
        when("conditions", components.refuse_without_attention),
        pf1_casting.refuse_components,
        pf1_casting.refuse_safe_defense,
        ability_classes.refuse_defensive_ability,
        tower_shield.refuse_spell_at_shield,
        targets_and_areas.refuse_origin,
    ),
    prelude=steps(
        ability_classes.ability_does_not_provoke,
        touch_of_charge.lost_by_casting,
        shields.lower_by_gestures,
        casting_in_progress.older_spell_lapses,
        fascination.startled_by_casting,
    ),
    casting_provokes=first(
        ability_classes.ability_provokes,
        magic_items.item_provokes,
        pf1_casting.quickened_is_safe,
        casting.long_casting_provokes,
    ),
    heard=counterspell.countered,
    concentration=concentration.by_caster_level,
    defensive_casting=refine(concentration.defensive_casting, concentration.disrupted),
    defense_fails=concentration.provoke_spellbreakers,
    drawn_out=casting_in_progress.begin_one_round,
    spell_fails=until(when("conditions", components.deafened_failure)),
    touching=choose(when("spell.touch == 'ranged'", pf1_casting.shoot_rays), touch_of_charge.deliver_or_hold),
    begin=casting_in_progress.concentrate,
    on_critical=refine(critical_riders.critical_spell, critical_riders.with_critical_riders),
    withstands=until(
        gazes.avoids_gaze,
        immunities.is_immune_to_spell,
        when("spell.save == 'fort' and spell.condition and not spell.damage", immunities.spared_spell),
        when(natured("target", INCORPOREAL), incorporeal.spell_passes_through),
        pf1_casting.resists_spell,
    ),
    spell_dc=refine(
        spell_effects.printed_dc, spell_resistance.printed_spell_dc, spell_resistance.special_ability_dc
    ),
    bestow=steps(
        benefits(healing.cure, poison.expose),
        granted_modifiers.give_modifiers,
        ongoing_damage.start_ongoing_damage,
        new_saves.note_new_saves,
        dismissal.note_dismissible,
        distraction.distract_caster,
    ),
    hindrances=gather(
        PLAIN_MAGIC.hindrances,
        when("conditions", casting_in_a_grapple.in_a_grapple),
        when("conditions", hindering_hazards),
        when("effects", ongoing_damage.hindering_damage),
        swarms.hindering_swarms,
    ),
)
