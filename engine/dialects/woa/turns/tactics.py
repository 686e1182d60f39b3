"""Propose automatic declarations: plans that fit an intended act, and acts that keep to the plan."""

from collections.abc import Collection
from typing import Any

from msgspec.structs import replace

from affray.engine.dialects.woa.classes.turned_undead import find_turner_fled_from
from affray.engine.dialects.woa.conditions import impediments
from affray.engine.dialects.woa.grapple.grapple_checks import opponents
from affray.engine.dialects.woa.mounted.mounted_modifiers import (
    IN_HAND,
    KNEES,
    MOUNT_FIGHTS,
    ONE_HAND,
    has_moved_far,
    has_stirrups,
    is_trained,
)
from affray.engine.dialects.woa.movement.movement import speed_with_burdens
from affray.engine.dialects.woa.turns import declared_actions
from affray.engine.dialects.woa.turns.declared_actions import undeclared
from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.actions import is_permitted
from affray.engine.kernel.places import distance
from affray.engine.rules.classes.sheets import wielded_in_two_hands
from affray.engine.rules.gear.hands import held_weapons, natural_weapons, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.mounted.riding import find_landings, guides
from affray.engine.rules.movement.movement import flight_path
from affray.engine.rules.turns.actions import refuse_unless_allowed
from affray.engine.rules.turns.tactics import (
    approach,
    best_shot,
    can_strike,
    is_possible_blow,
    next_declaration,
)
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.flow import AnyAct
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

# --- Automatic play in the saddle: guide the mount, ride up to the enemy, attack, and let the mount attack


def plan(fight: Fight, rider: Combatant) -> acts.Plan:
    """Return a rider's plan: control a frightened mount or get off it, and attack."""
    foes = enemies(fight, rider)
    steed = fight.state.combatants[rider.mount]
    allowed = declared_actions.allowance(fight, rider)
    moves: tuple[acts.Intent, ...] = ()
    if not has_usable_weapon(fight, rider, steed):
        moves = (acts.Intent("move", "dismount"),)
    elif not is_trained(steed):
        moves = (acts.Intent("move", "guide"),)
    attacks = (acts.Intent("standard", "attack", foes[0].id),) if allowed.standard else ()
    return acts.Plan(actor=rider.id, actions=(*moves, *attacks)[: allowed.total])


def next_mounted_act(fight: Fight, rider: Combatant) -> AnyAct | None:
    """Return a rider's next act in its turn, None if nothing useful is left."""
    foes = enemies(fight, rider)
    steed = fight.state.combatants[rider.mount]
    declared = [(kind, what, aim) for _, (kind, what, aim) in declared_actions.unused_plans(rider)]
    if ("move", "dismount", "") in declared:
        return choose_dismount(fight, rider, steed, foes[0].at)
    if not is_trained(steed) and IN_HAND not in steed.conditions:
        return acts.Guide(actor=rider.id, what="control") if ("move", "guide", "") in declared else None
    weapons = at_hand(fight, rider, steed)
    aim = next((aim for kind, what, aim in declared if (kind, what) == ("standard", "attack")), None)
    if aim is not None:
        if needs_both_hands(rider, weapons) and not (rider.spent.get(KNEES) or rider.spent.get(ONE_HAND)):
            return acts.Guide(actor=rider.id, what="knees")
        meant = [one for one in foes if aim in ("", one.id)]
        strike = choose_attack_from_saddle(fight, rider, meant, weapons, steed)
        if strike is not None:
            return strike
    elif rider.spent.get("standard") and (bite := choose_attack_of_mount(rider, steed, foes)) is not None:
        return bite
    return choose_ride_to_attack(fight, rider, steed, foes, weapons) if aim is not None else None


def choose_dismount(
    fight: Fight, rider: Combatant, steed: Combatant, towards: tuple[int, int]
) -> acts.Dismount | None:
    """Return a dismount to the free square nearest to `towards`, None without one."""
    x, y = towards
    near = sorted(
        find_landings(fight, rider, steed), key=lambda at: (max(abs(at[0] - x), abs(at[1] - y)), at)
    )
    return acts.Dismount(actor=rider.id, to=near[0]) if near else None


