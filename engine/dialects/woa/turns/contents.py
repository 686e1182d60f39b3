"""The chapter on turns in woa: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.woa.around_acts import AROUND
from affray.engine.dialects.woa.magic import casting
from affray.engine.dialects.woa.mounted import riding
from affray.engine.dialects.woa.movement import checks_when_struck, movement_rules
from affray.engine.dialects.woa.prohibitions import CHECKS
from affray.engine.dialects.woa.turns import (
    cycle,
    declared_actions,
    free_actions,
    initiative,
    ready,
    special_actions,
    split_full_round,
    tactics,
)
from affray.engine.record.acts import Honours
from affray.engine.record.compose import steps
from affray.engine.record.conditions import known_conditions
from affray.engine.record.turns import Turns
from affray.engine.rules.classes.sheet_words import SHEET
from affray.engine.rules.turns import flow
from affray.engine.rules.turns.plain import PLAIN_TURNS
from affray.events.facts import acts

TURNS: Turns = replace(
    PLAIN_TURNS,
    acts={
        acts.Enter: Honours(
            riding.enter_in_the_saddle,
            "id side at hp nonlethal held initiative acted policy riding",
            conditions=known_conditions,
            sheet=SHEET,
        ),
        acts.Begin: Honours(flow.begin, "unaware round turn ambushes"),
        acts.Plan: Honours(cycle.declare, "actions after ready"),
        acts.EndTurn: Honours(cycle.end_turn),
        acts.Split: Honours(split_full_round.split, "then"),
        acts.Ready: Honours(ready.ready, "trigger then step"),
        acts.Refocus: Honours(special_actions.refocus),
        acts.Speak: Honours(free_actions.speak, "words"),
        acts.Delay: Honours(cycle.delay),
        acts.Close: Honours(movement_rules.close_with_pursuit, "reason"),
    },
    surprise=cycle.settle_awareness,
    initiative=initiative.roll_initiative,
    order=cycle.set_order,
    open_round=cycle.open_round,
    close_round=steps(casting.end_round_of_magic, cycle.close_round),
    open_turn=cycle.open_turn,
    close_turn=steps(casting.end_turn_of_magic, cycle.close_turn),
    allowance=declared_actions.allowance,
    ending_rule=cycle.ending_rule,
    propose=tactics.next_act,
    watch=checks_when_struck.watch_consequences,
    prohibitions=CHECKS,
    around=AROUND,
)
