"""Automatic play: stand up, attack what is in reach, otherwise approach, Dash or Dodge."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from affray.engine.dialects.srd52 import magic, turns
from affray.engine.dialects.srd52.attacks import has_attack, is_ranged, reach_with
from affray.engine.dialects.srd52.classes import fields_of
from affray.engine.dialects.srd52.damage import is_object
from affray.engine.dialects.srd52.environment import FLYING
from affray.engine.dialects.srd52.features import SPELL, Feature, ask, features_of
from affray.engine.dialects.srd52.gear import arms, hands_free, long_range, most_attacks
from affray.engine.dialects.srd52.magic import TIMES, Cast, concentration_of, dice_of_spell, range_of, row_of
from affray.engine.dialects.srd52.monster import UseAction, targets_of
from affray.engine.dialects.srd52.movement import feet_left, feet_now, full_speed
from affray.engine.dialects.srd52.position import cover_of, distance
from affray.engine.dialects.srd52.printed import Action, actions_of, left_of, why_unavailable
from affray.engine.dialects.srd52.senses import in_sight
from affray.engine.dialects.srd52.spell_effects import affected
from affray.engine.dice.distribution import distribution
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.kernel.actions import can_spend, is_permitted
from affray.engine.kernel.paths import ReachablePath, cheapest_paths, passed
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
        healings(fight, combatant),
        worthwhile(fight, combatant, enemies, limited=True),
        castings(fight, combatant, enemies),
        attacks(fight, combatant, enemies),
        worthwhile(fight, combatant, enemies, limited=False),
    ):
        for act in plan:
            if is_permitted(fight, act) and can_begin(fight, act):
                return fight.dialect.recorded(act)
    waits = not has_attack(fight, combatant) and keeps_distance(fight, combatant, enemies[0])
    if not waits and (step := approach(fight, combatant, enemies[0])):
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


# --- Spells


def is_harmful(row: Mapping[str, Any]) -> bool:
    """Return whether a spell deals damage by itself: by a save, an attack, or without fail."""
    return "damage" in row and any(one in row for one in ("save", "attack", "darts"))


def known(fight: Fight, caster: Combatant) -> Iterator[tuple[str, Feature]]:
    """Yield the spells that a caster has prepared and that a rule plays."""
    own = fields_of(fight, caster).spells
    always = (one for held in features_of(fight, caster) for one in held.feature.prepares)
    table: Mapping[str, Feature] = fight.dialect.kernel.features
    for name in dict.fromkeys((*own, *always)):
        feature = table.get(f"{SPELL} {name}")
        if feature is not None and feature.spell is not None:
            yield name, feature


def prepared(fight: Fight, caster: Combatant) -> Iterator[tuple[str, Feature]]:
    """Yield the spells that a caster has prepared and can cast now; no second one to concentrate on."""
    for name, feature in known(fight, caster):
        row = row_of(fight, feature)
        busy = row["concentration"] and concentration_of(caster) is not None
        if can_spend(fight, caster, TIMES.get(row["casting_time"], "")) and not busy:
            yield name, feature


def healings(fight: Fight, caster: Combatant) -> Iterator[Cast]:
    """Yield the castings that bring a fallen friend back to its feet."""
    fallen = [
        one
        for one in fight.state.combatants.values()
        if one.side == caster.side and one.hp <= 0 and "dead" not in one.conditions and not is_object(one)
    ]
    if fallen:
        for name, feature in prepared(fight, caster):
            if "healing" in row_of(fight, feature):
                yield from (Cast(actor=caster.id, spell=name, targets=(one.id,)) for one in fallen)


def castings(fight: Fight, caster: Combatant, enemies: list[Combatant]) -> Iterator[Cast]:
    """Yield the castings that harm enemies more than a weapon would, the most harmful first.

    A friend in the area weighs as much as two enemies.
    """
    harmful = [(name, one) for name, one in prepared(fight, caster) if is_harmful(row_of(fight, one))]
    if not harmful:
        return
    blows = [average(one) for one in arms(fight, caster)] if has_attack(fight, caster) else []
    least = most_attacks(fight, caster) * max(blows, default=0.0)
    found: list[tuple[float, Cast]] = []
    for name, feature in harmful:
        row = row_of(fight, feature)
        for enemy in enemies:
            plain = Cast(actor=caster.id, spell=name)
            placed = "area" in row and row["area"]["shape"] != "emanation"
            for act in (replace(plain, at=enemy.at),) if placed else aimed(row, plain, enemy):
                found += ((worth, act) for worth in [harm_of(fight, caster, act, feature)] if worth > least)
    found.sort(key=lambda one: -one[0])
    yield from (act for _, act in found)


def aimed(row: Mapping[str, Any], plain: Cast, enemy: Combatant) -> Iterator[Cast]:
    """Yield a spell without a place: on itself, or on an enemy, with all its darts or rays on the same."""
    if "area" in row:
        yield plain
    else:
        yield replace(plain, targets=(enemy.id,) * max(1, row.get("darts", 0), row.get("rays", 0)))


def harm_of(fight: Fight, caster: Combatant, act: Cast, feature: Feature) -> float:
    """Return the average damage of a casting to enemies, less twice that to friends; 0 if it is refused.

    That an attack may miss, or a save succeed, takes off the same from each spell and is left out.
    """
    try:
        casting = magic.prepare(fight, caster, act, feature)
    except Refusal:
        return 0.0
    struck = affected(fight, casting) if "area" in casting.row else casting.targets
    gained = sum(1 if one.side != caster.side else -2 for one in struck if not is_object(one))
    rows = casting.row["damage"] if isinstance(casting.row["damage"], list) else [casting.row["damage"]]
    dice = [dice_of_spell(casting, row).replace(" ", "") for row in rows]
    return gained * float(sum(distribution(one).mean for one in dice))


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


def keeps_distance(fight: Fight, combatant: Combatant, enemy: Combatant) -> bool:
    """Return whether a combatant can harm an enemy from afar, where it is: it need not come closer."""
    far = distance(combatant, enemy)
    rows = (row_of(fight, feature) for _, feature in known(fight, combatant))
    return any(is_usable(fight, combatant, one, far) for one in arms(fight, combatant)) or any(
        "damage" in row and range_of(row, combatant) >= far for row in rows
    )


def approach(fight: Fight, combatant: Combatant, enemy: Combatant) -> AnyAct | None:
    """Return a move toward an enemy, as near as the movement left allows; None if none leads nearer.

    It provokes nothing if a path that provokes nothing leads as near.
    """
    far, feet = distance(combatant, enemy), feet_now(fight, combatant)
    if far <= SQUARE_FT or not feet or "prone" in combatant.conditions:
        return None
    how = "fly" if FLYING in combatant.conditions else "normal"
    near, path = nearest(fight, combatant, enemy, feet, how)
    if near >= far:
        return None
    if passed(fight, combatant, path, how):
        safely = nearest(fight, combatant, enemy, feet, how, safely=True)
        path = safely[1] if safely[0] <= near else path
    move = acts.Move(actor=combatant.id, path=path, how=how)
    return move if is_permitted(fight, move) and can_begin(fight, move) else None


def nearest(
    fight: Fight, combatant: Combatant, enemy: Combatant, feet: int, how: str, *, safely: bool = False
) -> tuple[int, tuple[Square, ...]]:
    """Return how near to an enemy a movement leads, and the cheapest path there."""
    near, best = distance(combatant, enemy), tuple[Square, ...]()
    for to, (path, _) in cheapest_paths(fight, combatant, feet, how, safely=safely):
        if distance(combatant, enemy, to) < near:
            near, best = distance(combatant, enemy, to), path
        if near <= SQUARE_FT:
            break
    return near, best


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
