"""The plain values of the chapter on turns: complete, for a dialect to start from."""

from affray.engine.fight.fight import Fight
from affray.engine.record.acts import Honours
from affray.engine.record.conditions import known_conditions
from affray.engine.record.turns import Turns
from affray.engine.rules.classes.sheet_words import SHEET
from affray.engine.rules.damage.plain import nothing_due
from affray.engine.rules.turns import (
    allowance,
    delay,
    delay_and_ready,
    expiry,
    flow,
    initiative,
    minor_acts,
)
from affray.engine.rules.turns.delay_and_ready import take_readied
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.acts import Begin
from affray.projections.state import Combatant


def unrated(fight: Fight, column: str, action: str, provokes: bool = True) -> tuple[str, ...]:
    """Cite no table of actions: for dialects that have another one."""
    return ()


def untold(fight: Fight, who: Combatant, column: str, action: str, what: str) -> Steps[None]:
    """Say nothing of actions that provoke nobody."""
    return
    yield


def no_rules(fight: Fight, who: Combatant) -> tuple[str, ...]:
    """Cite no further rules for a short step."""
    return ()


def unlimited(fight: Fight, who: Combatant, what: str) -> Steps[bool]:
    """Let everybody take as many free actions as the dialect's own budget allows."""
    return True
    yield


def nobody_surprised(fight: Fight, act: Begin) -> Steps[None]:
    """Let everybody be aware of everybody as a fight begins."""
    return
    yield


def leave_alone(fight: Fight, steps: Steps[None]) -> Steps[None]:
    """Let a declaration take its course: nothing follows from one fact to the next."""
    return steps


PLAIN_TURNS = Turns(
    acts={
        acts.Enter: Honours(
            minor_acts.enter,
            "id side at hp nonlethal held initiative acted policy",
            refuses="riding",
            conditions=known_conditions,
            sheet=SHEET,
        ),
        acts.Begin: Honours(flow.begin, "unaware round turn"),
        acts.EndTurn: Honours(flow.end_turn),
        acts.Delay: Honours(delay.delay),
        acts.Resume: Honours(delay.resume),
        acts.Ready: Honours(delay_and_ready.ready, "trigger then"),
        acts.Speak: Honours(minor_acts.speak, "words"),
        acts.Close: Honours(flow.close, "reason"),
    },
    surprise=nobody_surprised,
    initiative=initiative.roll_initiative,
    order=initiative.set_order,
    open_round=flow.open_round,
    close_round=flow.close_round,
    open_turn=flow.open_turn,
    close_turn=flow.close_turn,
    allowance=allowance.allowance,
    ending_rule=expiry.by_duration,
    propose=flow.no_plans,
    table_rules=unrated,
    told_safe=untold,
    short_step_rules=no_rules,
    free_action_limit=unlimited,
    take_readied=take_readied,
    watch=leave_alone,
    prohibitions=(),
    around=(),
    turn_onset=nothing_due,
)
