"""The chapter on gear in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.record.acts import Honours
from affray.engine.record.compose import steps
from affray.engine.record.gear import Gear
from affray.engine.rules.conditions import fascination
from affray.engine.rules.gear import draw_and_sheathe, handle_things
from affray.engine.rules.gear import handling as shields
from affray.engine.rules.gear.plain import PLAIN_GEAR
from affray.engine.rules.magic import touch_of_charge
from affray.engine.rules.turns import minor_acts
from affray.events.facts import acts

GEAR: Gear = replace(
    PLAIN_GEAR,
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
        acts.Handle: Honours(handle_things.handle, "item", what=(*shields.BECOMES, *handle_things.WAYS)),
        acts.Load: Honours(minor_acts.load, "item"),
    },
)
