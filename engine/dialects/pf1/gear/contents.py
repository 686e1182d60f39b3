"""The chapter on gear in pf1: what stands at each point that is not plain.

`thing = {table = "good wooden door"}` or `thing = {substance = "stone", inches = 6}` makes a sheet that of an
object, with the hardness, hit points and breaking DC of the tables, which are those of 3.5.

A weapon may name the row of a table of Pathfinder's own, for its figures and qualities: `{name = "star",
damage = "", table = "starknife"}`, `{name = "flail", damage = "1d8", table = "flail"}`, and for its damage by
size a natural one: `{name = "jaws", damage = "", table = "bite"}`.

What is worn names a row of the armor table, that of 3.5 but for some bonuses: `worn = ["full plate", "tower
shield", {name = "targe", table = "buckler"}]`. The parts of Armor Class, the check penalty, the cap on
Dexterity and the speed in it come from there.

A weapon with the trait "splash" breaks where it is thrown and splashes; what it does says its name: "acid",
"alchemist's fire", "holy water", "oil flask", "tanglefoot bag", "thunderstone". Another one does its own
damage. `at` is the corner of squares at which it is thrown instead of a target. A net has the traits
"entangle" and "touch", and "unfolded" if it has to be folded first.
"""

from msgspec.structs import replace

from affray.engine.dialects.pf1.attacks import attack_modifiers
from affray.engine.dialects.pf1.classes import fighter
from affray.engine.dialects.pf1.gear import broken, shields, splashes, tower_shield, weapon_rows
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import choose, first, gather, refine, steps, when
from affray.engine.record.gear import Gear
from affray.engine.record.other_fields import UNSAID
from affray.engine.rules.attacks.attack_roll import ATTACKER_STATE
from affray.engine.rules.classes.derived_statistics import as_printed, on_sheet_so_far
from affray.engine.rules.conditions import fascination
from affray.engine.rules.environment.burning import extinguish
from affray.engine.rules.gear import (
    armor_table,
    caltrops,
    draw_and_sheathe,
    grip,
    handle_things,
    handling,
    nets,
    object_creature,
    special_substances,
    splash_weapons,
    splash_weapons_in_hand,
    tanglefoot,
)
from affray.engine.rules.gear.plain import PLAIN_GEAR
from affray.engine.rules.magic import touch_of_charge
from affray.engine.rules.mounted.couched_lance import couch_lance, is_lance_in_saddle
from affray.engine.rules.turns import minor_acts
from affray.events.facts import acts

GEAR: Gear = replace(
    PLAIN_GEAR,
    rolls=PLAIN_GEAR.rolls
    | rolls("1d20: caltrops, escape artist, heal, strength", "1d8: misdirection", "1d100: ignites")
    | rolls("damage, rounds"),
    questions=PLAIN_GEAR.questions | questions("rope: let go, hold", "splash: <square>"),
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
        acts.Load: Honours(
            choose(when("", nets.fold_net, holds=nets.is_to_be_folded), minor_acts.load), "item"
        ),
        acts.Prepare: Honours(special_substances.prepare_oil, "item at"),
        acts.Extinguish: Honours(
            first(special_substances.extinguish_flask, extinguish),
            "target water rolling",
            under={"rolling": {"water": UNSAID}},
        ),
        acts.BreakFree: Honours(tanglefoot.break_free, "weapon"),
        acts.TendFeet: Honours(caltrops.tend_feet, "target"),
        acts.Burst: Honours(object_creature.burst, "target tool helpers"),
        acts.Shelter: Honours(tower_shield.shelter, "way"),
    },
    doors=object_creature.doors_on_map,
    equip=refine(
        as_printed,
        on_sheet_so_far(armor_table.with_table_armor),
        when("", on_sheet_so_far(armor_table.slowed_by_armor), holds=fighter.is_slowed_in_armor),
        on_sheet_so_far(shields.rules_of_shields),
        on_sheet_so_far(object_creature.thing_from_table),
        on_sheet_so_far(weapon_rows.with_own_rows),
    ),
    tool_parts=broken.tool_parts,
    hurled=splash_weapons_in_hand.as_hurled,
    corner_situation=gather(
        *ATTACKER_STATE,
        when("attacker.sheet.armor", shields.on_attack),
        attack_modifiers.range_penalty,
    ),
    splash_centre=choose(
        when("target.space > 1", splashes.chosen_square_of_target), splash_weapons.whole_target
    ),
)
