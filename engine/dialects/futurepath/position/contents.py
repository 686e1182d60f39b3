"""The chapter on position in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks import unarmed
from affray.engine.record.position import Position
from affray.engine.rules.position.plain import PLAIN_POSITION

POSITION: Position = replace(PLAIN_POSITION, reach_bands=unarmed.reach_bands)
