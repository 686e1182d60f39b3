"""Incorporeal and ethereal creatures (srd35.cond.incorporeal, srd35.incorporeal.*, srd35.etherealness)."""

from collections.abc import Iterator

from msgspec.structs import replace

from affray.engine.fight import Fight
from affray.engine.rules import bonuses, guard
from affray.engine.rules.abilities import ability
from affray.engine.rules.blow import Blow
from affray.engine.rules.chance import misses
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

INCORPOREAL, ETHEREAL = "incorporeal", "ethereal"
COMBAT, ATTACK = "incorporeal.combat", "incorporeal.attack"
#: What touches the bodiless, by its name among a weapon's traits.
TOUCHING = ("force", "ghost touch")
HOLDS = (acts.Trip, acts.Grapple)


def is_incorporeal(who: Combatant) -> bool:
    """Say whether a creature has no body."""
    return INCORPOREAL in (who.sheet.kind, *who.sheet.traits) or INCORPOREAL in who.conditions


def attack_bonus(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return the parts of an attack; who has no body strikes with Dexterity (srd35.incorporeal.combat)."""
    parts = bonuses.attack_bonus(fight, blow)
    if not blow.melee or not is_incorporeal(blow.attacker):
        return parts
    dexterity = ability(blow.attacker.sheet, "dex")
    part = Modifier(dexterity, "ability", "Dexterity (incorporeal)", fight.rule(COMBAT))
    return tuple(part if one.kind == "ability" else one for one in parts)


def defense_bonus(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return the parts of the defense: what no body has, and what a bodiless attacker passes through.

    srd35.incorporeal.combat, srd35.incorporeal.attack.
    """
    parts = guard.defense_bonus(fight, blow)
    if is_incorporeal(blow.target):
        return tuple(without_body(fight, blow.target, parts))
    if is_incorporeal(blow.attacker) and fight.rule("ac.incorporeal-touch") in blow.cites:
        blow.cites.append(fight.rule(ATTACK))
    return parts


def without_body(fight: Fight, who: Combatant, parts: tuple[Modifier, ...]) -> Iterator[Modifier]:
    """Yield the parts of a bodiless creature's defense: charisma deflects, no hide protects."""
    rule = fight.rule(COMBAT)
    for part in parts:
        natural = part.kind == "natural" and not part.denied
        yield replace(part, denied=f"incorporeal: no natural armor ({rule})") if natural else part
    if not any(part.kind == "deflection" for part in parts):
        value = max(ability(who.sheet, "cha"), fight.figure(COMBAT, "deflection_min"))
        yield Modifier(value, "deflection", "Charisma (incorporeal)", rule)


def touches(weapon: Weapon) -> bool:
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
    if not is_incorporeal(target) or is_incorporeal(blow.attacker) or touches(weapon):
        return False
    topic = "cond.incorporeal"
    if not is_magic(weapon):
        what = f"the {weapon.name} passes through {target.id} without harm"
        yield RuleApplied(who=target.id, what=what, cites=fight.rules(topic))
        return True
    percent, why = fight.figure(topic, "ignore_pct"), f"{target.id} is incorporeal"
    rule = fight.rule(topic)
    return (yield from misses(blow.attacker, target, percent, why, rule, purpose="incorporeal"))


def refuse_holds(fight: Fight, who: Combatant, act: acts.Trip | acts.Grapple) -> None:
    """Refuse to trip or grapple without a body, or somebody who has none (srd35.incorporeal.combat)."""
    target = fight.state.combatants.get(act.target)
    if target is not None and (is_incorporeal(who) or is_incorporeal(target)):
        raise Refusal("who has no body neither trips nor grapples nor suffers it", fight.rule(COMBAT))


def refuse_other_plane(fight: Fight, who: Combatant, act: acts.Act) -> None:
    """Refuse to touch what is on another plane with anything but force (srd35.etherealness)."""
    named = getattr(act, "target", "") or next((one.target for one in getattr(act, "strikes", ())), "")
    target = fight.state.combatants.get(named)
    if target is None or not target.conditions:
        return
    if ETHEREAL in target.conditions and ETHEREAL not in who.conditions and not by_force(who, act):
        raise Refusal(f"{target.id} is ethereal: force alone reaches it", fight.rule("etherealness"))


def by_force(who: Combatant, act: acts.Act) -> bool:
    """Say whether an act works by force, or does nothing to anybody."""
    if isinstance(act, acts.Attack | acts.FullAttack | acts.Charge):
        name = getattr(act, "weapon", "") or next((one.weapon for one in getattr(act, "strikes", ())), "")
        weapons = [one for one in who.sheet.weapons if one.name == name] or list(who.sheet.weapons[:1])
        return any("force" in one.traits for one in weapons)
    return not isinstance(act, (*HOLDS, acts.Disarm, acts.Sunder, acts.BullRush, acts.CoupDeGrace))
