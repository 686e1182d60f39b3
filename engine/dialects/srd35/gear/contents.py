"""The chapter on gear in srd35: what stands at each point that is not plain.

A sheet may name rows of the rulebook's tables: `weapons = ["longsword", {table = "composite longbow", rating
= 2, masterwork = true}]`, `worn = ["chain shirt", {table = "full plate", material = "mithral"}]`. Their
figures come to the sheet as typed parts when the combatant enters (for its size, or the `size` that the
weapon is made for), so that the log holds them; what is given besides must agree with the row. `thing =
{table = "good wooden door"}` or `thing = {substance = "stone", inches = 6}` makes a sheet that of an object.
What `affray rules srd35 --search weapons.table` prints can be named so. A weapon with the trait "hidden"
takes longer to draw.
"""

from msgspec.structs import replace

from affray.engine.dialects.srd35.attacks import modifier_tables
from affray.engine.dialects.srd35.classes import monk, sleight_of_hand
from affray.engine.dialects.srd35.gear import (
    ammunition,
    don_and_doff,
    stray_throws,
    weapon_tables,
)
from affray.engine.dialects.srd35.gear import draw_and_sheathe as srd35_draw_and_sheathe
from affray.engine.dialects.srd35.gear import handling as srd35_handling
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import rolls
from affray.engine.record.compose import choose, first, gather, refine, steps, when
from affray.engine.record.gear import Gear
from affray.engine.record.other_fields import UNSAID
from affray.engine.rules.attacks.attack_roll import ATTACKER_STATE
from affray.engine.rules.classes.derived_statistics import as_printed, on_sheet_so_far
from affray.engine.rules.conditions import fascination, immunities
from affray.engine.rules.environment.burning import extinguish
from affray.engine.rules.gear import (
    armor_table,
    caltrops,
    draw_and_sheathe,
    grip,
    handle_things,
    nets,
    object_creature,
    special_substances,
    splash_weapons,
    splash_weapons_in_hand,
)
from affray.engine.rules.gear import handling as shields
from affray.engine.rules.gear.plain import PLAIN_GEAR
from affray.engine.rules.gear.weapons_in_hand import bare_hand
from affray.engine.rules.magic import touch_of_charge
from affray.engine.rules.mounted.couched_lance import couch_lance, is_lance_in_saddle
from affray.engine.rules.turns import minor_acts
from affray.events.facts import acts

GEAR: Gear = replace(
    PLAIN_GEAR,
    rolls=rolls("1d100: ammunition, ignites", "1d20: caltrops", "1d4+1: doff", "1d8: misdirection"),
    acts={
        **PLAIN_GEAR.acts,
        acts.Grip: Honours(choose(when("", couch_lance, holds=is_lance_in_saddle), grip.grip), "item hands"),
        acts.Drop: Honours(
            first(
                srd35_handling.refuse_drop_afar, refine(minor_acts.drop, srd35_handling.tell_where_it_lies)
            ),
            "item to",
        ),
        acts.Extinguish: Honours(
            first(special_substances.extinguish_flask, extinguish),
            "target water rolling",
            under={"rolling": {"water": UNSAID}},
        ),
        acts.TendFeet: Honours(caltrops.tend_feet, "target"),
        acts.Prepare: Honours(special_substances.prepare_oil, "item at"),
        acts.Draw: Honours(
            steps(
                draw_and_sheathe.draw_weapon,
                touch_of_charge.into_drawn_weapon,
                fascination.startled_by_drawing,
            ),
            "item also",
        ),
        acts.Handle: Honours(handle_things.handle, "item", what=(*shields.BECOMES, *handle_things.WAYS)),
        acts.Load: Honours(
            choose(when("", nets.fold_net, holds=nets.is_to_be_folded), ammunition.load_weapon), "item"
        ),
        acts.Don: Honours(don_and_doff.don, "item hasty helper"),
        acts.Doff: Honours(don_and_doff.doff, "item helper"),
        acts.Gather: Honours(ammunition.gather_missiles, "item"),
        acts.Shelter: Honours(don_and_doff.shelter_behind_shield),
        acts.Sleep: Honours(don_and_doff.sleep, "target"),
        acts.Burst: Honours(object_creature.burst, "target tool helpers"),
        acts.Pilfer: Honours(sleight_of_hand.pick_pocket, "target item fast"),
    },
    equip=refine(
        as_printed,
        on_sheet_so_far(armor_table.with_table_armor),
        on_sheet_so_far(armor_table.slowed_by_armor),
        on_sheet_so_far(weapon_tables.with_table_weapons),
        on_sheet_so_far(object_creature.thing_from_table),
    ),
    drawing=srd35_draw_and_sheathe.way_of_drawing,
    hurled=splash_weapons_in_hand.as_hurled,
    corner_situation=gather(*ATTACKER_STATE, modifier_tables.range_penalty),
    stray_squares=choose(
        when("", splash_weapons.increments_thrown, holds=stray_throws.strays_by_increments),
        stray_throws.increment_in_squares,
    ),
    spared_noise=immunities.spared_fortitude,
    unarmed_dice=first(monk.monk_fist_dice, bare_hand),
    doors=object_creature.doors_on_map,
    in_other_hands=weapon_tables.handled_by_taker,
    families=frozenset({"", "bow", "crossbow", "sling", "spell", "shuriken", "siege"}),
    materials=weapon_tables.MATERIALS,
)
