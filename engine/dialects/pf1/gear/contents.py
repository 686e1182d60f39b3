"""The chapter on gear in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.record.acts import Honours
from affray.engine.record.gear import Gear
from affray.engine.rules.gear import draw_and_sheathe
from affray.engine.rules.gear.plain import PLAIN_GEAR
from affray.engine.rules.turns import minor_acts
from affray.events.facts import acts

GEAR: Gear = replace(
    PLAIN_GEAR,
    acts={
        **PLAIN_GEAR.acts,
        acts.Draw: Honours(draw_and_sheathe.draw_weapon, "item also"),
        acts.Load: Honours(minor_acts.load, "item"),
    },
)
