"""The chapter on conditions in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.conditions import declared_advantages
from affray.engine.dialects.futurepath.conditions.condition_table import STATES, TABLE
from affray.engine.record.conditions import Conditions
from affray.engine.rules.conditions.plain import PLAIN_CONDITIONS

CONDITIONS: Conditions = replace(PLAIN_CONDITIONS, table=TABLE, states=STATES, gain=declared_advantages.gain)
