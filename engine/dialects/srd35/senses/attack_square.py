"""Striking into a square where an unseen enemy is thought to be (srd35.concealment.total-attack-square)."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.mounted import mounted_attacks
from affray.engine.dialects.srd35.senses.concealment import look
from affray.engine.fight.fight import Fight
from affray.engine.rules.attacks.line_up_blow import line_up
from affray.engine.rules.gear.substances import SPLASH
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.senses.guessed_square import strike_nobody, unseen_in_square
from affray.engine.steps import Steps
from affray.events.facts import acts

SQUARE = "srd35.concealment.total-attack-square"


def attack_creature_or_square(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack somebody, or with `at` whoever unseen may be in a square."""
    if act.aim:
        return line_up(fight, act)
    if act.at is None or SPLASH in find_weapon(fight, fight.combatant(act.actor), act.weapon).traits:
        return mounted_attacks.attack_by_rider_or_mount(fight, act)
    return attack_guessed_square(fight, act, act.at)


def attack_guessed_square(fight: Fight, act: acts.Attack, at: tuple[int, int]) -> Steps[None]:
    """Strike into a square where somebody unseen may be: a wrong guess costs the attack.

    srd35.concealment.total-attack-square, srd35.attack-action.ranged, srd35.actions-table.standard.
    """
    actor, rule = fight.combatant(act.actor), fight.rule(SQUARE)
    there = unseen_in_square(fight, actor, at, lambda one: look(fight, actor, one, True).unseen, rule)
    if there is None:
        yield from strike_nobody(fight, act, at, rule)
    else:
        named = replace(act, target=there.id, at=None)
        yield from mounted_attacks.attack_by_rider_or_mount(fight, named)
