"""The chapter on gear in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks import unarmed
from affray.engine.dialects.futurepath.gear import handling, objects
from affray.engine.dialects.futurepath.movement.postures import LOW
from affray.engine.record.acts import Honours
from affray.engine.record.gear import Gear
from affray.engine.rules.gear.plain import PLAIN_GEAR
from affray.events.facts import acts

GEAR: Gear = replace(
    PLAIN_GEAR,
    families=frozenset({"", "bow", "crossbow", "sling", "spell", "firearm", "handgun", "longarm"}),
    postures=frozenset(LOW),
    unarmed_dice=unarmed.unarmed_dice,
    drawing=handling.by_move_action,
    acts={
        **PLAIN_GEAR.acts,
        acts.Drop: Honours(handling.drop_freely, "item also"),
        acts.Draw: Honours(handling.draw_weapon, "item also"),
        acts.Handle: Honours(objects.handle, "item", what=tuple(objects.ROWS)),
        acts.Load: Honours(handling.reload_weapon, "item"),
    },
)
