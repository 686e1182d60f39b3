"""The plain values of the chapter on turns: complete, for a dialect to start from."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import choose, prohibit, steps, when
from affray.engine.record.conditions import known_conditions
from affray.engine.record.silent import always, no_rules, nobody, none, nothing
from affray.engine.record.turns import Turns
from affray.engine.rules.classes.sheet_words import POLICIES, SHEET
from affray.engine.rules.turns import (
    allowance,
    arriving,
    delay,
    delay_and_ready,
    expiry,
    fiat,
    flow,
    initiative,
    minor_acts,
)
from affray.engine.rules.turns.action_types import COMMON, by_table
from affray.engine.rules.turns.delay_and_ready import TRIGGER, take_readied
from affray.engine.rules.turns.free_actions import free_action
from affray.engine.rules.turns.readiable import types_of_text
from affray.engine.rules.turns.start_states import OF_CONDITIONS, refuse_spared_nonlethal
from affray.engine.steps import Steps
from affray.events.facts import acts


def no_watch(fight: Fight, steps: Steps[None]) -> Steps[None]:
    """Return the steps of a declaration as they are: for dialects in which nothing follows from its facts."""
    return steps


#: What the game master may set in every dialect.
FIAT: Final = Honours(
    fiat.fiat, "target hp at initiative text", gains=known_conditions, loses=known_conditions
)

PLAIN_TURNS = Turns(
    rolls=rolls("1d20: initiative, roll-off"),
    questions=questions("ready: act, wait"),
    acts={
        acts.Enter: Honours(
            steps(
                when("nonlethal", refuse_spared_nonlethal),
                choose(when("carried", arriving.arrive), minor_acts.enter),
            ),
            "id side at hp nonlethal held initiative acted by levels used unloaded origin carried",
            refuses="riding",
            under=OF_CONDITIONS,
            conditions=known_conditions,
            policy=POLICIES,
            sheet=SHEET,
        ),
        acts.Begin: Honours(flow.begin, "unaware round turn"),
        acts.EndTurn: Honours(flow.end_turn),
        acts.Delay: Honours(delay.delay, "count"),
        acts.Resume: Honours(delay.resume),
        acts.Ready: Honours(delay_and_ready.ready, "then step", trigger=TRIGGER),
        acts.Speak: Honours(minor_acts.speak, "words"),
        acts.Close: Honours(flow.close, "reason"),
        acts.Fiat: FIAT,
    },
    surprise=nothing,
    initiative=initiative.roll_initiative,
    order=initiative.set_order,
    open_round=flow.open_round,
    close_round=flow.close_round,
    open_turn=choose(when(flow.RESUMED, flow.resume_turn), steps(*flow.FRESH_TURN)),
    close_turn=flow.close_turn,
    allowance=allowance.allowance,
    ending_rule=expiry.by_duration,
    propose=none,
    table_rules=no_rules,
    told_safe=nothing,
    short_step_rules=no_rules,
    free_action=free_action,
    free_action_limit=always,
    take_readied=take_readied,
    watch=no_watch,
    action_type=by_table(COMMON),
    readiable=types_of_text,
    prohibitions=prohibit(),
    around=(),
    turn_onset=nothing,
    last_turn=nobody,
    precedence=delay.by_modifier,
)
