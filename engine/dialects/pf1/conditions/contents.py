"""The chapter on conditions in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.conditions.bleed import BLEED, gain_bleed
from affray.engine.dialects.pf1.conditions.condition_table import STATES, TABLE
from affray.engine.record.compose import choose, when
from affray.engine.record.conditions import Conditions
from affray.engine.rules.conditions.plain import PLAIN_CONDITIONS

CONDITIONS: Conditions = replace(
    PLAIN_CONDITIONS,
    table=TABLE,
    states=STATES,
    leveled=frozenset({BLEED}),
    gain=choose(when(f"fact.condition == {BLEED!r}", gain_bleed), PLAIN_CONDITIONS.gain),
)
