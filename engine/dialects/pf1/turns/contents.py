"""The chapter on turns in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.damage import healing
from affray.engine.dialects.pf1.turns import flow as own_flow
from affray.engine.record.compose import about, prohibit, refine, when
from affray.engine.record.turns import Turns
from affray.engine.rules.turns import allowance, flow, prohibitions
from affray.engine.rules.turns.plain import PLAIN_TURNS
from affray.events.facts import acts

TURNS: Turns = replace(
    PLAIN_TURNS,
    surprise=own_flow.surprise,
    close_round=flow.close_round,
    open_turn=refine(PLAIN_TURNS.open_turn, own_flow.count_immediate_action),
    close_turn=flow.close_turn,
    allowance=refine(allowance.allowance, when("found.total", own_flow.add_swift_action)),
    prohibitions=prohibit(
        about((acts.Delay, acts.Resume, acts.Ready), prohibitions.refuse_change_of_initiative),
    ),
    turn_onset=healing.turn_onset,
)
