"""Moving, attacking and moving on in one go: what Spring Attack and Shot on the Run come to."""

from functools import partial

from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.held_weapons import strikes_in_melee
from affray.engine.rules.movement.walk_on import walk_on
from affray.engine.rules.opportunity.threatened_squares import endangers
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

SPRING, SHOT = "spring attack", "shot on the run"


def move_and_strike(fight: Fight, act: acts.Skirmish, weapon: Weapon, feat: str, rule: str) -> Steps[None]:
    """Go the first part of the way, attack, and go on, by a feat and its rule; all is found legal already.

    The target of a melee attack gets no attack of opportunity for it (srd35.feat.spring-attack,
    srd35.feat.shot-on-the-run, pf1.feat.spring-attack, pf1.feat.shot-on-the-run).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    melee = strikes_in_melee(weapon)
    spared = melee and any(
        endangers(fight, target, actor, at) for at in (actor.at, *act.path, *act.onward[:-1])
    )
    if spared:
        what = f"moving and attacking provokes nothing from {target.id}"
        yield RuleApplied(who=actor.id, what=what, cites=(rule,))

    def spare(step: int, enemy: Combatant) -> bool:
        return melee and enemy is target

    stop = (actor.at, *act.path)[-1]
    if act.path and not (
        yield from fight.dialect.movement.walk(fight, actor, act.path, feat, rule, spare=spare)
    ):
        return
    making = partial(fight.dialect.attacks.prepare, fight, actor, target, kind="attack")
    blow = yield from fight.dialect.attacks.blow_at_end(fight, actor, weapon, making)
    if blow is not None:
        yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)
    yield from walk_on(fight, actor, act.onward, feat, rule, here=stop, spare=spare)
