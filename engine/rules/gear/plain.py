"""The plain values of the chapter on gear: complete, for a dialect to start from."""

from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions
from affray.engine.record.gear import Gear
from affray.engine.record.silent import never, no, no_parts, yes
from affray.engine.rules.gear import draw_and_sheathe, grip, splash_weapons
from affray.engine.rules.gear.draw_and_sheathe import quick_draw
from affray.engine.rules.gear.equip import as_given
from affray.engine.rules.gear.others_things import as_its_owner
from affray.engine.rules.gear.weapons_in_hand import as_wielded, bare_hand
from affray.engine.rules.turns import minor_acts
from affray.events.facts import acts

PLAIN_GEAR = Gear(
    acts={
        acts.Grip: Honours(grip.grip, "item hands"),
        acts.Drop: Honours(minor_acts.drop, "item"),
        acts.Sheathe: Honours(draw_and_sheathe.sheathe, "item"),
    },
    questions=questions("whose: <combatant>"),
    equip=as_given,
    drawing=quick_draw,
    hurled=as_wielded,
    unarmed_dice=bare_hand,
    tool_parts=no_parts,
    corner_situation=no_parts,
    splash_centre=splash_weapons.whole_target,
    stray_squares=splash_weapons.increments_thrown,
    spared_noise=never,
    doors=no_parts,
    fills_place=no,
    refills=no,
    frees_hand=yes,
    in_other_hands=as_its_owner,
    families=frozenset({"", "bow", "crossbow", "sling", "spell"}),
    materials=frozenset({""}),
    postures=frozenset({"prone"}),
)
