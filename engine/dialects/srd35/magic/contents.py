"""The chapter on magic in srd35: what stands at each point that is not plain.

Spells cast "free", "swift" or "immediate", and those with the metamagic "quicken spell", are quickened.
"""

from msgspec.structs import replace

from affray.engine.dialects.srd35.classes import turning_power
from affray.engine.dialects.srd35.conditions import confusion_fascination, immunities
from affray.engine.dialects.srd35.damage import attack_riders
from affray.engine.dialects.srd35.damage.injury import heal
from affray.engine.dialects.srd35.environment import hazards
from affray.engine.dialects.srd35.magic import (
    areas,
    lasting_effects,
    magic_items,
    quickened_spells,
    redirect_spell,
    special_abilities,
    spell_resistance,
)
from affray.engine.dialects.srd35.magic import components as srd35_components
from affray.engine.dialects.srd35.magic import counterspell as srd35_counterspell
from affray.engine.dialects.srd35.magic import held_charge as srd35_held_charge
from affray.engine.dialects.srd35.magic import long_castings as srd35_long_castings
from affray.engine.dialects.srd35.mounted import mounted_casting
from affray.engine.dialects.srd35.position import ethereal
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import first, gather, refine, steps, until, when
from affray.engine.record.magic import Magic
from affray.engine.record.other_fields import UNSAID
from affray.engine.rules.magic import casting, components, concentration, spell_effects, targets_and_areas
from affray.engine.rules.magic import held_charge as charge_held
from affray.engine.rules.magic.plain import COMPONENTS, PLAIN_MAGIC, STATS
from affray.engine.rules.magic.spell_benefits import benefits
from affray.engine.rules.magic.spell_effects import DIRECTED
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
    questions=questions("gaze: look, avert, shut", "mishap: nobody, <combatant>", "spread: around, stopped"),
    acts={
        acts.Cast: Honours(
            refine(magic_items.cast_own_spell, mounted_casting.from_the_saddle, redirect_spell.stay_at_work),
            "spell targets at defensively opening",
            under={"at": {"targets": UNSAID}},
        ),
        acts.Redirect: Honours(
            redirect_spell.redirect, "spell targets at", under={"at": {"targets": UNSAID}}
        ),
        acts.Maintain: Honours(srd35_long_castings.maintain_spell),
        acts.Touch: Honours(refine(charge_held.touch, srd35_held_charge.set_about_touch), "targets"),
        acts.Counter: Honours(srd35_counterspell.counter, "spell target"),
        acts.Activate: Honours(
            magic_items.use_magic_item,
            "item targets at defensively device",
            under={"at": {"targets": UNSAID}},
        ),
        acts.Identify: Honours(srd35_counterspell.identify, "target spell"),
        acts.LowerResistance: Honours(spell_resistance.lower_resistance),
    },
    components=COMPONENTS | {DIRECTED, "precise"},
    stats=STATS | {turning_power.HARDENED, spell_resistance.RESISTANCE},
    casting_action=first(
        quickened_spells.quick_action, srd35_long_castings.full_round_action, casting.printed_action
    ),
    refuse_casting=first(
        quickened_spells.refuse_quick,
        when("conditions", components.refuse_without_attention),
        ethereal.refuse_spell,
        srd35_components.refuse_components,
        areas.refuse_origin,
        special_abilities.refuse_defensive_ability,
    ),
    holds_charges=True,
    passes_opening=areas.passes_opening,
    line_topic="cast.line-of-effect",
    spell_range=first(spell_resistance.standard_range, targets_and_areas.printed_range),
    in_area=areas.in_area,
    prelude=steps(
        quickened_spells.count_quickened,
        srd35_components.ready_materials,
        special_abilities.ability_does_not_provoke,
        srd35_held_charge.lost_by_casting,
        srd35_long_castings.older_spell_lapses,
        confusion_fascination.startled_by_casting,
    ),
    casting_provokes=first(
        special_abilities.ability_provokes,
        magic_items.item_provokes,
        quickened_spells.quick_spell_provokes,
        casting.long_casting_provokes,
    ),
    heard=srd35_counterspell.countered,
    hindrances=gather(
        when("conditions", concentration.hindrances),
        when("conditions", hazards.hindering_hazards),
        when("effects", lasting_effects.hindering_damage),
    ),
    hampered_dc=first(srd35_components.flat_entangled_dc, concentration.hampered_dc),
    defensive_casting=first(special_abilities.defensive_spell_like_ability, concentration.defensive_casting),
    drawn_out=srd35_long_castings.begin_long_casting,
    spell_fails=until(
        when("conditions", srd35_components.antimagic_failure),
        when("conditions", srd35_components.deafened_failure),
        srd35_components.arcane_failure,
    ),
    touching=srd35_held_charge.deliver_or_hold,
    begin=srd35_long_castings.concentrate,
    affected=areas.tell_affected,
    withstands=until(
        ethereal.on_other_plane,
        special_abilities.avoids_gaze,
        spell_resistance.in_antimagic,
        spell_resistance.immune_to_breath,
        when("spell.save == 'fort' and spell.condition and not spell.damage", immunities.spared_spell),
        spell_resistance.resists_spell,
    ),
    spell_dc=refine(
        spell_effects.printed_dc,
        spell_resistance.special_ability_dc,
        spell_resistance.key_ability_dc,
        spell_resistance.spell_focus,
    ),
    bestow=steps(
        benefits(heal, attack_riders.resist_or_suffer),
        lasting_effects.give_modifiers,
        lasting_effects.start_ongoing_damage,
        lasting_effects.distract_caster,
    ),
)
