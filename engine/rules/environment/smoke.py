"""Heavy smoke: it chokes and conceals (srd35.hazard.smoke, pf1.hazard.ref)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.conditions import ConditionRule
from affray.engine.record.environment import Danger
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.conditions.condition_rules import come_over
from affray.engine.rules.conditions.immunities import SUFFOCATION, immunity_to
from affray.engine.rules.environment.hazard_damage import deal_hazard_damage
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.projections.state import Combatant

SMOKE: Final = "hazard.smoke"
"""srd35.hazard.smoke, pf1.hazard.ref."""
IN_SMOKE, CHOKING = "in smoke", "choking"


def into_smoke(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Stand in heavy smoke: each turn brings a save against choking (srd35.hazard.smoke, pf1.hazard.ref)."""
    yield ConditionGained(who=target.id, condition=IN_SMOKE, source="heavy smoke", cites=fight.rules(SMOKE))


def breathe_smoke(fight: Fight, victim: Combatant) -> Steps[None]:
    """Save against choking, at a DC that rises with each check; two choking rounds in a row do harm."""
    if fight.dialect.environment.untouched(fight, victim, "smoke") is not None:
        return
    if immunity_to(fight, victim, SUFFOCATION):
        return
    rule = fight.rule(SMOKE)
    state = victim.conditions[IN_SMOKE]
    dc = fight.figure(SMOKE, "dc") + state.level * fight.figure(SMOKE, "dc_step")
    extra = tuple(fight.dialect.environment.hardy(fight, victim))
    saved = yield from saving_throw(fight, victim, "fort", dc, "heavy smoke", rule, extra=extra)
    yield ConditionGained(
        who=victim.id, condition=IN_SMOKE, source=state.source, level=state.level + 1, cites=(rule,)
    )
    choked = victim.conditions[CHOKING].level if CHOKING in victim.conditions else 0
    if saved:
        if choked:
            yield ConditionLost(who=victim.id, condition=CHOKING, why="catches its breath", cites=(rule,))
        return
    choked += 1
    until = Until("turn-end", victim.id, fight.state.round + 1)
    gained = ConditionGained(
        who=victim.id, condition=CHOKING, source="smoke", until=until, level=choked, cites=(rule,)
    )
    yield from come_over(fight, gained)
    if choked % fight.figure(SMOKE, "rounds") == 0:
        notation, _, kind = fight.figure(SMOKE, "damage").partition(" ")
        yield from deal_hazard_damage(
            fight, victim, notation, "", "choking on smoke", rule, nonlethal=kind == "nonlethal"
        )


DANGER: Final = Danger(SMOKE, into_smoke, (IN_SMOKE, CHOKING))
CONDITIONS: Final = {
    IN_SMOKE: ConditionRule(SMOKE, veils=(SMOKE, "miss_pct"), each_turn=breathe_smoke),
    CHOKING: ConditionRule(SMOKE, actions="none"),
}
