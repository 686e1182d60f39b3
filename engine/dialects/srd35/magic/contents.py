"""The chapter on magic in srd35: what stands at each point that is not plain.

Spells cast "free", "swift" or "immediate", and those with the metamagic "quicken spell", are quickened.
"""

from msgspec.structs import replace

from affray.engine.dialects.srd35.classes import turning_power
from affray.engine.dialects.srd35.damage import attack_riders
from affray.engine.dialects.srd35.damage.injury import heal
from affray.engine.dialects.srd35.magic import (
    areas,
    magic_items,
    quickened_spells,
    redirect_spell,
    special_abilities,
    spell_resistance,
)
from affray.engine.dialects.srd35.magic import components as srd35_components
from affray.engine.dialects.srd35.magic import counterspell as srd35_counterspell
from affray.engine.dialects.srd35.magic import long_castings as srd35_long_castings
from affray.engine.dialects.srd35.position import ethereal
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import choose, first, gather, refine, steps, until, when
from affray.engine.record.magic import Magic
from affray.engine.record.other_fields import UNSAID
from affray.engine.rules.conditions import fascination, immunities
from affray.engine.rules.damage import critical_riders
from affray.engine.rules.environment.hazard_damage import hindering_hazards
from affray.engine.rules.magic import (
    ability_classes,
    casting,
    casting_in_progress,
    components,
    concentration,
    counterspell,
    distraction,
    gazes,
    granted_modifiers,
    new_saves,
    ongoing_damage,
    spell_effects,
    targets_and_areas,
    touch_of_charge,
)
from affray.engine.rules.magic import held_charge as charge_held
from affray.engine.rules.magic import magic_items as shared_items
from affray.engine.rules.magic import spell_resistance as shared_resistance
from affray.engine.rules.magic.plain import COMPONENTS, PLAIN_MAGIC, STATS
from affray.engine.rules.magic.spell_benefits import benefits
from affray.engine.rules.magic.spell_effects import DIRECTED
from affray.engine.rules.magic.targets_and_areas import does_damage_alone
from affray.engine.rules.mounted import mounted_casting
from affray.events.facts import acts

MAGIC: Magic = replace(
    PLAIN_MAGIC,
    rolls=PLAIN_MAGIC.rolls
    | rolls(
        "1d100: gaze, spell-failure",
        "1d20: dispel, spell-resistance, spellcraft, use magic device",
        "1d8: healing, temporary",
        "ongoing, rounds, spell",
    ),
    questions=questions(
        "gaze: look, avert, shut",
        "mishap: nobody, <combatant>",
        "new-save: save, endure",
        "spread: around, stopped",
    ),
    acts={
        acts.Cast: Honours(
            refine(magic_items.cast_own_spell, mounted_casting.from_the_saddle, redirect_spell.stay_at_work),
            "spell targets at defensively opening",
            under={"at": {"targets": UNSAID}},
        ),
        acts.Redirect: Honours(
            redirect_spell.redirect, "spell targets at", under={"at": {"targets": UNSAID}}
        ),
        acts.Maintain: Honours(casting_in_progress.maintain_spell),
        acts.Touch: Honours(refine(charge_held.touch, touch_of_charge.set_about_touch), "targets"),
        acts.Counter: Honours(srd35_counterspell.counter, "spell target"),
        acts.Activate: Honours(
            magic_items.use_magic_item,
            "item targets at defensively device",
            under={"at": {"targets": UNSAID}},
        ),
        acts.Identify: Honours(srd35_counterspell.identify, "target spell"),
        acts.LowerResistance: Honours(shared_resistance.lower_resistance),
    },
    components=COMPONENTS | {DIRECTED, "precise"},
    stats=STATS | {turning_power.HARDENED, shared_resistance.RESISTANCE},
    casting_action=first(
        quickened_spells.quick_action, casting_in_progress.full_round_action, casting.printed_action
    ),
    refuse_casting=first(
        quickened_spells.refuse_quick,
        when("conditions", components.refuse_without_attention),
        ethereal.refuse_spell,
        srd35_components.refuse_components,
        targets_and_areas.refuse_origin,
        ability_classes.refuse_defensive_ability,
    ),
    holds_charges=True,
    strikes_again=does_damage_alone,
    passes_opening=areas.passes_opening,
    line_topic="cast.line-of-effect",
    spell_range=first(spell_resistance.standard_range, targets_and_areas.printed_range),
    in_area=areas.in_area,
    prelude=steps(
        quickened_spells.count_quickened,
        srd35_components.ready_materials,
        ability_classes.ability_does_not_provoke,
        touch_of_charge.lost_by_casting,
        casting_in_progress.older_spell_lapses,
        fascination.startled_by_casting,
    ),
    casting_provokes=first(
        ability_classes.ability_provokes,
        shared_items.item_provokes,
        quickened_spells.quick_spell_provokes,
        casting.long_casting_provokes,
    ),
    heard=counterspell.countered,
    hindrances=gather(
        when("conditions", concentration.hindrances),
        when("conditions", hindering_hazards),
        when("effects", ongoing_damage.hindering_damage),
    ),
    hampered_dc=first(srd35_components.flat_entangled_dc, concentration.hampered_dc),
    defensive_casting=first(special_abilities.defensive_spell_like_ability, concentration.defensive_casting),
    drawn_out=choose(
        when("spell.spontaneous and spell.metamagic", srd35_long_castings.begin_metamagic_casting),
        casting_in_progress.begin_one_round,
    ),
    spell_fails=until(
        when("conditions", srd35_components.antimagic_failure),
        when("conditions", components.deafened_failure),
        srd35_components.arcane_failure,
    ),
    touching=touch_of_charge.deliver_or_hold,
    begin=casting_in_progress.concentrate,
    affected=areas.tell_affected,
    on_critical=refine(critical_riders.critical_spell, critical_riders.with_critical_riders),
    withstands=until(
        ethereal.on_other_plane,
        gazes.avoids_gaze,
        spell_resistance.in_antimagic,
        spell_resistance.immune_to_breath,
        immunities.is_immune_to_spell,
        when("spell.save == 'fort' and spell.condition and not spell.damage", immunities.spared_spell),
        spell_resistance.resists_spell,
    ),
    spell_dc=refine(
        spell_effects.printed_dc,
        shared_resistance.printed_spell_dc,
        shared_resistance.special_ability_dc,
        spell_resistance.key_ability_dc,
        spell_resistance.spell_focus,
    ),
    bestow=steps(
        benefits(heal, attack_riders.resist_or_suffer),
        granted_modifiers.give_modifiers,
        ongoing_damage.start_ongoing_damage,
        new_saves.note_new_saves,
        distraction.distract_caster,
    ),
)
