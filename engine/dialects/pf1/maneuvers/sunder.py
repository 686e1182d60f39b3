"""Sunder: strike what an opponent holds or wears (pf1.sunder)."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.pf1.attacks.pledges import power_damage
from affray.engine.dialects.pf1.classes.fighter import guarded_weapon
from affray.engine.dialects.pf1.gear import broken
from affray.engine.dialects.pf1.maneuvers.cut_bonds import cut_free, is_bond, sturdiness_of_bonds
from affray.engine.dialects.pf1.maneuvers.maneuver_check import attempt_maneuver, maneuver_blow
from affray.engine.dialects.pf1.maneuvers.maneuver_feats import GREATER, has_greater
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import ARMOR_CLASS, Blow, varied
from affray.engine.record.maneuvers import Attempt, Substitute
from affray.engine.rules.gear.held_weapons import fights_unarmed, held_weapons
from affray.engine.rules.gear.item_hardness import (
    Durability,
    durability,
    durability_of_armor,
    shield_of,
)
from affray.engine.rules.gear.let_go import is_lost, lose, weapon_named
from affray.engine.rules.gear.strike_object import batter, carry_over, item_struck
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon, Worn
from affray.events.wording import counted
from affray.projections.state import Combatant

TOPIC: Final = "pf1.sunder"
TABLES: Final = "pf1.object.tables-ref"
QUALITIES: Final = "pf1.weapons.trip-disarm-quality"
#: Weapons that are part of their bearer.
PART_OF_BODY: Final = ("natural", "unarmed")


def sunder(fight: Fight, act: acts.Sunder) -> Steps[None]:
    """Strike an item with the one attack of a standard action (pf1.sunder, pf1.maneuver.modes)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    given = Durability(act.hardness, act.hp, ()) if act.hp > 0 else None
    attempt = sunder_attempt(fight, actor, target, act.weapon, act.item, "attack")
    thing = what_is_struck(fight, target, attempt.item, given)
    yield spending(fight, actor, "standard", "sunder", *fight.rules(TOPIC, "pf1.maneuver.modes"))
    yield from strike_at(fight, attempt, thing)


