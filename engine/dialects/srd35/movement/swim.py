"""Swimming, and fighting in water (srd35.skill.swim, srd35.hazard.water-combat)."""

from affray.engine.dialects.srd35.environment.drowning import breathe, without_air
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.saves_and_checks import check_by, skill_parts
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, speed
from affray.engine.rules.movement.walking import walk
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC, COMBAT = "skill.swim", "hazard.water-combat"
IN_WATER, OFF_BALANCE = "in water", "off balance"
#: How one is in the water: on firm ground, swimming, or neither.
FOOTING, SWIMMING, ADRIFT = "footing", "swimming", "no footing"
WATERS = ("calm", "rough", "stormy")
FREE = "freedom of movement"
#: Kinds of damage that water takes the force from.
SWUNG = ("slashing", "bludgeoning")


def swim(fight: Fight, act: acts.Move) -> Steps[None]:
    """Swim a quarter of the speed as a move action, half of it (`fast`) as a full-round action.

    A failure by 4 or less makes no progress, by 5 or more one goes under; either leaves the swimmer off
    balance. A creature with a swim speed needs no check.
    """
    who = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    kind = "full-round" if act.fast else "move"
    refuse_unless_allowed(fight, who, kind)
    refuse_after_step(fight, who)
    if act.surface not in WATERS:
        raise Refusal(f"water is {', '.join(WATERS)}, not {act.surface!r}", rule)
    most, why = swimming_feet(fight, who, act.fast)
    refuse_path(fight, who, act.path, most, why)
    yield spending(fight, who, kind, "swim", rule, why)
    if who.sheet.swim:
        yield from walk(fight, who, act.path, "swim", why)
        return
    parts = skill_parts(fight, who, "swim", "str", rule)
    margin = yield from check_by(fight, who, "swim", parts, fight.figure(TOPIC, act.surface), rule)
    if margin >= 0:
        if OFF_BALANCE in who.conditions:
            yield ConditionLost(who=who.id, condition=OFF_BALANCE, why="swims", cites=fight.rules(COMBAT))
        yield from breathe(fight, who, "above the water")
        yield from walk(fight, who, act.path, "swim", rule)
        return
    yield RuleApplied(who=who.id, what="makes no progress", cites=(rule,))
    if OFF_BALANCE not in who.conditions:
        yield ConditionGained(
            who=who.id, condition=OFF_BALANCE, source="in the water", cites=fight.rules(COMBAT)
        )
    if margin <= -fight.figure(TOPIC, "under_by"):
        yield from without_air(fight, who, "going under")


def swimming_feet(fight: Fight, who: Combatant, fast: bool) -> tuple[int, str]:
    """Return how far an action of swimming leads, in feet, and the rule that says so."""
    if who.sheet.swim:
        return who.sheet.swim, fight.rule("move-action.move")
    if fast:
        return int(speed(fight, who) * fight.figure(TOPIC, "full_round_speed")), fight.rule(TOPIC)
    share = fight.figure("move-action.move", "swim_fraction")
    return int(speed(fight, who) * share), fight.rule("move-action.move")


def immersed(fight: Fight, who: Combatant, degree: str) -> Steps[None]:
    """Put somebody in water: with firm footing, swimming, or without either off balance.

    srd35.hazard.water-combat.
    """
    rule = fight.rule(COMBAT)
    source = degree or FOOTING
    if source not in (FOOTING, SWIMMING, ADRIFT):
        raise Refusal(f"one is in water by {FOOTING}, {SWIMMING}, {ADRIFT}, not {degree!r}", rule)
    yield ConditionGained(who=who.id, condition=IN_WATER, source=source, cites=(rule,))
    if source == ADRIFT and not who.sheet.swim and FREE not in who.sheet.traits:
        yield ConditionGained(who=who.id, condition=OFF_BALANCE, source=ADRIFT, cites=(rule,))


def hindered(who: Combatant) -> bool:
    """Say whether water hinders somebody's blows."""
    return IN_WATER in who.conditions and FREE not in who.sheet.traits


def water_parts(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what water does to an attack: swung weapons, missiles, and opponents off balance."""
    parts: list[Modifier] = []
    attacker, target = blow.attacker, blow.target
    if not (attacker.conditions or target.conditions):
        return parts
    rule = fight.rule(COMBAT)
    if IN_WATER in attacker.conditions:
        if blow.melee and hindered(attacker) and weighed_down(attacker, blow):
            parts.append(fight.modifier(COMBAT, "attack", kind="penalty", source="in water"))
        elif not blow.melee and blow.weapon.family != "spell":
            per = fight.figure(COMBAT, "ranged_per_5ft") * (blow.distance // SQUARE_FT)
            parts.append(Modifier(per, "penalty", f"through {blow.distance} ft. of water", rule))
    if OFF_BALANCE in target.conditions:
        parts.append(
            fight.modifier(COMBAT, "off_balance_vs", kind="circumstance", source=f"{target.id} off balance")
        )
    return parts


def weighed_down(attacker: Combatant, blow: Blow) -> bool:
    """Say whether a weapon is swung against the water; a tail is not, by those who have a swim speed."""
    if "tail" in blow.weapon.name and attacker.sheet.swim:
        return False
    return blow.weapon.damage_type in SWUNG


def water_cover(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the improved cover of those in the water against who stands on land."""
    if IN_WATER not in blow.target.conditions or IN_WATER in blow.attacker.conditions:
        return []
    if blow.target.conditions[IN_WATER].source == FOOTING:
        return []
    blow.cites.append(fight.rule(COMBAT))
    return [fight.modifier("cover.improved", "ac", kind="cover", source="half under water")]


def halved_in_water(fight: Fight, harm: Harm, found: tuple[int, str]) -> tuple[int, str]:
    """Return what is left of damage, and what took the rest: water takes half of a swung weapon's.

    srd35.hazard.water-combat.
    """
    attacker, weapon = harm.attacker, harm.weapon
    if attacker is None or weapon is None or not hindered(attacker) or weapon.wield == "projectile":
        return found
    if not weighed_down(attacker, Blow(attacker, harm.target, weapon, True, 0)):
        return found
    energy = sum(harm.energies.values())
    harm.amount = int((harm.amount - energy) * fight.figure(COMBAT, "damage")) + energy
    harm.reduced_by += (fight.rule(COMBAT),)
    return harm.amount, "half in water"


def wading_feet(fight: Fight, who: Combatant, feet: int) -> int:
    """Return what water leaves of a speed to who stands in it."""
    return int(feet * fight.figure(COMBAT, "footing_speed")) if hindered(who) else feet
