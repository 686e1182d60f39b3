"""Incorporeal creatures: what touches them, how they strike (srd35.incorporeal.*, srd35.cond.incorporeal)."""

from collections.abc import Iterator

from msgspec.structs import replace

from affray.engine.dialects.srd35.position.inside_objects import (
    COMBAT,
    is_inside_object,
    strikes_out,
)
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.miss_chance import is_missed
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.natures import INCORPOREAL, is_a
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

ATTACK = "srd35.incorporeal.attack"
#: What touches the bodiless, by its name among a weapon's traits.
TOUCHING = ("force", "ghost touch")
HOLDS = (acts.Trip, acts.Grapple)


def dexterity_without_body(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of an attack without a body: it strikes with Dexterity (srd35.incorporeal.combat)."""
    dexterity = ability_now(fight, blow.attacker, "dex")
    part = Modifier(dexterity, "ability", "Dexterity (incorporeal)", fight.rule(COMBAT))
    return tuple(part if one.kind == "ability" else one for one in parts)


def cite_passed_armor(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of the defense, citing srd35.incorporeal.attack where a touch passes some of them."""
    if fight.rule("srd35.ac.incorporeal-touch") in blow.cites:
        blow.cites.append(fight.rule(ATTACK))
    return parts


def defense_without_body(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of a bodiless target's defense: charisma deflects, no hide protects.

    srd35.incorporeal.combat.
    """
    return tuple(without_body(fight, blow.target, parts))


def without_body(fight: Fight, combatant: Combatant, parts: tuple[Modifier, ...]) -> Iterator[Modifier]:
    """Yield the parts of the defense of somebody without a body."""
    rule = fight.rule(COMBAT)
    for part in parts:
        natural = part.kind == "natural" and part.value > 0 and not part.denied
        yield replace(part, denied=f"incorporeal: no natural armor ({rule})") if natural else part
    if not any(part.kind == "deflection" for part in parts):
        value = max(ability_now(fight, combatant, "cha"), fight.figure(COMBAT, "deflection_min"))
        yield Modifier(value, "deflection", "Charisma (incorporeal)", rule)


def strikes_bodiless(weapon: Weapon) -> bool:
    """Say whether a weapon strikes the bodiless as it does anybody: force, or ghost touch."""
    return any(trait in TOUCHING for trait in weapon.traits)


def is_magic(weapon: Weapon) -> bool:
    """Say whether a weapon is magic: by its enhancement bonus, its trait, or as a spell."""
    enhanced = any(bonus.kind == "enhancement" for bonus in weapon.attack)
    return enhanced or "magic" in weapon.traits or weapon.family == "spell"


def passes_through(fight: Fight, blow: Blow) -> Steps[bool]:
    """Let a corporeal blow pass through what has no body: always without magic, half the time with it.

    srd35.cond.incorporeal.
    """
    target, weapon = blow.target, blow.weapon
    if is_a(blow.attacker, INCORPOREAL) or strikes_bodiless(weapon):
        return False
    topic = "srd35.cond.incorporeal"
    if not is_magic(weapon):
        what = f"the {weapon.name} passes through {target.id} without harm"
        yield RuleApplied(who=target.id, what=what, cites=fight.rules(topic))
        return True
    percent, why = fight.figure(topic, "ignore_pct"), f"{target.id} is incorporeal"
    rule = fight.rule(topic)
    return (yield from is_missed(blow.attacker, target, percent, why, rule, purpose="incorporeal"))


def refuse_holds(fight: Fight, actor: Combatant, act: acts.Trip | acts.Grapple) -> None:
    """Refuse to trip or grapple without a body, or somebody who has none (srd35.incorporeal.combat)."""
    target = fight.state.combatants.get(act.target)
    for one in (actor, target):
        if one is not None and target is not None and is_a(one, INCORPOREAL):
            raise Refusal(why_no_hold(one.id), fight.rule(COMBAT))


def why_no_hold(bodiless: str) -> str:
    """Return why a combatant without a body is part of no trip or grapple."""
    return f"{bodiless} has no body: it neither trips nor grapples, and cannot be tripped or grappled"


def inside_object(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why a target cannot be attacked at all, and the rule's topic: inside an object cover is total.

    Who is inside strikes only at what is next to it (srd35.incorporeal.combat).
    """
    attacker, target = blow.attacker, blow.target
    if (is_inside_object(fight, target) or is_inside_object(fight, attacker)) and not strikes_out(
        fight, attacker, target
    ):
        if is_inside_object(fight, target):
            return f"{target.id} is inside an object and has total cover", COMBAT
        return f"{attacker.id} is inside an object and strikes only at what is next to it", COMBAT
    return "", ""


def through_surface(fight: Fight, blow: Blow) -> bool:
    """Say whether a blow goes through the surface of an object, which is no wall between the two."""
    return strikes_out(fight, blow.attacker, blow.target)


def cover_of_object(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the cover of who strikes out of the object that it is in (srd35.incorporeal.combat)."""
    blow.cites.append(fight.rule(COMBAT))
    source = "striking out of an object"
    return [fight.modifier("srd35.ac-mod.cover", "melee", kind="cover", source=source)]


def is_target_inside(fight: Fight, blow: Blow) -> bool:
    """Say whether the target is inside an object, out of which it strikes (srd35.incorporeal.combat)."""
    return is_inside_object(fight, blow.target)


def is_attacker_inside(fight: Fight, blow: Blow) -> bool:
    """Say whether the attacker is inside an object and finds no cover (srd35.incorporeal.combat)."""
    return is_inside_object(fight, blow.attacker)
