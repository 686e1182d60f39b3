"""Striking into a square where somebody unseen is thought to be."""

from affray.engine.dialects.futurepath.attacks import attack_action
from affray.engine.dialects.futurepath.attacks.attack_roll import refuse_defending
from affray.engine.dialects.futurepath.senses.concealment import GUESS, unseen_by
from affray.engine.fight.fight import Fight
from affray.engine.rules.senses.guessed_square import strike_guessed_square, unseen_in_square
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Steps
from affray.events.facts import acts


def attack_square(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack whoever unseen may be in a square: a wrong guess costs the attack.

    futurepath.concealment.total-guess-location.
    """
    actor, rule = fight.combatant(act.actor), fight.rule(GUESS)
    refuse_unless_allowed(fight, actor, "standard")
    refuse_defending(fight, actor)
    at = act.at or actor.at
    there = unseen_in_square(fight, actor, at, unseen_by(fight, actor), rule)
    yield from strike_guessed_square(fight, act, at, there, rule, attack_action.attack)
    if there is None and act.defensively:
        yield from attack_action.fight_defensively(fight, actor, "melee")
