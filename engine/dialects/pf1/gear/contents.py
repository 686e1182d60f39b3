"""The chapter on gear in pf1: what stands at each point that is not plain.

`thing = {table = "good wooden door"}` or `thing = {substance = "stone", inches = 6}` makes a sheet that of an
object, with the hardness, hit points and breaking DC of the tables, which are those of 3.5.

A weapon may name the row of a table of Pathfinder's own, for its figures and qualities: `{name = "star",
damage = "", table = "starknife"}`, `{name = "flail", damage = "1d8", table = "flail"}`, and for its damage by
size a natural one: `{name = "jaws", damage = "", table = "bite"}`.

What is worn names a row of the armor table, that of 3.5 but for some bonuses: `worn = ["full plate", "tower
shield", {name = "targe", table = "buckler"}]`. The parts of Armor Class, the check penalty, the cap on
Dexterity and the speed in it come from there.
"""

from msgspec.structs import replace

from affray.engine.dialects.pf1.classes import fighter
from affray.engine.dialects.pf1.gear import broken, shields, tower_shield, weapon_rows
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import rolls
from affray.engine.record.compose import choose, refine, steps, when
from affray.engine.record.gear import Gear
from affray.engine.rules.classes.derived_statistics import as_printed, on_sheet_so_far
from affray.engine.rules.conditions import fascination
from affray.engine.rules.gear import (
    armor_table,
    draw_and_sheathe,
    grip,
    handle_things,
    handling,
    object_creature,
)
from affray.engine.rules.gear.plain import PLAIN_GEAR
from affray.engine.rules.magic import touch_of_charge
from affray.engine.rules.mounted.couched_lance import couch_lance, is_lance_in_saddle
from affray.engine.rules.turns import minor_acts
from affray.events.facts import acts

GEAR: Gear = replace(
    PLAIN_GEAR,
    rolls=PLAIN_GEAR.rolls | rolls("1d20: strength"),
    acts={
        **PLAIN_GEAR.acts,
        acts.Draw: Honours(
            steps(
                draw_and_sheathe.draw_weapon,
                touch_of_charge.into_drawn_weapon,
                fascination.startled_by_drawing,
            ),
            "item also",
        ),
        acts.Handle: Honours(handle_things.handle, "item", what=(*handling.BECOMES, *handle_things.WAYS)),
        acts.Grip: Honours(choose(when("", couch_lance, holds=is_lance_in_saddle), grip.grip), "item hands"),
        acts.Load: Honours(minor_acts.load, "item"),
        acts.Burst: Honours(object_creature.burst, "target tool helpers"),
        acts.Shelter: Honours(tower_shield.shelter, "way"),
    },
    equip=refine(
        as_printed,
        on_sheet_so_far(armor_table.with_table_armor),
        when("", on_sheet_so_far(armor_table.slowed_by_armor), holds=fighter.is_slowed_in_armor),
        on_sheet_so_far(shields.rules_of_shields),
        on_sheet_so_far(object_creature.thing_from_table),
        on_sheet_so_far(weapon_rows.with_own_rows),
    ),
    tool_parts=broken.tool_parts,
)
