"""The chapter on turns in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.damage import fast_healing
from affray.engine.dialects.srd35.damage.injury import bleed_out_together
from affray.engine.dialects.srd35.mounted import airborne_mounts
from affray.engine.dialects.srd35.mounted import stay_mounted as srd35_stay_mounted
from affray.engine.dialects.srd35.prohibitions import CHECKS
from affray.engine.dialects.srd35.turns import (
    action_budget,
    course_of_turn,
    delay_and_ready,
    surprise,
)
from affray.engine.record.acts import Honours
from affray.engine.record.compose import steps
from affray.engine.record.conditions import known_conditions
from affray.engine.record.turns import Turns
from affray.engine.rules.classes.sheet_words import SHEET
from affray.engine.rules.turns import delay_and_ready as shared_ready
from affray.engine.rules.turns import flow, initiative
from affray.engine.rules.turns.plain import PLAIN_TURNS
from affray.events.facts import acts

TURNS: Turns = replace(
    PLAIN_TURNS,
    acts={
        **PLAIN_TURNS.acts,
        acts.Ready: Honours(shared_ready.ready, "trigger then step"),
        acts.Enter: Honours(
            airborne_mounts.enter_in_the_air,
            "id side at hp nonlethal held initiative acted policy riding",
            conditions=known_conditions,
            sheet=SHEET,
        ),
        acts.Delay: Honours(delay_and_ready.delay),
        acts.Resume: Honours(delay_and_ready.resume),
        acts.Split: Honours(action_budget.split, "then"),
    },
    surprise=surprise.surprise,
    order=initiative.set_order,
    close_round=steps(bleed_out_together, flow.close_round),
    open_turn=course_of_turn.open_turn_with_what_is_due,
    close_turn=course_of_turn.close_turn_with_what_is_due,
    allowance=action_budget.allowance_by_options,
    table_rules=action_budget.rated,
    told_safe=action_budget.safe,
    short_step_rules=action_budget.still,
    free_action_limit=action_budget.reasonable,
    take_readied=delay_and_ready.interrupt,
    watch=srd35_stay_mounted.watch_seats,
    prohibitions=CHECKS,
    turn_onset=fast_healing.turn_onset,
)
