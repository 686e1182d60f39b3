"""How long a run can be kept up, and the rest after it (srd35.run.endurance, pf1.run)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.conditions import ConditionRule
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.rules.classes.ability_scores import lowered, score_now
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.steps import Refusal, Steps, onward
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC: Final = "run.endurance"
#: What running leaves behind, with the number of rounds as its level; and being out of breath after it.
EXERTED, WINDED = "exerted", "winded"


def run_while_breath_lasts(fight: Fight, act: acts.Run, running: Steps[None]) -> Steps[None]:
    """Run for the whole round, as long as the breath lasts (srd35.run.endurance, pf1.run).

    After as many rounds as the Constitution score each further one takes a Constitution check of a rising
    DC; who fails stops, and must rest before running again.
    """
    mover = fight.combatant(act.actor)
    before = mover.conditions[EXERTED].level if EXERTED in mover.conditions else 0
    further = before - (score_now(fight, mover, "con") or 0)
    # All that forbids the run comes before the check on whether it can be kept up.
    first = next(running)
    tired = mover.sheet.abilities.con is not None and further >= 0
    if tired and not (yield from keeps_running(fight, mover, further)):
        return
    yield from onward(running, first)
    rest = fight.state.round + fight.figure(TOPIC, "rest_rounds")
    yield ConditionGained(
        who=mover.id,
        condition=EXERTED,
        source="running",
        until=Until("turn-start", mover.id, rest),
        level=before + 1,
        cites=(fight.rule(TOPIC),),
    )


def keeps_running(fight: Fight, mover: Combatant, further: int) -> Steps[bool]:
    """Check whether a runner at the end of its breath goes on; `further` checks came before this one."""
    rule = fight.rule(TOPIC)
    dc = fight.figure(TOPIC, "dc") + further * fight.figure(TOPIC, "dc_step")
    parts = [Modifier(ability(mover.sheet, "con"), "ability", "Constitution", rule)]
    parts += lowered(fight, mover, "con")
    parts += fight.dialect.environment.hardy(fight, mover)
    if (yield from check(fight, mover, "constitution", parts, dc, rule, why="running on")):
        return True
    until = Until("turn-start", mover.id, fight.state.round + fight.figure(TOPIC, "rest_rounds"))
    yield ConditionGained(
        who=mover.id, condition=WINDED, source="run to the limit", until=until, cites=(rule,)
    )
    return False


def refuse_winded(fight: Fight, mover: Combatant, rushing: bool) -> None:
    """Refuse to those who rest from running anything beyond one move of their speed a round.

    srd35.run.endurance, pf1.run.
    """
    rest = fight.figure(TOPIC, "rest_multiple")
    if WINDED in mover.conditions and (rushing or mover.spent.get("move", 0) >= rest):
        raise Refusal(f"{mover.id} must rest from running", fight.rule(TOPIC))


CONDITIONS: Final = {
    EXERTED: ConditionRule(TOPIC),
    WINDED: ConditionRule(TOPIC, rushes=False),
}
