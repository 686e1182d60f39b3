"""Automatic play in the saddle: guide the mount, ride up to the enemy, strike, and have the mount strike."""

from affray.engine.dialects.woa.mounted.mount_control import IN_HAND, KNEES, ONE_HAND
from affray.engine.dialects.woa.mounted.mount_movement import MOUNT_FIGHTS, has_moved_far
from affray.engine.dialects.woa.mounted.mounted_modifiers import has_stirrups, is_trained
from affray.engine.dialects.woa.turns import declared_actions as plans
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.ability_modifiers import wielded_in_two_hands
from affray.engine.rules.gear.held_weapons import held_weapons, natural_weapons, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.mounted.riding import landings
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.approach import approach
from affray.engine.rules.turns.tactics import best_shot, can_strike
from affray.events.facts import acts
from affray.events.facts.declared import AnyAct
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def plan(fight: Fight, rider: Combatant) -> acts.Plan:
    """Return what a rider declares: to keep a frightened mount in hand or to get off it, and to attack."""
    foes = enemies(fight, rider)
    steed = fight.state.combatants[rider.mount]
    allowed = plans.allowance(fight, rider)
    moves: tuple[acts.Intent, ...] = ()
    if not has_usable_weapon(fight, rider, steed):
        moves = (acts.Intent("move", "dismount"),)
    elif not is_trained(steed):
        moves = (acts.Intent("move", "guide"),)
    attacks = (acts.Intent("standard", "attack", foes[0].id),) if allowed.standard else ()
    return acts.Plan(actor=rider.id, actions=(*moves, *attacks)[: allowed.total])


def next_mounted_act(fight: Fight, rider: Combatant) -> AnyAct | None:
    """Return what a rider does next in its turn, None if nothing useful is left."""
    foes = enemies(fight, rider)
    steed = fight.state.combatants[rider.mount]
    declared = [(kind, what, aim) for _, (kind, what, aim) in plans.unused_plans(rider)]
    if ("move", "dismount", "") in declared:
        return way_off_mount(fight, rider, steed, foes[0].at)
    if not is_trained(steed) and IN_HAND not in steed.conditions:
        return acts.Guide(actor=rider.id, what="control") if ("move", "guide", "") in declared else None
    weapons = at_hand(fight, rider, steed)
    aim = next((aim for kind, what, aim in declared if (kind, what) == ("standard", "attack")), None)
    if aim is not None:
        if needs_both_hands(rider, weapons) and not (rider.spent.get(KNEES) or rider.spent.get(ONE_HAND)):
            return acts.Guide(actor=rider.id, what="knees")
        meant = [one for one in foes if aim in ("", one.id)]
        strike = struck_from(fight, rider, meant, weapons, steed)
        if strike is not None:
            return strike
    elif rider.spent.get("standard") and (bite := mount_strikes(rider, steed, foes)) is not None:
        return bite
    return way_to_ride(fight, rider, steed, foes, weapons) if aim is not None else None


def way_off_mount(
    fight: Fight, rider: Combatant, steed: Combatant, towards: tuple[int, int]
) -> acts.Dismount | None:
    """Return the way off a mount to the free place that is nearest to a square, None without one."""
    x, y = towards
    near = sorted(landings(fight, rider, steed), key=lambda at: (max(abs(at[0] - x), abs(at[1] - y)), at))
    return acts.Dismount(actor=rider.id, to=near[0]) if near else None


def enemies(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return the enemies that still stand, the nearest first."""
    standing = [one for one in fight.enemies(combatant) if not is_down(fight, one)]
    return sorted(standing, key=lambda one: (distance(combatant, one), one.hp, one.id))


def at_hand(fight: Fight, rider: Combatant, steed: Combatant) -> list[Weapon]:
    """Return what a rider can fight with from this saddle: without stirrups only what shoots or is thrown."""
    weapons = held_weapons(rider) or [unarmed(fight, rider)]
    return weapons if has_stirrups(steed) else [one for one in weapons if one.range]


def has_usable_weapon(fight: Fight, rider: Combatant, steed: Combatant) -> bool:
    """Say whether a rider has anything to fight with from this saddle."""
    return bool(at_hand(fight, rider, steed))


def needs_both_hands(rider: Combatant, weapons: list[Weapon]) -> bool:
    """Say whether a rider would rather not keep a hand on the reins."""
    both = any(one.hands == 2 or one.wield == "two-handed" for one in weapons)
    return both or any(bonus.kind == "shield" for bonus in rider.sheet.armor)


def struck_from(
    fight: Fight, rider: Combatant, foes: list[Combatant], weapons: list[Weapon], steed: Combatant
) -> AnyAct | None:
    """Return the attack that a rider can make from where its mount stands."""
    if has_stirrups(steed):
        for enemy in foes:
            for weapon in weapons:
                if can_strike(rider, enemy, weapon) and free_for(rider, weapon):
                    return acts.Attack(actor=rider.id, target=enemy.id, weapon=weapon.name)
    shots = [one for one in weapons if free_for(rider, one)]
    return None if has_moved_far(steed) else best_shot(fight, rider, foes, shots)


def free_for(rider: Combatant, weapon: Weapon) -> bool:
    """Say whether the hands are free that a weapon takes."""
    return bool(rider.spent.get(KNEES)) or not wielded_in_two_hands(weapon)


def way_to_ride(
    fight: Fight, rider: Combatant, steed: Combatant, foes: list[Combatant], weapons: list[Weapon]
) -> AnyAct | None:
    """Return the way on which the mount bears its rider to where it can strike."""
    if not has_stirrups(steed) or any(steed.spent.get(kind) for kind in ("move", "standard", "full-round")):
        return None
    melee = [one for one in weapons if strikes_in_melee(one) and free_for(rider, one)]
    path = approach(fight, steed, foes, melee)
    return acts.Move(actor=rider.id, path=path) if path else None


def mount_strikes(rider: Combatant, steed: Combatant, foes: list[Combatant]) -> AnyAct | None:
    """Return the attack of a mount trained for war, which its rider may have to manage by a Ride check."""
    done = rider.spent.get(MOUNT_FIGHTS) or steed.spent.get("standard") or steed.spent.get("full-round")
    if not is_trained(steed) or done or steed.spent.get("move", 0) > 1:
        return None
    for weapon in natural_weapons(steed):
        for enemy in foes:
            if can_strike(steed, enemy, weapon):
                return acts.Attack(actor=steed.id, target=enemy.id, weapon=weapon.name)
    return None
