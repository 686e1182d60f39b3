"""Automatic play: stand up, attack what is in reach, otherwise approach, Dash or Dodge."""

from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from affray.engine.dialects.srd52 import turns
from affray.engine.dialects.srd52.attacks import has_attack, is_ranged, reach_with
from affray.engine.dialects.srd52.damage import is_object
from affray.engine.dialects.srd52.environment import FLYING
from affray.engine.dialects.srd52.features import ask
from affray.engine.dialects.srd52.gear import arms, hands_free, long_range
from affray.engine.dialects.srd52.monster import UseAction, targets_of
from affray.engine.dialects.srd52.movement import feet_left, feet_now, full_speed
from affray.engine.dialects.srd52.position import cover_of, distance
from affray.engine.dialects.srd52.printed import Action, actions_of, left_of, why_unavailable
from affray.engine.dialects.srd52.senses import in_sight
from affray.engine.dice.distribution import distribution
from affray.engine.fight.fight import Fight
from affray.engine.kernel.actions import can_spend, is_permitted
from affray.engine.kernel.paths import ReachablePath, ways
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.flow import AnyAct
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def next_declaration(fight: Fight, combatant: Combatant) -> AnyAct | None:
    """Return what a combatant does next: stand up, attack, approach, Dash; None if nothing useful is left."""
    enemies = [one for one in fight.enemies(combatant) if is_worth_attacking(one)]
    enemies.sort(key=lambda one: (distance(combatant, one), one.hp, one.id))
    if not enemies:
        return None
    if "prone" in combatant.conditions and can_stand(fight, combatant):
        return acts.Stand(actor=combatant.id)
    if use := use_of_feature(fight, combatant):
        return use
    for plan in (
        worthwhile(fight, combatant, enemies, limited=True),
        attacks(fight, combatant, enemies),
        worthwhile(fight, combatant, enemies, limited=False),
    ):
        for act in plan:
            if is_permitted(fight, act) and can_begin(fight, act):
                return act if isinstance(act, acts.Attack) else fight.dialect.recorded(act)
    if step := approach(fight, combatant, enemies[0]):
        return step
    held = "grappled" in combatant.conditions
    if can_spend(fight, combatant, "action"):
        escape = fight.dialect.own_acts["srd52.escape"](actor=combatant.id)
        idle = (
            turns.Dash(actor=combatant.id)
            if full_speed(fight, combatant)
            else turns.Dodge(actor=combatant.id)
        )
        return fight.dialect.recorded(escape if held else idle)
    return None


def use_of_feature(fight: Fight, combatant: Combatant) -> AnyAct | None:
    """Return what a combatant does with one of its features now; None for nothing."""
    for function, held in ask(fight, combatant, "plays"):
        act = function(fight, held)
        if act is not None and is_permitted(fight, act) and can_begin(fight, act):
            return fight.dialect.recorded(act)
    return None


def can_begin(fight: Fight, act: acts.Act) -> bool:
    """Return whether the rules let a declaration begin; a resolver refuses before its first step or never."""
    steps = fight.dialect.acts[type(act)](fight, act)
    try:
        next(steps, None)
    except Refusal:
        return False
    steps.close()
    return True


def is_worth_attacking(one: Combatant) -> bool:
    """Return whether an enemy still fights: not the dead, nor who lies at 0 hit points, nor a thing."""
    return "dead" not in one.conditions and one.hp > 0 and not is_object(one)


def can_stand(fight: Fight, combatant: Combatant) -> bool:
    """Return whether enough movement is left to stand up."""
    speed = full_speed(fight, combatant)
    half = speed // fight.figure("conditions.prone-stand", "divisor")
    return speed > 0 and feet_left(fight, combatant) >= half


def attacks(fight: Fight, combatant: Combatant, enemies: list[Combatant]) -> Iterator[AnyAct]:
    """Yield the attacks that the turn still allows, on the nearest enemies first."""
    if not has_attack(fight, combatant):
        return
    listed = left_of(fight, combatant)
    for enemy in enemies:
        if cover_of(fight, combatant, enemy)[0] == "total" or not in_sight(fight, combatant, enemy):
            continue
        far = distance(combatant, enemy)
        usable = [one for one in arms(fight, combatant) if is_usable(fight, combatant, one, far)]
        if listed:
            usable = [one for one in usable if one.name in listed]
        for weapon in sorted(usable, key=lambda one: (one.wield == "unarmed", -average(one))):
            yield acts.Attack(actor=combatant.id, target=enemy.id, weapon=weapon.name)


