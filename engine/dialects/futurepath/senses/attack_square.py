"""Striking into a square where somebody unseen is thought to be."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks.defensively import fight_defensively
from affray.engine.dialects.futurepath.senses.concealment import GUESS, unseen_by
from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.held_weapons import strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.senses.guessed_square import strike_nobody, unseen_in_square
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts


def who_is_there(fight: Fight, act: acts.Attack) -> acts.Attack:
    """Return an attack into a square as one at whoever unseen stands there; as it is where nobody does.

    futurepath.concealment.total-guess-location.
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule(GUESS)
    if act.target:
        raise Refusal(f"a blow into a square is aimed at nobody, not at {act.target}", rule)
    there = unseen_in_square(fight, actor, act.at or actor.at, unseen_by(fight, actor), rule)
    return act if there is None else replace(act, target=there.id, at=None)


def strike_at_nobody(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack a square in which nobody stands: the wrong guess costs the attack.

    futurepath.concealment.total-guess-location.
    """
    actor = fight.combatant(act.actor)
    # What is thrown is gone afterwards.
    by_hand = strikes_in_melee(find_weapon(fight, actor, act.weapon)) and not act.thrown
    yield from strike_nobody(fight, act, act.at or actor.at, fight.rule(GUESS))
    if act.defensively:
        yield from fight_defensively(fight, actor, "melee" if by_hand else "ranged")
