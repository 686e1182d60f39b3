"""Sunder: strike what an opponent holds, carries or wears (srd35.sunder.*, srd35.object.*)."""

from affray.engine.dialects.srd35.gear.item_hardness import Sturdiness, sturdiness
from affray.engine.dialects.srd35.grapple.restraints import cut_free
from affray.engine.dialects.srd35.maneuvers.opposed_checks import attack_roll_of, beats_opposed
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Intent
from affray.engine.record.maneuvers import Attempt, Substitute
from affray.engine.rules.classes.ability_modifiers import ability, has_feat
from affray.engine.rules.classes.ability_scores import lowered
from affray.engine.rules.gear.chosen_weapon import choose_weapon
from affray.engine.rules.gear.held_weapons import held_weapons, strikes_in_melee
from affray.engine.rules.gear.item_hardness import Durability, is_held
from affray.engine.rules.gear.let_go import lose
from affray.engine.rules.gear.strike_object import batter, item_struck, reach_thing
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.maneuvers.attempts import melee_attempt, provoke_from_target, still_possible
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

OPPOSED = "srd35.sunder.opposed-rolls"


def sunder(fight: Fight, act: acts.Sunder) -> Steps[None]:
    """Strike at an opponent's weapon, shield or other object: a standard action."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    given = Sturdiness(act.size, act.hardness, act.hp, ()) if act.hp > 0 else None
    attempt = sunder_attempt(fight, actor, target, act.weapon, act.item, "attack")
    thing = what_is_struck(fight, target, attempt.item, given)
    yield spending(
        fight,
        actor,
        "standard",
        "sunder",
        *fight.rules("srd35.sunder.attack", "srd35.actions-table.standard"),
    )
    yield from strike_at(fight, attempt, thing)


def plan_sunder(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to sunder in place of another attack, where option `sunder_as_attack` allows it."""
    if fight.option("sunder_as_attack") != "melee-attack":
        raise Refusal("to sunder is a standard action of its own", fight.rule("srd35.actions-table.standard"))
    attempt = sunder_attempt(fight, attacker, target, weapon, item, kind)
    what_is_struck(fight, target, attempt.item, None)
    return attempt


