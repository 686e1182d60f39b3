"""Striking into a square where an unseen enemy is thought to be (srd35.concealment.total-attack-square)."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.mounted import mounted_attacks
from affray.engine.dialects.srd35.senses.concealment import look
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.distance import distance_ft
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.declared_blow import refuse_empty, refuse_to_shoot
from affray.engine.rules.attacks.line_up_blow import line_up
from affray.engine.rules.gear.held_weapons import melee_band, strikes_in_melee
from affray.engine.rules.gear.substances import SPLASH
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.place import in_band
from affray.engine.rules.senses.guessed_square import unseen_in_square
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ResourceSpent
from affray.events.facts.flow import RuleApplied

SQUARE = "srd35.concealment.total-attack-square"


def attack_creature_or_square(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack somebody, or with `at` whoever unseen may be in a square."""
    if act.aim:
        return line_up(fight, act)
    if act.at is None or SPLASH in find_weapon(fight, fight.combatant(act.actor), act.weapon).traits:
        return mounted_attacks.attack_by_rider_or_mount(fight, act)
    return strike_guessed_square(fight, act, act.at)


def strike_guessed_square(fight: Fight, act: acts.Attack, at: tuple[int, int]) -> Steps[None]:
    """Strike into a square where somebody unseen may be: a wrong guess costs the attack."""
    actor, rule = fight.combatant(act.actor), fight.rule(SQUARE)
    there = unseen_in_square(fight, actor, at, lambda one: look(fight, actor, one, True).unseen, rule)
    if there is not None:
        yield from mounted_attacks.attack_by_rider_or_mount(fight, replace(act, target=there.id, at=None))
        return
    weapon = find_weapon(fight, actor, act.weapon)
    melee = strikes_in_melee(weapon) and not (act.thrown and weapon.thrown)
    if melee and not in_band(actor.at, actor.space, at, 1, *melee_band(actor, weapon)):
        raise Refusal(f"{at[0]},{at[1]} is out of reach", rule)
    blow = Blow(actor, actor, weapon, melee, distance_ft(actor.at, at, actor.space, 1))
    blow.outcome.landed = at
    if not melee:
        refuse_empty(fight, actor, weapon)
        refuse_to_shoot(fight, actor, weapon)
    yield spending(fight, actor, "standard", "attack", rule)
    if not melee and threatening(fight, actor):
        shot = fight.rules("srd35.attack-action.ranged", "srd35.actions-table.standard")
        name = f"shot:{fight.declaration}"
        yield from fight.dialect.opportunity.provoke(
            fight, actor, threatening(fight, actor), "shoots while threatened", name, *shot
        )
        if is_down(fight, actor) or (weapon.name not in actor.held and weapon.wield != "natural"):
            return
    if not melee and weapon.ammunition is not None:
        cites = fight.rules("weapon.ammunition")
        yield ResourceSpent(who=actor.id, resource=weapon.name, amount=1, cites=cites)
    yield Roll(actor.id, "attack", "1d20")
    yield RuleApplied(who=actor.id, what=f"strikes at nobody in {at[0]},{at[1]}", cites=(rule,))
    if not melee:
        yield from fight.dialect.attacks.after_blow(fight, blow, False)
