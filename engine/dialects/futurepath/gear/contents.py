"""The chapter on gear in futurepath: what stands at each point that is not plain.

`thing = {table = "steel door"}` or `thing = {substance = "wood", inches = 2}` makes a sheet that of a thing,
with hardness, hit points and break DC of the tables; "manufactured" is the row of its size, whose figures a
sheet may raise. The trait "carried by (NAME)" makes it one that this combatant holds, carries or wears.

A thing covers who is behind it as long as it stands: a door or wall altogether, other things by half whoever
is no larger, or as the trait "covers (DEGREE)" says, "covers (none)" not at all. Doors, by their row or their
trait "door", are opened and closed with `handle`, the door for its `item`; the conditions "open" and "ajar"
say how one stands.

To prepare an explosive is to plant it: `at` is the grid corner at which it is set, `rounds` are those of its
timer.
"""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks import ranged_attacks, unarmed
from affray.engine.dialects.futurepath.conditions import declared_advantages
from affray.engine.dialects.futurepath.defense.things_as_cover import is_closed
from affray.engine.dialects.futurepath.gear import (
    doors,
    handling,
    objects,
    planted,
    repairs,
    sheets_of_things,
    things,
    throwables,
)
from affray.engine.dialects.futurepath.movement.postures import LOW
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import rolls
from affray.engine.record.compose import gather, refine, when
from affray.engine.record.gear import Gear
from affray.engine.rules.attacks.attack_roll import ATTACKER_STATE
from affray.engine.rules.classes.derived_statistics import on_sheet_so_far
from affray.engine.rules.gear.equip import as_given
from affray.engine.rules.gear.plain import PLAIN_GEAR
from affray.events.facts import acts

GEAR: Gear = replace(
    PLAIN_GEAR,
    families=frozenset({"", "bow", "crossbow", "sling", "spell", "firearm", "handgun", "longarm"}),
    postures=frozenset(LOW),
    unarmed_dice=unarmed.unarmed_dice,
    drawing=handling.by_move_action,
    refills=handling.is_emptied,
    doors=doors.doors_on_map,
    fills_place=is_closed,
    acts={
        **PLAIN_GEAR.acts,
        acts.Drop: Honours(handling.drop_freely, "item also"),
        acts.Draw: Honours(handling.draw_weapon, "item also"),
        acts.Handle: Honours(objects.handle, "item", what=tuple(objects.ROWS)),
        acts.Load: Honours(handling.reload_weapon, "item"),
        acts.Burst: Honours(things.break_by_force, "target"),
        acts.Repair: Honours(repairs.repair, "target item tools"),
        acts.Prepare: Honours(planted.plant, "item at rounds"),
    },
    rolls=rolls("1d4: corner", "misdirection", "1d20: repair, strength", "2d6: repaired"),
    equip=refine(
        as_given,
        on_sheet_so_far(sheets_of_things.thing_from_table),
        on_sheet_so_far(throwables.explosives_strike_nobody),
    ),
    corner_situation=gather(
        *ATTACKER_STATE,
        ranged_attacks.range_disadvantage,
        when("'prone' in attacker.conditions", ranged_attacks.shooting_prone),
        when("attacker.conditions", declared_advantages.unrelated_disadvantages),
    ),
)
