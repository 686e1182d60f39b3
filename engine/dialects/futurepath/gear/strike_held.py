"""Striking at what an opponent holds, carries or wears (futurepath.object.attack.held-provokes)."""

from typing import Final

from affray.engine.dialects.futurepath.attacks.attack_roll import FIREARMS, refuse_hopeless
from affray.engine.dialects.futurepath.contested import old_only
from affray.engine.dialects.futurepath.gear.object_defense import (
    defense_of_carried,
    rules_of_sizes,
    weapon_size,
)
from affray.engine.dialects.futurepath.gear.sheets_of_things import LEAST, MADE, TABLE, most, row_of_thing
from affray.engine.dialects.futurepath.gear.things import WHOLE, is_effective, through_hardness
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.damage.energies import ENERGY
from affray.engine.rules.damage.weapon_damage import damage_bonus, passing_damage_parts
from affray.engine.rules.gear.held_weapons import held_weapons
from affray.engine.rules.gear.item_hardness import Durability
from affray.engine.rules.gear.let_go import is_lost, lose, weapon_named
from affray.engine.rules.gear.strike_object import Battering, item_struck, reach_thing
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.maneuvers.attempts import GONE, attempt_goes_on, melee_attempt, still_possible
from affray.engine.rules.opportunity.threatened_squares import threatening, threatens
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.interruption import footing
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import DamagePart
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

BREAKING: Final = "futurepath.object.attack-breaking"
PROVOKES: Final = "futurepath.object.attack.held-provokes"
ATTACKS: Final = "futurepath.table.actions.attack"
#: The row of a firearm of Medium size.
FIREARM: Final = "firearm, medium"
#: What is part of a body and no object.
OF_THE_BODY: Final = ("natural", "unarmed")


def sunder_item(fight: Fight, act: acts.Sunder) -> Steps[None]:
    """Strike at a weapon or another object that an opponent has, with an attack action.

    futurepath.object.attack-breaking, futurepath.object.defense.held-carried-worn.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(BREAKING)
    refuse_no_bearer(fight, actor, target)
    blow = melee_attempt(fight, actor, target, find_weapon(fight, actor, act.weapon), "attack", rule)
    refuse_hopeless(fight, blow)
    item, size, found = item_to_strike(fight, target, act)
    definition = fight.rule("futurepath.action.attack.definition")
    yield spending(fight, actor, "standard", "sunder", rule, definition)
    yield from strike_item(fight, Attempt(blow, item, name=fight.declaration), size, found)


def refuse_no_bearer(fight: Fight, actor: Combatant, target: Combatant) -> None:
    """Refuse to strike at what oneself has, and at what a thing has."""
    if target is actor or target.sheet.thing is not None:
        reason = f"{actor.id} strikes at what an opponent holds or wears, not at what {target.id} has"
        raise Refusal(reason, fight.rule(BREAKING))


def item_to_strike(fight: Fight, target: Combatant, act: acts.Sunder) -> tuple[str, str, Durability]:
    """Return which object is struck at, how large and how sturdy it is. Refuses what is not there."""
    rule = fight.rule(BREAKING)
    in_hand = (one.name for one in held_weapons(target) if one.wield not in OF_THE_BODY)
    item = act.item or next(in_hand, "")
    weapon = weapon_named(target, item)
    if not item or target.items.get(item) in GONE or is_lost(target, item):
        raise Refusal(f"{target.id} has no {item or 'weapon in hand'} to strike at", rule)
    if weapon is not None and weapon.wield in OF_THE_BODY:
        raise Refusal(f"the {item} is part of {target.id}", rule)
    size, found = what_is_struck(fight, target, weapon, act)
    if target.resources.get(f"damage to {item}", 0) >= found.hp:
        raise Refusal(f"the {item} is broken already", rule)
    return item, size, found


def what_is_struck(
    fight: Fight, target: Combatant, weapon: Weapon | None, act: acts.Sunder
) -> tuple[str, Durability]:
    """Return how large an object is and how sturdy, by the table; the declaration may say more.

    futurepath.table.object-hardness-hp-break, futurepath.object.manufactured-minimum-values,
    futurepath.assumed.weapon-size.
    """
    size = weapon_size(fight, target, weapon) if weapon is not None else act.size
    if weapon is not None and act.size not in (acts.Sunder(act.actor).size, size):
        raise Refusal(f"the {weapon.name} is {size}, not {act.size}", fight.rule(TABLE))
    shoots = weapon is not None and weapon.family in FIREARMS and size == "medium"
    row = row_of_thing(fight, FIREARM if shoots else MADE, size)
    name = weapon.name if weapon is not None else act.item
    hardness = most(fight, name, "hardness", act.hardness, int(row["hardness"]))
    hp = most(fight, name, "hp", act.hp, int(row["hp"]))
    more = (hardness, hp) != (row["hardness"], row["hp"])
    topics = (TABLE, "futurepath.object.hit-points.source", *((LEAST,) if more else ()))
    sizes = rules_of_sizes(weapon) if weapon is not None else ()
    return size, Durability(hardness, hp, fight.rules(*topics, *sizes))


def strike_item(fight: Fight, attempt: Attempt, size: str, thing: Durability) -> Steps[None]:
    """Provoke, reach the object's Defense, and damage it."""
    if not (yield from still_possible(fight, attempt)):
        return
    if not (yield from goes_on_provoking(fight, attempt)):
        return
    blow, item = attempt.blow, attempt.item
    held = "futurepath.object.defense.held-carried-worn"
    defense = defense_of_carried(fight, blow.target, size)
    cites = fight.rules(BREAKING, held)
    if not (yield from reach_thing(fight, blow, item, defense, *cites)):
        return
    yield from damage_item(fight, blow, item, thing)


