"""Falling: what it deals, what softens it, into water, and things that fall on one (srd35.falling.*)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.movement.closest_place import make_room
from affray.engine.rules.movement.fall import (
    DAMAGE,
    SOFTEN,
    Impact,
    Landing,
    dice_notation,
    dice_onto_ground,
    lie_where_fallen,
    most_dice,
    suffer_fall,
)
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

WATER, OBJECTS = "srd35.falling.water", "srd35.falling.objects"
#: The weights of lighter objects, as the table names them, with the least of each in pounds.
LIGHTER = ((101, "101-200 lb"), (51, "51-100"), (31, "31-50"), (11, "11-30"), (6, "6-10"), (1, "1-5"))


def fall_by_gm(fight: Fight, act: acts.Fall) -> Steps[None]:
    """Let a combatant fall, or something fall on it, by the game master's word."""
    target = fight.combatant(act.target)
    rule = fight.rule("srd35.falling.objects" if act.pounds else "srd35.falling.damage")
    if act.feet < 0 or act.pounds < 0 or act.depth < 0:
        raise Refusal("height, weight and depth cannot be negative", rule)
    if act.pounds:
        yield from struck_by_object(fight, target, act.pounds, act.feet)
        return
    yield from fall(fight, target, act.feet, onto=act.onto, depth=act.depth)


def fall(
    fight: Fight, mover: Combatant, feet: int, *, onto: str = "ground", depth: int = 0, jumped: bool = False
) -> Steps[None]:
    """Fall so many feet onto the ground, soft ground, or into water of a depth.

    Who takes damage lands prone (srd35.falling.damage). `jumped` is a leap of one's own will, which a check
    softens.
    """
    if onto == "water" and depth >= fight.figure(WATER, "depth_ft"):
        impact = yield from dice_into_water(fight, mover, feet, depth, jumped)
    else:
        impact = yield from onto_ground(fight, mover, feet, onto == "soft", jumped)
    yield from suffer_fall(fight, mover, feet, impact)
    if (impact.lethal or impact.nonlethal) and onto != "water":
        yield from lie_where_fallen(mover, impact)


def come_down(fight: Fight, mover: Combatant, feet: int) -> Steps[None]:
    """Fall so far, to where there is room (srd35.falling.damage)."""
    yield from fall(fight, mover, feet)
    yield from make_room(fight, mover)


def onto_ground(fight: Fight, mover: Combatant, feet: int, soft: bool, jumped: bool) -> Steps[Impact]:
    """Return the dice of a fall onto the ground (srd35.falling.damage, srd35.falling.soften).

    A check of a jumper spares the first 10 ft. and makes the next ones nonlethal; so is the first die of one
    on soft ground.
    """
    landing = None
    if jumped and feet >= fight.figure(DAMAGE, "per_ft"):
        landing = yield from lands_well(fight, mover)
    return dice_onto_ground(fight, feet, landing, fight.figure(SOFTEN, "soft_ground_dice") if soft else 0)


def lands_well(fight: Fight, mover: Combatant) -> Steps[Landing]:
    """Let a jumper choose a skill and check whether it breaks the fall."""
    rule = fight.rule(SOFTEN)
    question = f"{mover.id} jumps down: by which skill does it break the fall?"
    skill = yield Choice(mover.id, "soften", question, ("jump", "tumble", "none"), rule)
    mild = fight.figure(SOFTEN, "nonlethal_ft")
    if skill == "jump":
        dc = fight.figure("srd35.skill.jump", "down_dc")
        parts = skill_parts(fight, mover, "jump", "str", fight.rule("srd35.skill.jump"))
        if (yield from check(fight, mover, "jump", parts, dc, fight.rule("srd35.skill.jump"), rule)):
            return Landing(fight.figure("srd35.skill.jump", "shorter_ft"), mild)
    if skill == "tumble":
        parts = skill_parts(fight, mover, "tumble", "dex", rule)
        if (yield from check(fight, mover, "tumble", parts, fight.figure(SOFTEN, "dc"), rule)):
            return Landing(fight.figure(SOFTEN, "free_ft"), mild)
    return Landing()