def plan_sunder(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to sunder in place of another attack. Refuses what the tables do not know."""
    attempt = sunder_attempt(fight, attacker, target, weapon, item, kind)
    what_is_struck(fight, target, attempt.item, None)
    return attempt


def sunder_attempt(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to sunder an item, the weapon in hand if none is named. Refuses others."""
    with_ = find_weapon(fight, attacker, weapon)
    blow = maneuver_blow(fight, attacker, target, "sunder", with_, kind)
    rule = fight.rule(TOPIC)
    in_hand = (one.name for one in held_weapons(target) if one.wield not in PART_OF_BODY)
    item = item or next(in_hand, "")
    if not item:
        raise Refusal(f"{target.id} has no weapon in hand to strike at", rule)
    struck = weapon_named(target, item)
    if struck is not None and struck.wield in PART_OF_BODY:
        raise Refusal(f"the {item} is part of {target.id}", rule)
    if is_lost(target, item) or target.items.get(item) == "doffed":
        raise Refusal(f"{target.id} neither holds nor wears the {item}", rule)
    # What does no lethal damage to creatures does none to things.
    subdues = "nonlethal" in with_.traits or (with_.wield == "unarmed" and not fights_unarmed(attacker))
    blow.intent = replace(blow.intent, nonlethal=subdues)
    blow.attack_extra += made_for_it(fight, with_, struck)
    blow.defense_extra += made_against_it(fight, struck)
    blow.defense_extra += guarded_weapon(fight, target, item)
    return Attempt(blow, item, name=fight.declaration)


def made_for_it(fight: Fight, weapon: Weapon, struck: Weapon | None) -> list[Modifier]:
    """Return what a sai gives to an attempt to sunder a weapon (pf1.weapons.trip-disarm-quality)."""
    if struck is None or "sai" not in names_of(weapon):
        return []
    return [fight.modifier(QUALITIES, "sai_sunder", kind="untyped", source=weapon.name)]


def made_against_it(fight: Fight, struck: Weapon | None) -> list[Modifier]:
    """Return what an elven curve blade has against being sundered (pf1.weapons.trip-disarm-quality)."""
    if struck is None or not names_of(struck) & {"curve blade, elven", "elven curve blade"}:
        return []
    return [fight.modifier(QUALITIES, "curve_blade_cmd", kind="untyped", source=struck.name)]


def names_of(weapon: Weapon) -> set[str]:
    """Return the names that a weapon goes by: its own and that of its row in the tables."""
    return {weapon.name.casefold(), weapon.table}


def what_is_struck(fight: Fight, target: Combatant, item: str, given: Durability | None) -> Durability:
    """Return how sturdy an item is: by the tables, or as the declaration says of what they do not know.

    Refuses what nobody has said, and what is said otherwise than the tables have it (pf1.object.tables-ref).
    """
    found = durability(fight, target, item) or of_armor(fight, target, item)
    found, rule = found or sturdiness_of_bonds(fight, target, item), fight.rule(TABLES)
    if found is None and given is None:
        raise Refusal(f"the hardness and hit points of the {item} are in no table: declare them", rule)
    if found is not None and given is not None and (found.hardness, found.hp) != (given.hardness, given.hp):
        raise Refusal(f"the {item} has hardness {found.hardness} and {counted(found.hp, 'hit point')}", rule)
    thing = found or given
    assert thing is not None
    lost = target.resources.get(f"damage to {item}", 0)
    if lost >= thing.hp:
        raise Refusal(f"the {item} has lost {counted(lost, 'hit point')} already", rule)
    return thing


def of_armor(fight: Fight, wearer: Combatant, item: str) -> Durability | None:
    """Return how sturdy armor is that somebody wears, told as such or as a part of Armor Class."""
    worn = next((one for one in wearer.sheet.worn if one.name == item and one.kind == "armor"), None)
    if worn is not None:
        return durability_of_armor(fight, wearer, worn)
    parts = (one for one in wearer.sheet.armor if one.kind == "armor" and (one.source or "armor") == item)
    part = next(parts, None)
    return durability_of_armor(fight, wearer, Worn(item, bonus=part.value)) if part is not None else None


def carry_out_sunder(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Make the attempt in place of another attack."""
    thing = what_is_struck(fight, attempt.blow.target, attempt.item, None)
    return (yield from strike_at(fight, attempt, thing))


def strike_at(fight: Fight, attempt: Attempt, thing: Durability) -> Steps[bool]:
    """Roll CMB against CMD; a success deals the weapon's damage to the item (pf1.sunder)."""
    check = yield from attempt_maneuver(fight, attempt, TOPIC)
    if check is None or not check.won:
        return False
    yield from damage_item(fight, attempt.blow, attempt.item, thing)
    return True


def damage_item(fight: Fight, blow: Blow, item: str, thing: Durability) -> Steps[None]:
    """Deal damage past hardness; the item is broken at half its hit points, at 0 destroyed if so wished.

    Greater Sunder then passes on to the bearer what is left of the damage (pf1.sunder, pf1.cond.broken,
    pf1.feat.maneuver-greater).
    """
    attacker, target, rule = blow.attacker, blow.target, fight.rule(TOPIC)
    # No touch: what is traded for power counts.
    weighty = varied(blow, intent=replace(blow.intent, against=ARMOR_CLASS))
    own = [*power_damage(fight, weighty, ""), *broken.on_damage(fight, blow)]
    found = yield from batter(fight, blow, item, thing, own)
    ruined = not found.left
    destroyed = False
    if ruined:
        question = f"does {attacker.id} destroy the {item}, or leave it broken at 1 hit point?"
        destroyed = (yield Choice(attacker.id, "destroy", question, ("destroy", "leave"), rule)) == "destroy"
    dealt = found.dealt if destroyed else min(found.dealt, found.before - 1)
    struck = item_struck(blow, item, found, dealt, rule, *thing.cites)
    yield struck
    if destroyed:
        passed_on = found.through - found.before
        yield from (cut_free if is_bond(target, item) else destroy)(fight, target, item)
        if passed_on > 0 and has_greater(fight, attacker, "sunder") and guards(target, item):
            yield from carry_over(fight, blow, item, passed_on, fight.rule(GREATER))
    elif ruined or broken.breaks(fight, struck.left, thing.hp):
        yield from broken.break_item(fight, target, item, TOPIC)


def destroy(fight: Fight, holder: Combatant, item: str) -> Iterator[object]:
    """Yield that there is nothing left of an item."""
    yield from lose(fight, holder, item, "gone", fight.rules(TOPIC))
    yield from broken.no_longer_broken(fight, holder, item, "destroyed")


def guards(holder: Combatant, item: str) -> bool:
    """Say whether an item is a weapon, a shield or armor: what lies between a blow and its bearer."""
    armor = [one.source or "armor" for one in holder.sheet.armor if one.kind == "armor"]
    return weapon_named(holder, item) is not None or shield_of(holder, item) or item in armor


SUNDER: Final = Substitute(plan_sunder, carry_out_sunder, "pf1.maneuver.modes", (TOPIC,))