def damage_item(fight: Fight, blow: Blow, item: str, thing: Durability) -> Steps[None]:
    """Damage an object that the target has, if the weapon can; without hit points it is broken."""
    if not (yield from is_effective(fight, blow.weapon, item)):
        return
    found = yield from roll_against(fight, blow, item, thing)
    struck = item_struck(blow, item, found, found.dealt, *thing.cites)
    yield struck
    if not struck.left:
        yield from lose(fight, blow.target, item, "broken", struck.cites)


def goes_on_provoking(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Give the openings of a blow at what somebody has; return whether it goes on.

    By the feat Sunder there are none. The new table lets an attack on a weapon provoke from all who threaten,
    one on another object from its holder, and so does the old text (futurepath.object.attack.held-provokes,
    futurepath.action.attack-object.provokes-if-attended, futurepath.table.actions.attack).
    """
    blow, item = attempt.blow, attempt.item
    attacker, holder = blow.attacker, blow.target
    if has_feat(attacker, "sunder"):
        return True
    weapon = weapon_named(holder, item) is not None
    if weapon and not old_only(fight):
        enemies, topics = threatening(fight, attacker), (PROVOKES, ATTACKS)
    else:
        maybe = "futurepath.action.attack-object.provokes-if-attended"
        enemies = [holder] if threatens(fight, holder, attacker) else []
        topics = (PROVOKES, ATTACKS) if weapon else (PROVOKES, maybe)
    if not enemies:
        return True
    before = footing(fight, attacker, holder)
    why, name = f"strikes at the {item}", f"sunder:{attempt.name}"
    yield from fight.dialect.opportunity.provoke(fight, attacker, enemies, why, name, *fight.rules(*topics))
    return (yield from attempt_goes_on(fight, before, attempt))


def roll_against(fight: Fight, blow: Blow, item: str, thing: Durability) -> Steps[Battering]:
    """Roll a weapon's damage to an object that somebody has; its hardness takes off its part.

    Nothing is critical against an object, and nonlethal damage is none (futurepath.object.immunities,
    futurepath.object.hardness).
    """
    attacker, target, weapon = blow.attacker, blow.target, blow.weapon
    strong = fight.dialect.damage.strength_damage(fight, blow, 0) is not None
    tally = fight.stack([*damage_bonus(fight, blow), *passing_damage_parts(fight, blow, strong)])
    rolled = yield Roll(attacker.id, "damage", weapon.damage)
    dice = [DamagePart(weapon.damage, rolled.key, rolled.total, weapon.damage_type, weapon.name)]
    total = max(rolled.total + tally.total, int(fight.figure("damage.minimum", "min")))
    energies = {weapon.damage_type: total} if weapon.damage_type in ENERGY.union(WHOLE) else {}
    for extra in weapon.extra:
        rolled = yield Roll(attacker.id, f"extra-{extra.kind}", extra.dice)
        dice.append(DamagePart(extra.dice, rolled.key, rolled.total, extra.kind, extra.source or extra.kind))
        total += rolled.total
        if extra.kind in ENERGY:
            energies[extra.kind] = energies.get(extra.kind, 0) + rolled.total
    through, topics = through_hardness(fight, total, energies, thing.hardness, [])
    if blow.intent.nonlethal:
        through, topics = 0, ["futurepath.object.immunities"]
    before = thing.hp - target.resources.get(f"damage to {item}", 0)
    cites = fight.rules(*topics)
    return Battering(tuple(dice), tally, total, thing.hardness, before, through, cites)