def enemies(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return the enemies that are not down, the nearest first."""
    standing = [one for one in fight.enemies(combatant) if not is_down(fight, one)]
    return sorted(standing, key=lambda one: (distance(combatant, one), one.hp, one.id))


def at_hand(fight: Fight, rider: Combatant, steed: Combatant) -> list[Weapon]:
    """Return the weapons usable from this saddle: without stirrups only ranged ones."""
    weapons = held_weapons(rider) or [unarmed(fight, rider)]
    return weapons if has_stirrups(steed) else [one for one in weapons if one.range]


def has_usable_weapon(fight: Fight, rider: Combatant, steed: Combatant) -> bool:
    """Return whether a rider has any weapon usable from this saddle."""
    return bool(at_hand(fight, rider, steed))


def needs_both_hands(rider: Combatant, weapons: list[Weapon]) -> bool:
    """Return whether a rider prefers not to keep a hand on the reins."""
    both = any(one.hands == 2 or one.wield == "two-handed" for one in weapons)
    return both or any(bonus.kind == "shield" for bonus in rider.sheet.armor)


def choose_attack_from_saddle(
    fight: Fight, rider: Combatant, foes: list[Combatant], weapons: list[Weapon], steed: Combatant
) -> AnyAct | None:
    """Return the attack that a rider can make from its mount's present square."""
    if has_stirrups(steed):
        for enemy in foes:
            for weapon in weapons:
                if can_strike(rider, enemy, weapon) and has_hands_for(rider, weapon):
                    return acts.Attack(actor=rider.id, target=enemy.id, weapon=weapon.name)
    shots = [one for one in weapons if has_hands_for(rider, one)]
    return None if has_moved_far(steed) else best_shot(fight, rider, foes, shots)


def has_hands_for(rider: Combatant, weapon: Weapon) -> bool:
    """Return whether the hands that a weapon needs are free."""
    return bool(rider.spent.get(KNEES)) or not wielded_in_two_hands(weapon)


def choose_ride_to_attack(
    fight: Fight, rider: Combatant, steed: Combatant, foes: list[Combatant], weapons: list[Weapon]
) -> AnyAct | None:
    """Return a move of the mount to where its rider can attack."""
    if not has_stirrups(steed) or any(steed.spent.get(kind) for kind in ("move", "standard", "full-round")):
        return None
    melee = [one for one in weapons if strikes_in_melee(one) and has_hands_for(rider, one)]
    path = approach(fight, steed, foes, melee)
    return acts.Move(actor=rider.id, path=path) if path else None


def choose_attack_of_mount(rider: Combatant, steed: Combatant, foes: list[Combatant]) -> AnyAct | None:
    """Return the attack of a mount trained for war; its rider may need a Ride check for it."""
    done = rider.spent.get(MOUNT_FIGHTS) or steed.spent.get("standard") or steed.spent.get("full-round")
    if not is_trained(steed) or done or steed.spent.get("move", 0) > 1:
        return None
    for weapon in natural_weapons(steed):
        for enemy in foes:
            if can_strike(steed, enemy, weapon):
                return acts.Attack(actor=steed.id, target=enemy.id, weapon=weapon.name)
    return None


#: Conditions that keep a rider from fighting.
UNFREE = ("panicked", "fleeing", "turned", "awed", "grappling")
SAID_AND_DONE = ("maintain", "release", "escape", "escape-artist", "pin", "arm-lock", "clamp-mouth", "attack")
"""Activities of a grapple that are carried out exactly as declared."""


def propose(fight: Fight, actor: Combatant, act: AnyAct | None) -> acts.Plan:
    """Return the plan for carrying out `act`, with a useful second action.

    After a move or getting up it attacks the nearest enemy; with a standard action it keeps a move in
    reserve. Before an act that needs no declaration, such as a quick draw, it reserves both. For None the
    plan is to do nothing.
    """
    if act is None:
        return acts.Plan(actor=actor.id)
    if impediments.must_flee(fight, actor):
        move = acts.Intent("move", declared_actions.name_of(act))
        return acts.Plan(actor=actor.id, actions=(move,) * declared_actions.allowance(fight, actor).total)
    allowed = declared_actions.allowance(fight, actor)
    kinds, meant = declared_actions.types_of_action(fight, actor, act), ""
    if len(kinds) > 1:
        meant = fight.dialect.turns.action_type(fight, actor, act)
    kind: Any = meant if meant in kinds else kinds[0]
    first = acts.Intent(
        kind, declared_actions.name_in_plan(fight, actor, act), declared_actions.target_of(act)
    )
    attack = acts.Intent("standard", "attack", nearest_enemy(fight, actor).id)
    if kind not in declared_actions.BUDGETED:
        first, kind = attack, "standard"
    if kind == "full-round" or allowed.total < 2:
        return acts.Plan(actor=actor.id, actions=(first,))
    second = acts.Intent("move", "move") if kind == "standard" else attack
    return acts.Plan(actor=actor.id, actions=(first, second))


def plan_of_grappler(fight: Fight, combatant: Combatant) -> acts.Plan:
    """Return the plan of a grappler: attack the opponent, or escape from a friend's grapple."""
    enemy = next((one for one in opponents(fight, combatant) if one.side != combatant.side), None)
    what, target = (
        ("attack", enemy.id) if enemy is not None else ("escape", opponents(fight, combatant)[0].id)
    )
    return acts.Plan(actor=combatant.id, actions=(acts.Intent("grapple", what, target),))


def act_of_grappler(combatant: Combatant) -> AnyAct:
    """Return the act of a grappler that has won: what it declared, if nothing more must be specified."""
    for _, (_, what, aim) in declared_actions.unused_plans(combatant):
        if what in SAID_AND_DONE:
            skill = what == "escape-artist"
            named: Any = "escape" if skill else what
            return acts.Grapple(actor=combatant.id, target=aim, what=named, skill=skill)
    return acts.EndTurn(actor=combatant.id)


def nearest_enemy(fight: Fight, combatant: Combatant) -> Combatant:
    """Return the nearest enemy that is not down. Automatic play continues only while there is one."""
    standing = [enemy for enemy in fight.enemies(combatant) if not is_down(fight, enemy)]
    return min(standing, key=lambda enemy: (distance(combatant, enemy), enemy.hp, enemy.id))


def next_act(fight: Fight, whom: Collection[str] = ()) -> AnyAct | None:
    """Return the next automatic declaration: plans first, beginning with the ids in `whom`, then acts that
    keep to them.

    None leaves the decision to the general tactics when no combatant is bound by a plan.
    """
    state = fight.state
    if state.phase == "declare":
        waiting = sorted(undeclared(fight), key=lambda one: one.id not in whom)
        if not waiting:
            return acts.EndTurn()
        if "grappling" in waiting[0].conditions:
            return plan_of_grappler(fight, waiting[0])
        if can_fight_mounted(fight, waiting[0]):
            return plan(fight, waiting[0])
        return propose(fight, waiting[0], general_tactics(fight, waiting[0]))
    if not state.active:
        return None
    combatant = state.combatants[state.active]
    if not combatant.plan:
        return acts.EndTurn(actor=combatant.id) if combatant.mount else None
    if "grappling" in combatant.conditions:
        return act_of_grappler(combatant)
    if can_fight_mounted(fight, combatant):
        return next_mounted_act(fight, combatant) or acts.EndTurn(actor=combatant.id)
    return act_of_plan(fight, combatant, general_tactics(fight, combatant)) or acts.EndTurn(
        actor=combatant.id
    )


def can_fight_mounted(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a rider is free to fight from the saddle: not helpless, panicked, turned or bound."""
    return (
        bool(combatant.mount)
        and guides(fight, combatant)
        and not any(name in combatant.conditions for name in UNFREE)
    )


def general_tactics(fight: Fight, combatant: Combatant) -> AnyAct | None:
    """Return the act of the general tactics, without defensive casting, which these rules lack."""
    danger = find_turner_fled_from(fight, combatant)
    if danger is not None:
        path = flight_path(fight, combatant, danger)
        return acts.Move(actor=combatant.id, path=path) if path else None
    if "awed" in combatant.conditions:
        return None
    if impediments.must_flee(fight, combatant):
        used = combatant.spent.get("move", 0) + combatant.spent.get("standard", 0)
        if used >= declared_actions.allowance(fight, combatant).total:
            return None
        return impediments.plan_flight_from_fear(fight, combatant, speed_with_burdens(fight, combatant))
    if "immobilized" in combatant.conditions:
        return acts.GetFree(actor=combatant.id)
    if combatant.mount:
        return None
    act = next_declaration(fight, combatant)
    return replace(act, defensively=False) if isinstance(act, acts.Cast) else act


def act_of_plan(fight: Fight, actor: Combatant, act: AnyAct | None) -> AnyAct | None:
    """Return the act, or one that the plan requires instead; None if the plan leaves nothing useful."""
    left = declared_actions.unused_plans(actor)
    if act is not None and is_in_plan(fight, actor, act):
        return act
    for _, (_, what, aim) in left:
        target = fight.state.combatants.get(aim)
        if what == "attack" and target is not None and not is_down(fight, target):
            weapons = held_weapons(actor) or [unarmed(fight, actor)]
            strike = acts.Attack(actor=actor.id, target=aim, weapon=weapons[0].name)
            reached = declared_actions.any_reaches(actor, target, weapons[:1])
            if reached and may_attack_now(fight, actor, strike, target, weapons[0]):
                return strike
    broken = any(declared_actions.is_impossible(fight, actor, one) for _, one in left)
    return (
        act
        if broken and act is not None and declared_actions.may_replace(declared_actions.name_of(act))
        else None
    )


def may_attack_now(
    fight: Fight, actor: Combatant, strike: acts.Attack, target: Combatant, weapon: Weapon
) -> bool:
    """Return whether the rules and the rest of the turn allow an attack that is in the plan."""
    try:
        refuse_unless_allowed(fight, actor, "standard")
    except Refusal:
        return False
    return is_permitted(fight, strike) and is_possible_blow(fight, actor, target, weapon)


def is_in_plan(fight: Fight, actor: Combatant, act: AnyAct) -> bool:
    """Return whether the plan names the act, or the act needs no declaration."""
    types = declared_actions.types_of_action(fight, actor, act)
    if not any(kind in declared_actions.BUDGETED for kind in types):
        return True
    named = declared_actions.name_in_plan(fight, actor, act), declared_actions.target_of(act)
    return declared_actions.get_position_in_plan(actor, types, *named) is not None
