"""The chapter on gear in woa: what stands at each point that is not plain.

A plan names what is meant: "draw", "draw-stowed", "draw-hidden", "handle", "handle-long", "grab", "shield",
"hurl". Where things are kept stands among the traits: "rope in the backpack", "gem securely stowed", "knife
hidden", "ladder takes both hands".
"""

from msgspec.structs import replace

from affray.engine.dialects.woa.gear import draw_and_sheathe, equip, handling, objects
from affray.engine.dialects.woa.position.posture import POSTURES
from affray.engine.dialects.woa.turns import free_actions, special_actions
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions
from affray.engine.record.compose import choose, refine, when
from affray.engine.record.gear import Gear
from affray.engine.rules.classes.derived_statistics import on_sheet_so_far
from affray.engine.rules.gear import grip
from affray.engine.rules.gear.equip import as_given
from affray.engine.rules.gear.plain import PLAIN_GEAR
from affray.engine.rules.mounted.couched_lance import couch_lance, is_lance_in_saddle
from affray.events.facts import acts

GEAR: Gear = replace(
    PLAIN_GEAR,
    postures=frozenset(POSTURES),
    questions=questions(
        "done: done, not yet",
        "draw: standard, move, free",
        "effective: half damage, full damage, no damage",
        "whose: <combatant>",
    ),
    families=frozenset({"", "bow", "crossbow", "natural", "polearm", "sling", "spell"}),
    acts={
        acts.Grip: Honours(choose(when("", couch_lance, holds=is_lance_in_saddle), grip.grip), "item hands"),
        acts.Drop: Honours(free_actions.drop, "item to"),
        acts.Draw: Honours(draw_and_sheathe.draw_item, "item also"),
        acts.Sheathe: Honours(draw_and_sheathe.sheathe, "item"),
        acts.Handle: Honours(handling.handle_item, "item what"),
        acts.Load: Honours(special_actions.load, "item"),
        acts.Burst: Honours(objects.burst, "target"),
    },
    frees_hand=draw_and_sheathe.has_free_hand,
    drawing=draw_and_sheathe.drawing,
    equip=refine(as_given, on_sheet_so_far(equip.superior_gear), on_sheet_so_far(equip.range_increments)),
)
