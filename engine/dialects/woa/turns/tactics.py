"""Automatic declarations: a plan that fits an intended act, and acts that keep to the plan."""

from collections.abc import Collection
from typing import Any

from msgspec.structs import replace

from affray.engine.dialects.woa.classes.turned_undead import flees_from
from affray.engine.dialects.woa.conditions import flight_from_fear
from affray.engine.dialects.woa.grapple.grapple_state import opponents
from affray.engine.dialects.woa.movement.movement import speed_with_burdens
from affray.engine.dialects.woa.turns import declared_actions as plans
from affray.engine.dialects.woa.turns import keep_to_plan, mounted_tactics
from affray.engine.dialects.woa.turns.declared_actions import undeclared
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.gear.held_weapons import held_weapons
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.mounted.rider_and_mount import guides
from affray.engine.rules.movement.flee import flight_path
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.tactics import next_declaration
from affray.events.facts import acts
from affray.events.facts.declared import AnyAct
from affray.projections.state import Combatant

#: What leaves a rider no mind to fight.
UNFREE = ("panicked", "fleeing", "turned", "awed", "grappling")
SAID_AND_DONE = ("maintain", "release", "escape", "escape-artist", "pin", "arm-lock", "clamp-mouth", "attack")
"""Activities of a grapple that are carried out as declared."""


def propose(fight: Fight, actor: Combatant, act: AnyAct | None) -> acts.Plan:
    """Return the plan that lets a combatant carry out `act`, and a useful second action with it.

    After a move or getting up it attacks the nearest enemy; with a standard action it keeps a move in
    hand. Before what needs no declaration, as a quick draw, it keeps both in hand. None is a plan to do
    nothing.
    """
    if act is None:
        return acts.Plan(actor=actor.id)
    if flight_from_fear.must_flee(fight, actor):
        move = acts.Intent("move", plans.name_of(act))
        return acts.Plan(actor=actor.id, actions=(move,) * plans.allowance(fight, actor).total)
    allowed = plans.allowance(fight, actor)
    kinds, meant = keep_to_plan.types_of_action(fight, actor, act), ""
    if len(kinds) > 1:
        meant = fight.dialect.turns.action_type(fight, actor, act)
    kind: Any = meant if meant in kinds else kinds[0]
    first = acts.Intent(kind, keep_to_plan.name_in_plan(fight, actor, act), plans.target_of(act))
    attack = acts.Intent("standard", "attack", nearest_enemy(fight, actor).id)
    if kind not in plans.BUDGETED:
        first, kind = attack, "standard"
    if kind == "full-round" or allowed.total < 2:
        return acts.Plan(actor=actor.id, actions=(first,))
    second = acts.Intent("move", "move") if kind == "standard" else attack
    return acts.Plan(actor=actor.id, actions=(first, second))


def plan_of_grappler(fight: Fight, combatant: Combatant) -> acts.Plan:
    """Return the plan of a grappler: to strike the opponent, or to get out of a friend's arms."""
    enemy = next((one for one in opponents(fight, combatant) if one.side != combatant.side), None)
    what, target = (
        ("attack", enemy.id) if enemy is not None else ("escape", opponents(fight, combatant)[0].id)
    )
    return acts.Plan(actor=combatant.id, actions=(acts.Intent("grapple", what, target),))


def act_of_grappler(combatant: Combatant) -> AnyAct:
    """Return what a grappler does who has won: what it declared, if that needs nothing more said."""
    for _, (_, what, aim) in plans.unused_plans(combatant):
        if what in SAID_AND_DONE:
            skill = what == "escape-artist"
            named: Any = "escape" if skill else what
            return acts.Grapple(actor=combatant.id, target=aim, what=named, skill=skill)
    return acts.EndTurn(actor=combatant.id)


def nearest_enemy(fight: Fight, combatant: Combatant) -> Combatant:
    """Return the nearest enemy that still stands. Automatic play goes on only while there is one."""
    standing = [enemy for enemy in fight.enemies(combatant) if not is_down(fight, enemy)]
    return min(standing, key=lambda enemy: (distance(combatant, enemy), enemy.hp, enemy.id))


