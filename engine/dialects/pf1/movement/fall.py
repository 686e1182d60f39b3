"""Falling, and things that fall or are dropped on one (pf1.falling, pf1.falling.objects-table)."""

from typing import Final

from affray.engine.dialects.pf1.movement.fly_checks import check_flight
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import TOUCH_ARMOR_CLASS, Blow, Harm, Intent, SaveMade
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.classes.saves_and_checks import check, saving_throw, skill_parts
from affray.engine.rules.conditions.condition_rules import refuse_down
from affray.engine.rules.damage.weapon_damage import NO_DAMAGE, NO_THREAT
from affray.engine.rules.movement.closest_place import make_room
from affray.engine.rules.movement.fall import Landing, dice_onto_ground, lie_where_fallen, suffer_fall
from affray.engine.rules.movement.fly import end_flight
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

TOPIC: Final = "pf1.falling"
OBJECTS: Final = "pf1.falling.objects-table"
BALANCE: Final = "pf1.skill.acrobatics-balance"
#: Who is in the air on the way down, by the game master's word: not far, or more than 500 feet.
FALLING: Final = "falling"
FALLING_FAR: Final = "falling far"


def fall_by_gm(fight: Fight, act: acts.Fall) -> Steps[None]:
    """Let a combatant fall, or something fall on it, by the game master's word."""
    target = fight.combatant(act.target)
    if act.feet < 0:
        raise Refusal("a height cannot be negative", fight.rule(TOPIC))
    if act.size:
        yield from struck_by_object(fight, target, act)
        return
    yield from come_down(fight, target, act.feet)


def fall(fight: Fight, mover: Combatant, feet: int, jumped: bool = False) -> Steps[None]:
    """Fall so many feet; lethal damage lands one prone (pf1.falling).

    `jumped` is a leap of one's own will, which a check softens. Who has wings may avert it (pf1.skill.fly).
    """
    if not jumped and (yield from averts_fall(fight, mover, feet)):
        return
    yield from plummet(fight, mover, feet, jumped)


def plummet(fight: Fight, mover: Combatant, feet: int, jumped: bool = False) -> Steps[None]:
    """Fall so many feet with nothing to avert it, out of the air too (pf1.falling)."""
    yield from end_flight(fight, mover, "falls", fight.rule(TOPIC))
    landing = None
    if jumped and feet >= fight.figure(TOPIC, "per_ft"):
        landing = yield from lands_well(fight, mover)
    impact = dice_onto_ground(fight, feet, landing, 0)
    if (yield from suffer_fall(fight, mover, feet, impact)) > 0:
        yield from lie_where_fallen(mover, impact)


def come_down(fight: Fight, mover: Combatant, feet: int) -> Steps[None]:
    """Fall so far, to where there is room (pf1.falling)."""
    yield from fall(fight, mover, feet)
    for name in (FALLING, FALLING_FAR):
        if name in mover.conditions:
            yield ConditionLost(who=mover.id, condition=name, why="comes down", cites=fight.rules(TOPIC))
    yield from make_room(fight, mover)


def refuse_slow_spell(fight: Fight, caster: Combatant, act: acts.Cast) -> None:
    """Refuse to who does not fall far what takes more than an immediate action to cast (pf1.falling)."""
    spell = next((one for one in caster.sheet.spells if one.name == act.spell), None)
    if spell is not None and spell.casting != "immediate" and spell.ability in ("", "spell-like"):
        raise Refusal(f"{caster.id} is falling and has no time to cast {spell.name}", fight.rule(TOPIC))


def lands_well(fight: Fight, mover: Combatant) -> Steps[Landing]:
    """Check whether the Acrobatics of a jumper spare it the first feet and soften the next ones.

    pf1.falling, pf1.skill.acrobatics-balance.
    """
    rules = fight.rules(BALANCE, TOPIC)
    parts = skill_parts(fight, mover, "acrobatics", "dex", rules[0])
    dc = fight.figure(TOPIC, "dc")
    if not (yield from check(fight, mover, "acrobatics", parts, dc, *rules, why="to break its fall")):
        return Landing()
    return Landing(fight.figure(TOPIC, "free_ft"), fight.figure(TOPIC, "nonlethal_ft"))


def averts_fall(fight: Fight, mover: Combatant, feet: int) -> Steps[bool]:
    """Check whether a creature that can fly catches itself in the air: then it takes no harm.

    pf1.skill.fly.
    """
    if not mover.sheet.fly or feet < fight.figure(TOPIC, "per_ft") or is_down(fight, mover):
        return False
    return (yield from check_flight(fight, mover, "avert", "to avert its fall"))


def struck_by_object(fight: Fight, target: Combatant, act: acts.Fall) -> Steps[None]:
    """Let an object of a size fall on somebody: half damage from low down, double from high up.

    Who drops it must hit with a ranged touch attack; of one that falls by itself those who are aware of it
    may get out of the way by half, with a Reflex save (pf1.falling.objects-table).
    """
    rule = fight.rule(OBJECTS)
    dice = fight.figure(OBJECTS, act.size.capitalize())
    what = f"a {act.size} object"
    if act.opponent and not (yield from hits_with_object(fight, fight.combatant(act.opponent), target, what)):
        return
    rolled = yield Roll("", "falling-object", dice)
    amount = int(rolled.total * share_by_height(fight, act.feet))
    if not act.opponent and is_aware(fight, target):
        dc = fight.figure(OBJECTS, "dc")
        saved = yield from saving_throw(fight, target, "ref", dc, what, rule)
        spare = fight.dialect.classes.after_save
        amount, why, also = spare(fight, target, SaveMade("ref", "half", saved, amount))
        if also:
            yield RuleApplied(who=target.id, what=why, cites=also)
    harm = Harm(target, amount, "bludgeoning", f"{what} falling {act.feet} ft.", cites=(rule,))
    harm.amount, _ = fight.dialect.damage.reduce(fight, harm)
    harm.cites += harm.reduced_by
    yield from fight.dialect.damage.suffer(fight, harm)


def share_by_height(fight: Fight, feet: int) -> float:
    """Return how many times its dice an object deals that has fallen so far."""
    if feet < fight.figure(OBJECTS, "short_ft"):
        return float(fight.figure(OBJECTS, "short"))
    return float(fight.figure(OBJECTS, "long")) if feet > fight.figure(OBJECTS, "long_ft") else 1.0


def is_aware(fight: Fight, target: Combatant) -> bool:
    """Say whether somebody notices what falls on it: neither senseless nor surprised."""
    return not is_down(fight, target) and (target.aware or fight.state.round > 0)


def hits_with_object(fight: Fight, attacker: Combatant, target: Combatant, what: str) -> Steps[bool]:
    """Roll the ranged touch attack of who drops something on somebody below."""
    refuse_down(fight, attacker, "drop anything")
    if attacker is target:
        raise Refusal(f"{attacker.id} cannot drop anything on itself", fight.rule(OBJECTS))
    weapon = Weapon(what, NO_DAMAGE, "bludgeoning", "projectile", threat=NO_THREAT)
    blow = Blow(attacker, target, weapon, False, 0, Intent(against=TOUCH_ARMOR_CLASS))
    blow.cites += fight.rules(OBJECTS, "ac.touch")
    return (yield from strike(fight, blow, harm=False))