def dice_into_water(fight: Fight, mover: Combatant, feet: int, depth: int, jumped: bool) -> Steps[Impact]:
    """Return the dice of a fall into water deep enough (srd35.falling.water).

    The first 20 ft. do nothing, the next 20 nonlethal damage, what is beyond the usual one. A dive by
    Swim or Tumble does no harm if the water is deep enough for its height.
    """
    rule = fight.rule(WATER)
    ten = fight.figure("srd35.falling.damage", "per_ft")
    free, mild = fight.figure(WATER, "free_ft"), fight.figure(WATER, "nonlethal_ft")
    if jumped:
        per = fight.figure(WATER, "dive_depth_per_ft")
        needed = -(-feet // per) * fight.figure(WATER, "dive_depth_ft")
        if depth >= needed and (yield from dives(fight, mover, feet)):
            return Impact("", "", (rule,))
    nonlethal = max(0, min(feet - free, mild)) // ten
    lethal = min(max(0, feet - free - mild) // ten, most_dice(fight))
    die, soft = fight.figure("srd35.falling.damage", "per_10ft"), fight.figure(WATER, "nonlethal_per_10")
    cites = (rule, fight.rule("srd35.falling.damage")) if lethal else (rule,)
    return Impact(dice_notation(lethal, die), dice_notation(nonlethal, soft), cites)


def dives(fight: Fight, mover: Combatant, feet: int) -> Steps[bool]:
    """Check whether somebody dives, at a DC that rises with the height."""
    rule = fight.rule(WATER)
    question = f"{mover.id} jumps into the water: by which skill does it dive?"
    skill = yield Choice(mover.id, "dive", question, ("swim", "tumble", "none"), rule)
    if skill == "none":
        return False
    step = feet // fight.figure(WATER, "dive_step_ft")
    dc = fight.figure(WATER, "dive_dc") + step * fight.figure(WATER, "dive_dc_step")
    parts = skill_parts(fight, mover, skill, "str" if skill == "swim" else "dex", rule)
    return (yield from check(fight, mover, skill, parts, dc, rule, why=f"diving {feet} ft."))


def struck_by_object(fight: Fight, target: Combatant, pounds: int, feet: int) -> Steps[None]:
    """Let an object of a weight fall on somebody from a height (srd35.falling.objects).

    1d6 for each 200 lb. that fell at least 10 ft., and 1d6 for each further 10 ft.; lighter ones deal the
    dice of their height alone, for each longer stretch the lighter they are.
    """
    rule = fight.rule(OBJECTS)
    die = fight.figure(OBJECTS, "die")
    count = object_dice(fight, pounds, feet)
    if not count:
        yield RuleApplied(who=target.id, what=f"{pounds} lb. from {feet} ft. do no harm", cites=(rule,))
        return
    rolled = yield Roll("", "falling-object", dice_notation(count, die))
    source = f"{pounds} lb. falling {feet} ft."
    harm = Harm(target, rolled.total, "bludgeoning", source, cites=(rule,))
    harm.amount, _ = fight.dialect.damage.reduce(fight, harm)
    yield from fight.dialect.damage.suffer(fight, harm)


def object_dice(fight: Fight, pounds: int, feet: int) -> int:
    """Return how many dice an object deals that falls on somebody."""
    most = fight.figure(OBJECTS, "max_dice")
    per = fight.figure(OBJECTS, "per_lb")
    if pounds >= per:
        least = fight.figure(OBJECTS, "heavy_ft")
        if feet < least:
            return 0
        further = (feet - least) // fight.figure(OBJECTS, "further_ft")
        return int(min(pounds // per + further, most))
    for least, name in LIGHTER:
        if pounds >= least:
            return int(min(feet // fight.figure(OBJECTS, name), most))
    return 0
