"""Shooting and throwing, with the feats of archers (srd35.feat.precise-shot and the like)."""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks import attack_modifiers
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.feat_prerequisites import refuse_without
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ResourceSpent
from affray.events.facts.modifier import Modifier
from affray.events.wording import counted
from affray.projections.state import Combatant

UNDER_ATTACK = "under attack"
"""The condition by which the game master says that one who cannot defend itself is being attacked."""


def range_increment(fight: Fight, blow: Blow) -> int:
    """Return the weapon's range increment in feet, longer by Far Shot (srd35.feat.far-shot)."""
    feet = blow.weapon.range
    if has_feat(blow.attacker, "far shot"):
        kind = "thrown" if blow.weapon.thrown else "projectile"
        feet = int(feet * fight.figure("srd35.feat.far-shot", kind))
    return feet


def cite_far_shot(fight: Fight, blow: Blow) -> None:
    """Cite Far Shot where it spares a range increment (srd35.feat.far-shot)."""
    plain = blow.weapon.range
    if plain and blow.distance // plain > blow.distance // range_increment(fight, blow):
        blow.cites.append(fight.rule("srd35.feat.far-shot"))


def into_melee(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty for shooting at somebody engaged with a friend, or what spares it.

    Precise Shot does; and who cannot defend itself is engaged only while somebody does attack it
    (srd35.attack-action.into-melee, .engaged, srd35.feat.precise-shot).
    """
    near = [one for one in fight.allies(blow.attacker) if are_in_melee(fight, one, blow.target)]
    near = near if near and is_too_near_friends(fight, blow, near) else []
    if not near:
        return []
    fighting = [one for one in near if all(takes_part_in_melee(fight, side) for side in (one, blow.target))]
    topic = "srd35.attack-action.into-melee"
    source = f"into melee with {(fighting or near)[0].id}"
    part = fight.modifier(topic, "penalty", kind="penalty", source=source)
    engaged = fight.rule("srd35.attack-action.engaged")
    if not fighting:
        part = replace(part, denied=f"nobody there is under attack ({engaged})")
    elif has_feat(blow.attacker, "precise shot"):
        blow.cites.append(fight.rule("srd35.feat.precise-shot"))
        part = replace(part, denied=f"Precise Shot ({fight.rule('srd35.feat.precise-shot')})")
    blow.cites.append(engaged)
    return [part]


def are_in_melee(fight: Fight, friend: Combatant, target: Combatant) -> bool:
    """Say whether one of two enemies threatens the other; the dead are in no melee."""
    if "dead" in friend.conditions:
        return False
    pair = ((friend, target), (target, friend))
    return any(not is_down(fight, one) and threatens(fight, one, other) for one, other in pair)


def takes_part_in_melee(fight: Fight, combatant: Combatant) -> bool:
    """Say whether somebody takes part in a melee: able to, or under attack all the same."""
    return not is_helpless(fight, combatant) or UNDER_ATTACK in combatant.conditions


def is_too_near_friends(fight: Fight, blow: Blow, friends: list[Combatant]) -> bool:
    """Say whether no part of the target is far enough from all of these friends."""
    clear = fight.figure("srd35.attack-action.into-melee", "waived_if_distance_ft")
    return not attack_modifiers.is_clear_of_friends(friends, blow.target, clear)


def manyshot(fight: Fight, act: acts.Manyshot) -> Steps[None]:
    """Loose two arrows or more at one target within 30 feet, as a standard action and on one roll.

    The more arrows, the more base attack bonus it takes and the greater the penalty; precision counts
    once, the first arrow alone can be critical, damage reduction meets each (srd35.feat.manyshot).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    topic = "srd35.feat.manyshot"
    rule = refuse_without(fight, actor, "manyshot")
    weapon = find_weapon(fight, actor, act.weapon)
    if weapon.family != "bow":
        raise Refusal(f"Manyshot takes a bow, not the {weapon.name}", rule)
    row = next((row for row in fight.figure(topic, "rows") if row["arrows"] == act.arrows), None)
    if row is None or actor.sheet.base_attack < row["bab"]:
        raise Refusal(f"{actor.id} cannot loose {counted(act.arrows, 'arrow')} at once", rule)
    blow = fight.dialect.attacks.prepare(fight, actor, target, weapon, "attack")
    reach = fight.figure(topic, "range_ft")
    if blow.melee or blow.distance > reach:
        raise Refusal(f"{target.id} is {blow.distance} ft. away; Manyshot reaches {reach} ft.", rule)
    if weapon.ammunition is not None:
        left = weapon.ammunition - actor.resources.get(weapon.name, 0)
        if left < act.arrows:
            raise Refusal(
                f"{actor.id} has {counted(left, 'arrow')} left, not {act.arrows}",
                fight.rule("srd35.move-action.draw"),
            )
    source = f"Manyshot, {counted(act.arrows, 'arrow')}"
    path = (f"arrows={act.arrows}", "attack")
    blow.attack_extra.append(fight.modifier(topic, "rows", *path, kind="penalty", source=source))
    blow.intent = replace(blow.intent, arrows=act.arrows)
    yield spending(fight, actor, "standard", "manyshot", rule)
    if weapon.ammunition is not None:
        further = act.arrows - 1
        cites = (rule, fight.rule("srd35.move-action.draw"))
        yield ResourceSpent(who=actor.id, resource=weapon.name, amount=further, cites=cites)
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)
