"""The chapter on turns in woa: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.woa.mounted import riding
from affray.engine.dialects.woa.movement import checks_when_struck, movement_rules
from affray.engine.dialects.woa.prohibitions import CHECKS
from affray.engine.dialects.woa.turns import (
    cycle,
    declared_actions,
    initiative,
    ready,
    special_actions,
    split_full_round,
    tactics,
)
from affray.engine.dialects.woa.turns.declared_actions import keeping
from affray.engine.dialects.woa.turns.speech import speak
from affray.engine.record.turns import Turns
from affray.engine.rules.turns import flow
from affray.engine.rules.turns.plain import PLAIN_TURNS
from affray.events.facts import acts

TURNS: Turns = replace(
    PLAIN_TURNS,
    acts={
        acts.Enter: riding.enter,
        acts.Begin: flow.begin,
        acts.Plan: cycle.declare,
        acts.EndTurn: cycle.end_turn,
        acts.Split: keeping(split_full_round.split),
        acts.Ready: keeping(ready.ready),
        acts.Refocus: keeping(special_actions.refocus),
        acts.Speak: speak,
        acts.Delay: cycle.delay,
        acts.Close: movement_rules.close,
    },
    surprise=cycle.surprise,
    initiative=initiative.initiative,
    order=cycle.order,
    open_round=cycle.open_round,
    close_round=cycle.close_round,
    open_turn=cycle.open_turn,
    close_turn=cycle.close_turn,
    allowance=declared_actions.allowance,
    ending_rule=cycle.ending,
    propose=tactics.next_act,
    watch=checks_when_struck.attend,
    prohibitions=CHECKS,
)
