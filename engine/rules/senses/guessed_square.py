"""Striking into a square where somebody unseen is thought to be, and who is struck by it."""

from collections.abc import Callable

from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import distance_ft
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.declared_blow import refuse_empty, refuse_to_shoot
from affray.engine.rules.gear.held_weapons import melee_band, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.place import in_band, squares_of
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ResourceSpent
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def unseen_in_square(
    fight: Fight, attacker: Combatant, at: Square, unseen: Callable[[Combatant], bool], rule: str
) -> Combatant | None:
    """Return who unseen stands in a square, an enemy first, friends too; None if the guess is wrong.

    Refuses a square where only those stand whom the attacker sees: they are attacked by name
    (srd35.concealment.total-attack-square, woa.concealment.total.blind-attack).
    """
    there = [
        one
        for one in fight.state.combatants.values()
        if one is not attacker and "dead" not in one.conditions and at in squares_of(one)
    ]
    hidden = [one for one in there if unseen(one)]
    if there and not hidden:
        raise Refusal(f"{there[0].id} is seen there: name it as the target", rule)
    return min(hidden, key=lambda one: one.side == attacker.side, default=None)


def strike_nobody(fight: Fight, act: acts.Attack, at: Square, rule: str) -> Steps[None]:
    """Strike into a square in which nobody unseen stands: the wrong guess costs the attack.

    `rule` says that the square has to be guessed (srd35.concealment.total-attack-square,
    futurepath.concealment.total-guess-location).

    futurepath.aoo.distracting-action, futurepath.table.actions.attack, futurepath.attack.firearm.single-shot.
    """
    actor = fight.combatant(act.actor)
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
        shot = fight.rules("attack-action.ranged", "actions-table.standard")
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
