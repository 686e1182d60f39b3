"""Sunder: what an opponent holds or wears struck to pieces (woa.maneuver.sunder.*)."""

from affray.engine.dialects.woa.damage.weapon_damage import damage_bonus
from affray.engine.dialects.woa.gear.objects import Object, effect_on, is_broken, is_damaged, sturdiness
from affray.engine.dialects.woa.maneuvers.item_targets import guard_by_base_attack, named_item, weapon_in_hand
from affray.engine.dialects.woa.maneuvers.maneuver_check import (
    at_mercy,
    attempt_maneuver,
    maneuver_blow,
    refuse_by_size,
    spend_maneuver_action,
    strength_bonus,
)
from affray.engine.dialects.woa.maneuvers.maneuvers_as_attacks import refuse_instead
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.classes.ability_modifiers import has_feat, size_step
from affray.engine.rules.conditions.condition_rules import condition_parts, effect_parts
from affray.engine.rules.gear.item_hardness import is_held
from affray.engine.rules.gear.let_go import lose
from affray.engine.rules.gear.strike_object import carry_over
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import DamagePart, ItemStruck
from affray.events.facts.flow import RuleApplied
from affray.events.wording import counted
from affray.projections.state import Combatant

SOFT = "cloth"


def sunder(fight: Fight, act: acts.Sunder) -> Steps[None]:
    """Strike at what an opponent holds or wears, as a standard action (woa.maneuver.sunder.action-cost)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, actor, "standard")
    planned = sunder_attempt(fight, actor, target, act.weapon, act.item, "attack", act.secured)
    thing = struck_object(fight, target, planned.item, act)
    yield spend_maneuver_action(
        fight, actor, "sunder", "woa.maneuver.sunder.action-cost", "woa.maneuver.sunder.definition"
    )
    yield from strike_at(fight, planned, thing)


def plan_sunder(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to sunder in place of an attack: a weapon or shield that the table knows."""
    planned = sunder_attempt(fight, attacker, target, weapon, item, kind, "normal")
    struck_object(fight, target, planned.item, None)
    return planned


def sunder_attempt(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str, secured: str
) -> Attempt:
    """Return the attempt to sunder. Refuses by size, worn armor, and what is out of harm's way.

    Option `sunder_size_limit` sets a limit for the gear of larger creatures too
    (woa.maneuver.sunder.size-limits, .well-secured-items, .ac-worn-item).
    """
    topic = "woa.maneuver.sunder.size-limits"
    refuse_by_size(fight, attacker, target, "sunder")
    refuse_instead(fight, attacker, target, "sunder", kind, "woa.maneuver.sunder.action-cost")
    larger = size_step(target) - size_step(attacker)
    if fight.option("sunder_size_limit") == "two-larger" and larger > fight.figure(topic, "max_smaller"):
        reason = f"{target.id} is too big for {attacker.id} to sunder (sunder_size_limit: two-larger)"
        raise Refusal(reason, fight.rule(topic))
    item = named_item(fight, target, item, "woa.maneuver.sunder.definition")
    refuse_secured(fight, target, item, secured)
    with_ = find_weapon(fight, attacker, weapon)
    blow = maneuver_blow(fight, attacker, target, "sunder", weapon=with_, kind=kind, strength=False)
    return Attempt(blow, item, secured, fight.declaration)


def refuse_secured(fight: Fight, target: Combatant, item: str, secured: str) -> None:
    """Refuse worn armor, what sits too well, and what armor shields unless its wearer is pinned."""
    rule = fight.rule("woa.maneuver.sunder.well-secured-items")
    if any(part.kind == "armor" and (part.source or "armor") == item for part in target.sheet.armor):
        raise Refusal(f"{target.id} wears the {item}: worn armor cannot be sundered", rule)
    if secured == "well":
        raise Refusal(f"the {item} sits too well to be sundered", rule)
    if secured == "armored" and "pinned" not in target.conditions:
        raise Refusal(f"armor shields the {item} unless {target.id} is pinned", rule)


def struck_object(fight: Fight, target: Combatant, item: str, act: acts.Sunder | None) -> Object:
    """Return how sturdy the object is: by the table, or as the declaration says.

    Refuses the unknown, and what is said otherwise of a thing in hand that the table knows.
    """
    thing = sturdiness(fight, target, item)
    if act is not None and thing is not None and is_held(target, item):
        said = (act.hardness or thing.hardness, act.hp or thing.hp, act.material or thing.material)
        if said != (thing.hardness, thing.hp, thing.material):
            reason = (
                f"the {item} is of {thing.material}, with hardness {thing.hardness} and "
                f"{counted(thing.hp, 'hit point')}"
            )
            raise Refusal(reason, fight.rule("woa.object.durability-source"))
    if act is not None and act.hp > 0 and (thing is None or not is_held(target, item)):
        return Object(act.hardness, act.hp, act.material or SOFT, ())
    if thing is None:
        raise Refusal(
            f"no table lists the {item}: say its hardness and hit points",
            fight.rule("woa.object.durability-source"),
        )
    return thing


