"""The chapter on turns in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.turns import flow as own_flow
from affray.engine.record.turns import Turns
from affray.engine.rules.turns import flow
from affray.engine.rules.turns.plain import PLAIN_TURNS

TURNS: Turns = replace(
    PLAIN_TURNS,
    surprise=own_flow.surprise,
    order=own_flow.order_by_modifier,
    close_round=flow.close_round,
    open_turn=own_flow.open_turn_after_immediate,
    close_turn=flow.close_turn,
    allowance=own_flow.allowance_with_swift,
)
