"""The chapter on gear in woa: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.woa.gear import draw_and_sheathe, equip, handling, objects
from affray.engine.dialects.woa.turns import free_actions, ready, special_actions
from affray.engine.dialects.woa.turns.declared_actions import keeping
from affray.engine.record.acts import Honours
from affray.engine.record.gear import Gear
from affray.engine.rules.gear.plain import PLAIN_GEAR
from affray.events.facts import acts

GEAR: Gear = replace(
    PLAIN_GEAR,
    families=frozenset({"", "bow", "crossbow", "natural", "polearm", "sling"}),
    acts={
        acts.Drop: Honours(ready.letting_go(keeping(free_actions.drop)), "item", "to"),
        acts.Draw: Honours(keeping(draw_and_sheathe.draw), "item", "also"),
        acts.Sheathe: Honours(ready.letting_go(keeping(draw_and_sheathe.sheathe)), "item"),
        acts.Handle: Honours(keeping(handling.handle), "item", "what"),
        acts.Load: Honours(keeping(special_actions.load), "item"),
        acts.Burst: Honours(keeping(objects.burst), "target"),
    },
    equip=equip.equip,
)