def average(weapon: Weapon) -> float:
    """Return the average of the damage dice of a weapon."""
    dice = [weapon.damage, *(one.dice for one in weapon.extra)]
    return sum(float(distribution(one).mean) for one in dice if one)


def is_usable(fight: Fight, combatant: Combatant, weapon: Weapon, far: int) -> bool:
    """Return whether a weapon reaches so far, has missiles left, and enough hands hold it."""
    if weapon.ammunition is not None and combatant.resources.get(weapon.name, 0) >= weapon.ammunition:
        return False
    if weapon.hands > hands_free(combatant, weapon.name):
        return False
    action = actions_of(fight, combatant).get(weapon.name)
    if action is not None and why_unavailable(fight, combatant, action)[0]:
        return False
    if is_ranged(weapon) or (weapon.range and weapon.wield == "natural"):
        return far <= max(weapon.range, long_range(weapon))
    return far <= reach_with(fight, combatant, weapon)


def approach(fight: Fight, combatant: Combatant, enemy: Combatant) -> AnyAct | None:
    """Return a move toward an enemy, as near as the movement left allows; None if none leads nearer."""
    if not feet_now(fight, combatant) or "prone" in combatant.conditions:
        return None
    best, how = None, "fly" if FLYING in combatant.conditions else "normal"
    for way in ways(fight, combatant, how):
        rank = (distance(combatant, enemy, way.to), len(way.past), way.feet, way.path)
        if best is None or rank < best:
            best = rank
    if best is None or best[0] >= distance(combatant, enemy):
        return None
    move = acts.Move(actor=combatant.id, path=best[3], how=how)
    return move if is_permitted(fight, move) and can_begin(fight, move) else None


# --- Uses of printed actions


def proposals(fight: Fight, combatant: Combatant, reach: Sequence[ReachablePath]) -> Iterator[UseAction]:
    """Yield the uses of printed actions to try: on each target, aimed at each, along each path."""
    for action in actions_of(fight, combatant).values():
        if action.kind not in ("action", "bonus"):
            continue
        others = [one for one in fight.state.combatants.values() if one.id != combatant.id]
        plain = UseAction(actor=combatant.id, action=action.name)
        if action.makes:
            yield from (replace(plain, target=one.id) for one in others)
            yield from (replace(plain, target=one.id, path=way.path) for way in reach for one in others)
        elif action.shape in ("cone", "line", "sphere", "cylinder"):
            yield from (replace(plain, at=one.at) for one in others)
        elif action.moves and "teleport" not in action.moves and action.shape != "path":
            yield from (replace(plain, path=way.path) for way in reach)
        elif action.leap or action.moves:
            yield from (replace(plain, at=way.to) for way in reach)
        elif action.shape or not (action.save or action.damage or action.conditions):
            yield plain
        else:
            yield from (replace(plain, target=one.id) for one in others)


def worthwhile(
    fight: Fight, combatant: Combatant, enemies: Sequence[Combatant], limited: bool
) -> Iterator[UseAction]:
    """Yield the uses of actions that harm enemies, and more of them than friends, the best first.

    limited: those with a Recharge or uses a day, and Bonus Actions; otherwise the rest.
    """
    found: list[tuple[int, UseAction]] = []
    for action in actions_of(fight, combatant).values():
        scarce = bool(action.recharge or action.uses or action.rest) or action.kind == "bonus"
        if action.kind not in ("action", "bonus") or scarce != limited:
            continue
        if action.moves or action.makes or not (action.save or action.damage):
            continue
        plain = UseAction(actor=combatant.id, action=action.name)
        for enemy in enemies:
            act = replace(plain, at=enemy.at) if action.shape else replace(plain, target=enemy.id)
            try:
                struck = targets_of(fight, combatant, action, act.target, act.at)
            except Refusal:
                continue
            gained = sum(1 if one.side != combatant.side else -1 for one in struck)
            if gained > 0 and not are_bound(combatant, action, struck):
                found.append((gained, act))
    found.sort(key=lambda one: -one[0])
    yield from (act for _, act in found)


def are_bound(owner: Combatant, action: Action, struck: Collection[Combatant]) -> bool:
    """Return whether all targets have the condition already that an action without damage gives."""
    return bool(
        action.conditions
        and not action.damage
        and all(action.conditions[0] in one.conditions for one in struck)
    )