def carry_out_sunder(fight: Fight, planned: Attempt) -> Steps[bool]:
    """Make the attempt in place of an attack."""
    return (
        yield from strike_at(fight, planned, struck_object(fight, planned.blow.target, planned.item, None))
    )


def strike_at(fight: Fight, planned: Attempt, thing: Object) -> Steps[bool]:
    """Make the check with what guards the item; a success harms it, a failure provokes nothing.

    Bare hands provoke only where they go for a weapon (woa.maneuver.sunder.unarmed-aoo, .failure).
    """
    blow, item = planned.blow, planned.item
    attacker, target = blow.attacker, blow.target
    topics = ["woa.maneuver.sunder.attack-bonus"]
    unguarded = list(blow.defense_extra)
    if not is_held(target, item):
        if strength_bonus(fight, target):
            topics += ["woa.maneuver.sunder.ac-worn-item", "woa.maneuver.ac-special"]
    elif not at_mercy(fight, target):
        yield from guard_by_base_attack(fight, blow, item, "woa.maneuver.sunder.ac-bab-option")

    def refuse_or_strike_worn() -> None:
        named_item(fight, target, item, "woa.maneuver.sunder.definition")
        if not is_held(target, item):  # put away: what is worn is not guarded
            blow.defense_extra[:] = unguarded
            blow.cites.append(fight.rule("woa.maneuver.sunder.ac-worn-item"))

    opening = "woa.maneuver.sunder.unarmed-aoo" if weapon_in_hand(target, item) is not None else ""
    result = yield from attempt_maneuver(fight, blow, *topics, opening=opening, again=refuse_or_strike_worn)
    if result is None:
        return False
    if not result.won:
        what = f"the {item} takes no harm, and nothing is provoked"
        yield RuleApplied(who=attacker.id, what=what, cites=fight.rules("woa.maneuver.sunder.failure"))
        return False
    yield from damage_object(fight, blow, item, thing)
    return True


def damage_object(fight: Fight, blow: Blow, item: str, thing: Object) -> Steps[None]:
    """Roll the weapon's damage; what the material lets through comes off the item, broken at 0.

    woa.maneuver.sunder.success, woa.object.state.damaged, .broken,
    woa.maneuver.sunder.improved-sunder-overflow.
    """
    attacker, target, weapon = blow.attacker, blow.target, blow.weapon
    effect = yield from effect_on(fight, weapon, thing)
    parts = [*damage_bonus(fight, blow), *condition_parts(fight, attacker, "damage")]
    tally = fight.stack([*parts, *effect_parts(attacker, "damage", target.id)])
    rolled = yield Roll(attacker.id, "damage", weapon.damage)
    total = max(fight.figure("woa.damage.minimum-1", "minimum_on_hit"), rolled.total + tally.total)
    through = {"full damage": total, "half damage": total // 2}.get(effect, 0)
    before = max(0, thing.hp - target.resources.get(f"damage to {item}", 0))
    beyond = max(0, through - thing.hardness) - before
    dealt = min(before, max(0, through - thing.hardness))
    topics = ["woa.maneuver.sunder.success"]
    if effect != "full damage":
        topics.append("woa.maneuver.sunder.ineffective-weapons")
    left = before - dealt
    broken = dealt and is_broken(fight, left)
    if dealt and not broken and is_damaged(fight, left, thing.hp):
        topics.append("woa.object.state.damaged")
    yield ItemStruck(
        attacker=attacker.id,
        bearer=target.id,
        item=item,
        weapon=weapon.name,
        dice=(DamagePart(weapon.damage, rolled.key, rolled.total, weapon.damage_type, weapon.name),),
        modifiers=tally.parts,
        total=total,
        hardness=thing.hardness,
        dealt=dealt,
        left=left,
        cites=(*thing.cites, *fight.rules(*topics)),
    )
    if broken:
        held = is_held(target, item)
        yield from lose(fight, target, item, "broken", fight.rules("woa.object.state.broken"))
        if held and beyond > 0 and has_feat(attacker, "improved sunder"):
            rule = fight.rule("woa.maneuver.sunder.improved-sunder-overflow")
            yield from carry_over(fight, blow, item, beyond, rule)