def next_act(fight: Fight, whom: Collection[str] = ()) -> AnyAct | None:
    """Return what automatic play declares next: plans first, those of `whom` before others', then acts that
    keep to them.

    None leaves the decision to the general tactics: whenever nobody is bound by a plan.
    """
    state = fight.state
    if state.phase == "declare":
        waiting = sorted(undeclared(fight), key=lambda one: one.id not in whom)
        if not waiting:
            return acts.EndTurn()
        if "grappling" in waiting[0].conditions:
            return plan_of_grappler(fight, waiting[0])
        if can_fight_mounted(fight, waiting[0]):
            return mounted_tactics.plan(fight, waiting[0])
        return propose(fight, waiting[0], general_tactics(fight, waiting[0]))
    if not state.active:
        return None
    combatant = state.combatants[state.active]
    if not combatant.plan:
        return acts.EndTurn(actor=combatant.id) if combatant.mount else None
    if "grappling" in combatant.conditions:
        return act_of_grappler(combatant)
    if can_fight_mounted(fight, combatant):
        return mounted_tactics.next_mounted_act(fight, combatant) or acts.EndTurn(actor=combatant.id)
    return act_of_plan(fight, combatant, general_tactics(fight, combatant)) or acts.EndTurn(
        actor=combatant.id
    )


def can_fight_mounted(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a rider is free to fight from the saddle: not helpless, panicked, turned or bound."""
    return (
        bool(combatant.mount)
        and guides(fight, combatant)
        and not any(name in combatant.conditions for name in UNFREE)
    )


def general_tactics(fight: Fight, combatant: Combatant) -> AnyAct | None:
    """Return what the general tactics would do, without the defensive casting that this text lacks."""
    danger = flees_from(fight, combatant)
    if danger is not None:
        path = flight_path(fight, combatant, danger)
        return acts.Move(actor=combatant.id, path=path) if path else None
    if "awed" in combatant.conditions:
        return None
    if flight_from_fear.must_flee(fight, combatant):
        used = combatant.spent.get("move", 0) + combatant.spent.get("standard", 0)
        if used >= plans.allowance(fight, combatant).total:
            return None
        return flight_from_fear.way_from_fear(fight, combatant, speed_with_burdens(fight, combatant))
    if "immobilized" in combatant.conditions:
        return acts.GetFree(actor=combatant.id)
    if combatant.mount:
        return None
    act = next_declaration(fight, combatant)
    return replace(act, defensively=False) if isinstance(act, acts.Cast) else act


def act_of_plan(fight: Fight, actor: Combatant, act: AnyAct | None) -> AnyAct | None:
    """Return the act, or one that the plan asks for instead; None when the plan leaves nothing useful."""
    left = plans.unused_plans(actor)
    if act is not None and is_in_plan(fight, actor, act):
        return act
    for _, (_, what, aim) in left:
        target = fight.state.combatants.get(aim)
        if what == "attack" and target is not None and not is_down(fight, target):
            weapons = held_weapons(actor) or [unarmed(fight, actor)]
            strike = acts.Attack(actor=actor.id, target=aim, weapon=weapons[0].name)
            if keep_to_plan.any_reaches(actor, target, weapons[:1]):
                return strike
    broken = any(keep_to_plan.is_impossible(fight, actor, one) for _, one in left)
    return act if broken and act is not None and keep_to_plan.may_replace(plans.name_of(act)) else None


def is_in_plan(fight: Fight, actor: Combatant, act: AnyAct) -> bool:
    """Say whether the plan names the act, or the act needs no declaration."""
    types = keep_to_plan.types_of_action(fight, actor, act)
    if not any(kind in plans.BUDGETED for kind in types):
        return True
    named = keep_to_plan.name_in_plan(fight, actor, act), plans.target_of(act)
    return keep_to_plan.place_in_plan(actor, types, *named) is not None
