"""The chapter on gear in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.classes import intimidate, monk
from affray.engine.dialects.srd35.conditions import confusion_fascination
from affray.engine.dialects.srd35.environment import hazards
from affray.engine.dialects.srd35.gear import (
    ammunition,
    armor_table,
    caltrops,
    don_and_doff,
    flask_contents,
    flasks,
    object_creature,
    weapon_tables,
)
from affray.engine.dialects.srd35.gear import handling as srd35_handling
from affray.engine.dialects.srd35.magic import held_charge
from affray.engine.record.compose import first, refine, steps
from affray.engine.record.gear import Gear
from affray.engine.rules.classes.derived_statistics import as_printed, then
from affray.engine.rules.gear import draw_and_sheathe
from affray.engine.rules.gear.plain import PLAIN_GEAR
from affray.events.facts import acts

GEAR: Gear = replace(
    PLAIN_GEAR,
    acts={
        **PLAIN_GEAR.acts,
        acts.Extinguish: first(flask_contents.extinguish_flask, hazards.extinguish),
        acts.TendFeet: caltrops.tend_feet,
        acts.Prepare: flask_contents.prepare,
        acts.Draw: steps(
            draw_and_sheathe.draw,
            held_charge.into_drawn_weapon,
            confusion_fascination.startled_by_drawing,
        ),
        acts.Handle: srd35_handling.handle,
        acts.Load: ammunition.load,
        acts.Don: don_and_doff.don,
        acts.Doff: don_and_doff.doff,
        acts.Gather: ammunition.gather,
        acts.Shelter: don_and_doff.shelter,
        acts.Sleep: don_and_doff.sleep,
        acts.Burst: object_creature.burst,
        acts.Pilfer: intimidate.pilfer,
    },
    equip=refine(
        as_printed,
        then(armor_table.clothed),
        then(weapon_tables.armed),
        then(object_creature.built),
    ),
    drawing=ammunition.drawing,
    hurled=flasks.hurled,
    unarmed_dice=monk.fist,
)
