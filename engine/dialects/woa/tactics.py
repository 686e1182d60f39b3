"""Automatic declarations: a plan that fits an intended act, and acts that keep to the plan."""

from typing import Any

from msgspec.structs import replace

from affray.engine.dialects.woa import plan as plans
from affray.engine.dialects.woa.cycle import undeclared
from affray.engine.fight import Fight
from affray.engine.rules.conditions import is_down
from affray.engine.rules.place import distance
from affray.engine.rules.weapons import held_weapons, unarmed
from affray.engine.tactics import can_strike, decide
from affray.events.facts import acts
from affray.events.facts.declared import AnyAct
from affray.projections.state import Combatant

PLANNED = ("standard", "move", "full-round")
"""The types of action that a plan can name."""


def propose(fight: Fight, who: Combatant, act: AnyAct | None) -> acts.Plan:
    """Return the plan that lets a combatant carry out `act`, and a useful second action with it.

    After a move or getting up it attacks the nearest enemy; with a standard action it keeps a move in
    hand. None, or an act that needs no declaration, is a plan to do nothing.
    """
    if act is None or plans.name_of(act) not in plans.TYPES:
        return acts.Plan(actor=who.id)
    allowed = plans.allowance(fight, who)
    kind: Any = plans.kinds(fight, who, act)[0]
    if kind not in PLANNED:
        return acts.Plan(actor=who.id)
    first = acts.Intent(kind, plans.name_of(act), plans.target_of(act))
    if kind == "full-round" or allowed.total < 2:
        return acts.Plan(actor=who.id, actions=(first,))
    if kind == "standard":
        return acts.Plan(actor=who.id, actions=(first, acts.Intent("move", "move")))
    enemy = nearest(fight, who)
    second = acts.Intent("standard", "attack", enemy.id) if enemy else acts.Intent("move", "move")
    return acts.Plan(actor=who.id, actions=(first, second))


def nearest(fight: Fight, who: Combatant) -> Combatant | None:
    """Return the nearest enemy that still stands."""
    standing = [enemy for enemy in fight.enemies(who) if not is_down(fight, enemy)]
    return min(standing, key=lambda enemy: (distance(who, enemy), enemy.hp, enemy.id), default=None)


def next_act(fight: Fight) -> AnyAct | None:
    """Return what automatic play declares next: plans first, then acts that keep to them.

    None leaves the decision to the general tactics: whenever nobody is bound by a plan.
    """
    state = fight.state
    if state.closed or not state.begun:
        return None
    if state.phase == "declare":
        waiting = undeclared(fight)
        if not waiting:
            return acts.EndTurn()
        return propose(fight, waiting[0], intended(fight, waiting[0]))
    if not state.active:
        return None
    who = state.combatants[state.active]
    if not who.plan:
        return acts.EndTurn(actor=who.id) if who.mount else None
    return conforming(fight, who, intended(fight, who)) or acts.EndTurn(actor=who.id)


def intended(fight: Fight, who: Combatant) -> AnyAct | None:
    """Return what the general tactics would do, without the defensive casting that this text lacks.

    Riders are left to their players: the general tactics go by rules on mounts that this text lacks.
    """
    if who.mount:
        return None
    act = decide(fight, who)
    return replace(act, defensively=False) if isinstance(act, acts.Cast) else act


def conforming(fight: Fight, who: Combatant, act: AnyAct | None) -> AnyAct | None:
    """Return the act, or one that the plan asks for instead; None when the plan leaves nothing useful."""
    left = plans.unused(who)
    if not left or (isinstance(act, acts.Move) and engaged(fight, who)):
        return None
    if act is not None and fits(fight, who, act):
        return act
    for _, (type_, what, aim) in left:
        target = fight.state.combatants.get(aim)
        if what == "attack" and target is not None and not is_down(fight, target) and type_ == "standard":
            weapons = held_weapons(who) or [unarmed(fight, who)]
            strike = acts.Attack(actor=who.id, target=aim, weapon=weapons[0].name)
            if plans.reaches(who, target, weapons[:1]):
                return strike
    broken = any(plans.impossible(fight, who, one) for _, one in left)
    if broken and act is not None and plans.name_of(act) in (*plans.ALIKE, "move"):
        return act
    return None


def engaged(fight: Fight, who: Combatant) -> bool:
    """Say whether an enemy stands within reach of a melee weapon in hand, so that moving gains nothing."""
    return any(
        can_strike(who, enemy, weapon)
        for enemy in fight.enemies(who)
        if not is_down(fight, enemy)
        for weapon in held_weapons(who) or [unarmed(fight, who)]
    )


def fits(fight: Fight, who: Combatant, act: AnyAct) -> bool:
    """Say whether the plan names the act, or the act needs no declaration."""
    what = plans.name_of(act)
    if what not in plans.TYPES:
        return True
    return plans.find(who, plans.kinds(fight, who, act), what, plans.target_of(act)) is not None
