"""The coup de grace in Futurepath: at the helpless, and at those caught unaware."""

from affray.engine.dialects.futurepath.attacks.caught_unaware import (
    catch_unaware,
    may_be_caught,
    no_longer_unaware,
)
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.rules.attacks.critical_hits import immune_to_criticals
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Refusal, Steps, reciting
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent


def finish(fight: Fight, act: acts.CoupDeGrace, finishing: Steps[None]) -> Steps[None]:
    """Finish a helpless foe in melee, or with a shot from the next square; a full-round action.

    Somebody surprised may be at one's mercy, as the game master finds; whoever is in combat is not
    (futurepath.attack.helpless.melee-or-adjacent, futurepath.attack.coup-de-grace.immune,
    futurepath.condition.helpless.unaware-target, futurepath.condition.helpless.not-if-alert).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, actor, "full-round")
    if not is_helpless(fight, target):
        weapon = find_weapon(fight, actor, act.weapon)
        blow = fight.dialect.attacks.prepare(fight, actor, target, weapon, "coup de grace")
        if not may_be_caught(fight, blow):
            alert = fight.rule("futurepath.condition.helpless.not-if-alert")
            raise Refusal(f"{target.id} is not helpless", alert)
        if immune_to_criticals(fight, blow):
            immune = fight.rule("futurepath.attack.coup-de-grace.immune")
            raise Refusal(f"{target.id} is immune to critical hits", immune)
        if not (yield from catch_unaware(fight, blow)):
            return
    allowed = fight.rule("futurepath.attack.helpless.melee-or-adjacent")
    yield from reciting(finishing, ActionSpent, allowed)
    yield from no_longer_unaware(fight, target, "attacked")
