"""Attacks on unseen targets: guessed squares and Blind-Fight."""

from collections.abc import Callable
from functools import partial

from affray.engine.fight.fight import NO_STRETCH, Fight
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import distance_ft
from affray.engine.kernel.places import footprint, in_band, line_between, squares_of
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_roll import refuse_beyond_range
from affray.engine.rules.attacks.declared_blow import refuse_empty, refuse_to_shoot
from affray.engine.rules.attacks.miss_chance import is_missed
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.gear.hands import melee_band, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon, refuse_lost_weapon
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.actions import spending
from affray.engine.rules.turns.delay_and_ready import footing, goes_on, triggered
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ResourceSpent
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

# --- Blind-Fight: a second chance for a melee blow that missed by concealment

BLIND_FIGHT = "feat.blind-fight"


def strikes_home(fight: Fight, blow: Blow, percent: int, why: str) -> Steps[bool]:
    """Let Blind-Fight reroll a melee blow that missed by concealment; return whether it hits now.

    srd35.feat.blind-fight, pf1.feat.blind-fight.
    """
    attacker, target = blow.attacker, blow.target
    if not blow.melee or not has_feat(attacker, "blind-fight"):
        return False
    for _ in range(fight.figure(BLIND_FIGHT, "reroll")):
        again, rule = f"{why}; Blind-Fight", fight.rule(BLIND_FIGHT)
        if not (yield from is_missed(attacker, target, percent, again, rule, purpose="blind-fight")):
            return True
    return False


# --- Attacks into a square where the attacker guesses an unseen target, and their actual target


def unseen_in_square(
    fight: Fight, attacker: Combatant, at: Square, unseen: Callable[[Combatant], bool], rule: str
) -> Combatant | None:
    """Return the unseen occupant of a square, an enemy first, friends too; None if the guess is wrong.

    Refuses a square whose occupants the attacker sees: they are attacked by name
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
    """Attack a square without an unseen occupant: the wrong guess costs the attack.

    `rule` says that the square has to be guessed (srd35.concealment.total-attack-square,
    futurepath.concealment.total-guess-location).

    futurepath.aoo.distracting-action, futurepath.table.actions.attack, futurepath.attack.firearm.single-shot.
    """
    actor = fight.combatant(act.actor)
    weapon = find_weapon(fight, actor, act.weapon)
    melee = strikes_in_melee(weapon) and not (act.thrown and weapon.thrown)
    blow = Blow(actor, actor, weapon, melee, distance_ft(actor.at, at, actor.space, 1))
    blow.outcome.landed = at
    again = partial(refuse_to_strike_into, fight, blow, at, rule)
    again()
    yield spending(fight, actor, "standard", "attack", rule)
    before = footing(fight, actor)
    yield from triggered(fight, actor, "attacks")
    if not (yield from goes_on(fight, before, again, "the attack")):
        return
    if not melee and threatening(fight, actor):
        shot = fight.rules("attack-action.ranged", "actions-table.standard")
        name = f"shot:{fight.declaration}"
        before = footing(fight, actor)
        yield from fight.dialect.opportunity.provoke(
            fight, actor, threatening(fight, actor), "shoots while threatened", name, *shot
        )
        if not (yield from goes_on(fight, before, again, "the attack")):
            return
    if not melee and weapon.ammunition is not None:
        cites = fight.rules("weapon.ammunition")
        yield ResourceSpent(who=actor.id, resource=weapon.name, amount=1, cites=cites)
    yield Roll(actor.id, "attack", "1d20")
    yield RuleApplied(who=actor.id, what=f"strikes at nobody in {at[0]},{at[1]}", cites=(rule,))
    if not melee:
        yield from fight.dialect.attacks.after_blow(fight, blow, False)


def refuse_to_strike_into(fight: Fight, blow: Blow, at: Square, rule: str) -> None:
    """Refuse a blow into a square off the map, out of reach or range, or without a line of effect to it.

    srd35.cover.total-no-attack, pf1.cover.total, futurepath.attack.ranged.line-of-sight.
    """
    attacker, weapon = blow.attacker, blow.weapon
    refuse_lost_weapon(fight, attacker, weapon)
    if not fight.field.holds(at, 1):
        raise Refusal(f"{at[0]},{at[1]} is off the map", rule)
    blow.distance = distance_ft(attacker.at, at, attacker.space, 1)
    if blow.melee and not in_band(attacker.at, attacker.space, at, 1, *melee_band(attacker, weapon)):
        raise Refusal(f"{at[0]},{at[1]} is out of reach", rule)
    if not line_between(fight, *footprint(attacker), at, 1, NO_STRETCH):
        raise Refusal(
            f"{attacker.id} has no line of effect to {at[0]},{at[1]}", fight.rule("cover.total-no-attack")
        )
    if not blow.melee:
        refuse_beyond_range(fight, blow, f"{at[0]},{at[1]}")
        refuse_empty(fight, attacker, weapon)
        refuse_to_shoot(fight, attacker, weapon)