def sunder_attempt(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to sunder. Refuses points, worn armor and what is out of reach."""
    rule = fight.rule("srd35.sunder.attack")
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot sunder what it holds itself", rule)
    with_ = find_weapon(fight, attacker, weapon)
    if with_.damage_type not in fight.figure("srd35.sunder.attack", "weapon_types"):
        raise Refusal(f"the {with_.name} neither slashes nor bludgeons", rule)
    blow = melee_attempt(fight, attacker, target, with_, kind, rule)
    armor = any(bonus.kind == "armor" and (bonus.source or "armor") == item for bonus in target.sheet.armor)
    if armor and target.items.get(item) != "doffed":
        raise Refusal("armor that is worn cannot be sundered", fight.rule("srd35.sunder.no-worn-armor"))
    in_hand = (one.name for one in held_weapons(target) if one.wield not in ("natural", "unarmed"))
    item = item or next(in_hand, "")
    if not item or target.items.get(item) in ("dropped", "broken", "gone"):
        raise Refusal(f"{target.id} has no {item or 'weapon in hand'} to strike at", rule)
    return Attempt(blow, item, name=fight.declaration)


def what_is_struck(fight: Fight, target: Combatant, item: str, given: Sturdiness | None) -> Sturdiness:
    """Return how sturdy the object is: by the table, or as the declaration says. Refuses the unknown."""
    if given is not None and not is_held(target, item):
        return given
    found = sturdiness(fight, target, item)
    if found is None:
        raise Refusal(
            f"the hardness and hit points of the {item} are in no table: declare them",
            fight.rule("srd35.object.hardness"),
        )
    return found


def carry_out_sunder(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Make the attempt in place of another attack, which a contested reading allows."""
    blow = attempt.blow
    yield RuleApplied(
        who=blow.attacker.id,
        what="sunder in place of an attack (sunder_as_attack: melee-attack)",
        cites=fight.rules("srd35.aoo.substitutes", "srd35.sunder.attack"),
    )
    thing = what_is_struck(fight, blow.target, attempt.item, None)
    return (yield from strike_at(fight, attempt, thing))


def strike_at(fight: Fight, attempt: Attempt, thing: Sturdiness) -> Steps[bool]:
    """Provoke; oppose attack rolls for what is held, or reach the AC of what is carried; damage the object.

    The attack of opportunity does not spoil the attempt.
    """
    blow, item = attempt.blow, attempt.item
    attacker, target = blow.attacker, blow.target
    if not (yield from still_possible(fight, attempt)):
        return False
    held = is_held(target, item)
    practised = has_feat(attacker, "improved sunder")
    if not practised:
        opening = yield from provoke_from_target(
            fight,
            attempt,
            f"strikes at the {item}",
            f"sunder:{attempt.name}",
            fight.rule("srd35.sunder.aoo" if held else "srd35.sunder.carried-aoo"),
        )
        if not opening.goes_on:
            return False
    if practised:
        feat = fight.modifier("srd35.feat.improved-sunder", "check", kind="feat", source="Improved Sunder")
        blow.attack_extra.append(feat)
    yield from fight.dialect.maneuvers.before_contest(fight, attacker, target)
    reached = (
        (yield from beats_defender(fight, blow, item))
        if held
        else (yield from reaches_item(fight, blow, item, thing))
    )
    if not reached:
        yield RuleApplied(
            who=attacker.id, what=f"the {item} takes no harm", cites=fight.rules("srd35.sunder.fail")
        )
        return False
    yield from damage_object(fight, blow, item, thing)
    return True


def beats_defender(fight: Fight, blow: Blow, item: str) -> Steps[bool]:
    """Oppose the attack rolls of both weapons; a shield is defended with the weapon in hand."""
    attacker, target = blow.attacker, blow.target
    ready = [one for one in held_weapons(target) if strikes_in_melee(one)]
    own = next((one for one in held_weapons(target) if one.name == item), None)
    guard = own or unarmed(fight, target)
    if own is None and ready:
        question = f"with which weapon does {target.id} guard the {item}?"
        guard = yield from choose_weapon(target.id, question, ready, fight.rule(OPPOSED))
    against = Blow(target, attacker, guard, True, distance(attacker, target), Intent("sunder"))
    contest = yield from beats_opposed(
        fight,
        "sunder",
        attack_roll_of(fight, blow, OPPOSED),
        attack_roll_of(fight, against, OPPOSED),
        fight.rule(OPPOSED),
    )
    return contest.won


def reaches_item(fight: Fight, blow: Blow, item: str, thing: Sturdiness) -> Steps[bool]:
    """Roll to hit a carried or worn object: AC 10 + its size + its bearer's Dexterity."""
    target = blow.target
    rule = fight.rule("srd35.sunder.carried-object")
    defense = [
        Modifier(fight.formula("srd35.sunder.carried-object", "ac"), "base", "base", rule),
        fight.modifier("srd35.size.attack-ac-table", thing.size.capitalize(), kind="size", source=thing.size),
        Modifier(ability(target.sheet, "dex"), "ability", f"Dexterity of {target.id}", rule),
        *lowered(fight, target, "dex"),
    ]
    return (yield from reach_thing(fight, blow, item, defense, rule, fight.rule("srd35.object.ac")))


def damage_object(fight: Fight, blow: Blow, item: str, thing: Sturdiness) -> Steps[None]:
    """Roll the weapon's damage; what hardness lets through comes off the object, which breaks at 0.

    Nothing is critical against an object, and nonlethal damage is none (srd35.object.immunities).
    """
    found = yield from batter(fight, blow, item, Durability(thing.hardness, thing.hp, ()))
    struck = item_struck(blow, item, found, found.dealt, *thing.cites, *fight.rules("srd35.sunder.success"))
    yield struck
    if not struck.left:
        yield from cut_free(fight, blow.target, item)
        broken = tuple(dict.fromkeys((*struck.cites, fight.rule("srd35.object.hardness"))))
        yield from lose(fight, blow.target, item, "broken", broken)


SUNDER = Substitute(plan_sunder, carry_out_sunder)
