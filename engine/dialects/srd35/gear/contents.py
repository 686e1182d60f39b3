"""The chapter on gear in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.classes import intimidate, monk
from affray.engine.dialects.srd35.gear import (
    ammunition,
    caltrops,
    don_and_doff,
    flask_contents,
    flasks,
    object_creature,
    weapon_tables,
)
from affray.engine.dialects.srd35.gear import equip as srd35_equip
from affray.engine.dialects.srd35.gear import handling as srd35_handling
from affray.engine.dialects.srd35.magic import magic_steps
from affray.engine.record.acts import Honours
from affray.engine.record.gear import Gear
from affray.engine.rules.gear import handling as shields
from affray.engine.rules.gear.plain import PLAIN_GEAR
from affray.events.facts import acts

GEAR: Gear = replace(
    PLAIN_GEAR,
    acts={
        **PLAIN_GEAR.acts,
        acts.Extinguish: Honours(magic_steps.extinguish, "target", "water", "rolling"),
        acts.TendFeet: Honours(caltrops.tend_feet, "target"),
        acts.Prepare: Honours(flask_contents.prepare, "item", "at"),
        acts.Draw: Honours(magic_steps.draw, "item", "also"),
        acts.Handle: Honours(srd35_handling.handle, "item", what=(*shields.BECOMES, *srd35_handling.WAYS)),
        acts.Load: Honours(ammunition.load, "item"),
        acts.Don: Honours(don_and_doff.don, "item", "hasty", "helper"),
        acts.Doff: Honours(don_and_doff.doff, "item", "helper"),
        acts.Gather: Honours(ammunition.gather, "item"),
        acts.Shelter: Honours(don_and_doff.shelter),
        acts.Sleep: Honours(don_and_doff.sleep, "target"),
        acts.Burst: Honours(object_creature.burst, "target", "tool", "helpers"),
        acts.Pilfer: Honours(intimidate.pilfer, "target", "item", "fast"),
    },
    equip=srd35_equip.from_tables,
    drawing=ammunition.drawing,
    hurled=flasks.hurled,
    unarmed_dice=monk.fist,
    families=frozenset({"", "bow", "crossbow", "sling", "shuriken", "siege"}),
    materials=weapon_tables.MATERIALS,
)
