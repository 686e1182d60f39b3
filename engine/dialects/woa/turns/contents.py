"""The chapter on turns in woa: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.woa.around_acts import AROUND
from affray.engine.dialects.woa.damage import rest
from affray.engine.dialects.woa.grapple import start_in_grapple
from affray.engine.dialects.woa.magic import casting
from affray.engine.dialects.woa.mounted import riding
from affray.engine.dialects.woa.movement import checks_when_struck, pursuit
from affray.engine.dialects.woa.prohibitions import PROHIBITIONS
from affray.engine.dialects.woa.turns import (
    action_types,
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
from affray.engine.record.chapter import questions
from affray.engine.record.compose import amend, choose, prohibit, refine, steps, when
from affray.engine.record.conditions import known_conditions
from affray.engine.record.turns import Turns
from affray.engine.rules.classes.sheet_words import POLICIES, SHEET
from affray.engine.rules.magic import long_castings
from affray.engine.rules.mounted.riding import at_the_mount, refuse_saddle
from affray.engine.rules.turns import arriving, flow, minor_acts, start_states
from affray.engine.rules.turns import initiative as shared_initiative
from affray.engine.rules.turns.action_types import by_table
from affray.engine.rules.turns.delay_and_ready import TRIGGER
from affray.engine.rules.turns.plain import FIAT, PLAIN_TURNS
from affray.engine.rules.turns.start_states import GRIPS, OF_CONDITIONS_AND_GRAPPLE
from affray.events.facts import acts

TURNS: Turns = replace(
    PLAIN_TURNS,
    questions=PLAIN_TURNS.questions
    | questions(
        "extended-watch: no check, check",
        "free-limit: allow, refuse",
        "invalidated: similar action, move only, nothing",
        "missed: act, continue, abandon",
        "speech: said, another round",
    ),
    acts={
        acts.Enter: Honours(
            steps(
                when("riding", refuse_saddle),
                when("grapples", start_in_grapple.refuse_start_in_grapple),
                amend(
                    when("riding", at_the_mount),
                    when("grapples", start_states.at_the_opponent),
                    choose(when("carried", arriving.arrive), minor_acts.enter),
                ),
                when("riding", riding.take_saddle),
                when("grapples", start_in_grapple.start_in_grapple),
            ),
            "id side at hp held initiative acted riding by levels used grapples unloaded origin carried",
            under=OF_CONDITIONS_AND_GRAPPLE,
            grip=GRIPS,
            conditions=known_conditions,
            policy=POLICIES,
            sheet=SHEET,
        ),
        acts.Begin: Honours(flow.begin, "unaware round turn ambushes"),
        acts.Plan: Honours(cycle.declare, "actions after ready"),
        acts.EndTurn: Honours(choose(when(cycle.DECLARING, cycle.close_declarations), flow.end_turn)),
        acts.Split: Honours(split_full_round.split, "then"),
        acts.Ready: Honours(ready.ready, "then step", trigger=TRIGGER),
        acts.Refocus: Honours(special_actions.refocus),
        acts.Speak: Honours(free_actions.speak, "words"),
        acts.Fiat: FIAT,
        acts.Delay: Honours(cycle.delay),
        acts.Close: Honours(
            refine(
                steps(
                    when("not actor and fight.state.begun and not fight.state.closed", rest.end_combat),
                    refine(flow.close, rest.cite_end),
                ),
                when(pursuit.FLIGHT, pursuit.settle_flight),
            ),
            "reason",
        ),
    },
    surprise=cycle.settle_awareness,
    initiative=initiative.roll_initiative,
    order=refine(shared_initiative.set_order, cycle.cite_turn_order),
    open_round=cycle.open_round,
    close_round=steps(casting.end_round_of_magic, cycle.close_round),
    open_turn=cycle.open_turn,
    close_turn=steps(
        when("brewing", casting.due_at_turn_end),
        when(f"'{long_castings.CONCENTRATING}' in conditions", casting.shaken_while_keeping_up),
        cycle.close_turn,
    ),
    take_readied=ready.take_readied,
    allowance=declared_actions.allowance,
    ending_rule=cycle.ending_rule,
    propose=tactics.next_act,
    free_action=free_actions.spend_free_action,
    watch=checks_when_struck.watch_consequences,
    action_type=by_table(action_types.TABLE),
    readiable=ready.readiable,
    prohibitions=prohibit(*PROHIBITIONS),
    around=AROUND,
)
