"""The chapter on magic in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35 import contested
from affray.engine.dialects.srd35.magic import (
    areas,
    lasting_effects,
    magic_items,
    magic_steps,
    quickened_spells,
    redirect_spell,
    spell_resistance,
)
from affray.engine.dialects.srd35.magic import components as srd35_components
from affray.engine.dialects.srd35.magic import counterspell as srd35_counterspell
from affray.engine.dialects.srd35.magic import long_castings as srd35_long_castings
from affray.engine.dialects.srd35.magic import special_abilities as special_powers
from affray.engine.dialects.srd35.position import ethereal
from affray.engine.record.acts import Honours
from affray.engine.record.magic import Magic
from affray.engine.rules.magic import held_charge as charge_held
from affray.engine.rules.magic.plain import PLAIN_MAGIC
from affray.events.facts import acts

MAGIC: Magic = replace(
    PLAIN_MAGIC,
    acts={
        acts.Cast: Honours(redirect_spell.cast, "spell", "targets", "at", "defensively", "opening"),
        acts.Redirect: Honours(redirect_spell.redirect, "spell", "targets", "at"),
        acts.Maintain: Honours(srd35_long_castings.maintain),
        acts.Touch: Honours(charge_held.touch, "targets"),
        acts.Counter: Honours(srd35_counterspell.counter, "spell", "target"),
        acts.Activate: Honours(magic_items.activate, "item", "targets", "at", "defensively", "device"),
        acts.Identify: Honours(srd35_counterspell.identify, "target", "spell"),
        acts.LowerResistance: Honours(spell_resistance.lower),
    },
    casting_action=quickened_spells.casting_action,
    refuse_casting=magic_steps.refuse_casting,
    holds_charges=True,
    passes_opening=areas.passes_opening,
    line_topic="cast.line-of-effect",
    spell_range=spell_resistance.spell_range,
    in_area=areas.in_area,
    prelude=magic_steps.prelude,
    casting_provokes=special_powers.casting_provokes,
    heard=srd35_counterspell.heard,
    hindrances=lasting_effects.hindrances,
    hampered_dc=contested.hampered_dc,
    defensive_casting=special_powers.defensive_casting,
    drawn_out=srd35_long_castings.drawn_out,
    spell_fails=srd35_components.spell_fails,
    touching=charge_held.touching,
    affected=magic_steps.affected,
    withstands=ethereal.withstands,
    spell_dc=spell_resistance.spell_dc,
    bestow=magic_steps.bestow,
)
