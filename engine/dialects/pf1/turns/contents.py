"""The chapter on turns in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.conditions import ability_loss
from affray.engine.dialects.pf1.damage import healing
from affray.engine.dialects.pf1.turns import flow as own_flow
from affray.engine.record.acts import Honours
from affray.engine.record.compose import about, prohibit, refine, steps, when
from affray.engine.record.conditions import known_conditions
from affray.engine.record.turns import Turns
from affray.engine.rules.classes.sheet_words import POLICIES, SHEET
from affray.engine.rules.conditions.ability_points import refuse_start_losses, start_losses
from affray.engine.rules.turns import allowance, flow, minor_acts, prohibitions, start_states
from affray.engine.rules.turns.plain import PLAIN_TURNS
from affray.engine.rules.turns.start_states import OF_CONDITIONS
from affray.events.facts import acts

TURNS: Turns = replace(
    PLAIN_TURNS,
    acts={
        **PLAIN_TURNS.acts,
        acts.Enter: Honours(
            steps(
                refuse_start_losses,
                when("nonlethal", start_states.refuse_spared_nonlethal),
                minor_acts.enter,
                start_losses(ability_loss.lose_ability_points),
            ),
            "id side at hp nonlethal held initiative acted by levels losses used unloaded",
            refuses="riding",
            under=OF_CONDITIONS,
            conditions=known_conditions,
            policy=POLICIES,
            sheet=SHEET,
        ),
    },
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
