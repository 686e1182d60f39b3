"""The chapter on turns in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.turns import action_budget, flow
from affray.engine.record.acts import Honours
from affray.engine.record.turns import Turns
from affray.engine.rules.turns.plain import PLAIN_TURNS
from affray.events.facts import acts

TURNS: Turns = replace(
    PLAIN_TURNS,
    acts={
        **PLAIN_TURNS.acts,
        acts.Ready: Honours(flow.ready, "trigger then"),
    },
    surprise=flow.surprise,
    initiative=flow.roll_initiative,
    order=flow.order_by_dexterity,
    open_round=flow.open_round,
    close_round=flow.close_round,
    open_turn=flow.open_turn,
    close_turn=flow.close_turn,
    allowance=action_budget.allowance,
)
