"""Falling: what it deals, what softens it, into water, and things that fall on one (srd35.falling.*)."""

from typing import NamedTuple

from affray.engine.dialects.srd35.movement.closest_place import make_room
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

SOFTEN, WATER, OBJECTS = "srd35.falling.soften", "srd35.falling.water", "srd35.falling.objects"
#: The weights of lighter objects, as the table names them, with the least of each in pounds.
LIGHTER = ((101, "101-200 lb"), (51, "51-100"), (31, "31-50"), (11, "11-30"), (6, "6-10"), (1, "1-5"))


class Impact(NamedTuple):
    """The dice of a fall, lethal and nonlethal ones, "" for none, and the rules behind them."""

    lethal: str
    nonlethal: str
    cites: tuple[str, ...]


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

    1d6 per 10 ft., at most 20d6; who takes damage lands prone (srd35.falling.damage). `jumped` is a leap
    of one's own will, which a check softens.
    """
    if onto == "water" and depth >= fight.figure(WATER, "depth_ft"):
        impact = yield from dice_into_water(fight, mover, feet, depth, jumped)
    else:
        impact = yield from onto_ground(fight, mover, feet, onto == "soft", jumped)
    for notation, nonlethal in ((impact.nonlethal, True), (impact.lethal, False)):
        if notation:
            rolled = yield Roll(mover.id, "fall-nonlethal" if nonlethal else "fall", notation)
            kind = "bludgeoning"
            harm = Harm(mover, rolled.total, kind, f"a fall of {feet} ft.", nonlethal=nonlethal)
            harm.amount, _ = fight.dialect.damage.reduce(fight, harm)
            harm.cites = (*impact.cites, *harm.reduced_by)
            yield from fight.dialect.damage.suffer(fight, harm)
    if not (impact.lethal or impact.nonlethal):
        yield RuleApplied(who=mover.id, what=f"a fall of {feet} ft. does no harm", cites=impact.cites)
    elif onto != "water" and "prone" not in mover.conditions:
        yield ConditionGained(who=mover.id, condition="prone", source="a fall", cites=impact.cites[:1])


def come_down(fight: Fight, mover: Combatant, feet: int) -> Steps[None]:
    """Fall so far, to where there is room (srd35.falling.damage)."""
    yield from fall(fight, mover, feet)
    yield from make_room(fight, mover)


def onto_ground(fight: Fight, mover: Combatant, feet: int, soft: bool, jumped: bool) -> Steps[Impact]:
    """Return the dice of a fall onto the ground (srd35.falling.damage, srd35.falling.soften).

    The first die of a deliberate jump is nonlethal, that on soft ground, or another one then, too; a check
    of a jumper spares the first 10 ft. and makes the next ones nonlethal.
    """
    ten = fight.figure("srd35.falling.damage", "per_ft")
    if feet < ten:
        return Impact("", "", fight.rules("srd35.falling.damage"))
    cites = ["srd35.falling.damage"]
    mild = mild_ft = 0
    if jumped:
        cites.append(SOFTEN)
        spared, mild_ft = yield from lands_well(fight, mover)
        feet = max(0, feet - spared)
        if not spared:
            mild += fight.figure(SOFTEN, "jump_first_dice")
    if soft:
        cites.append(SOFTEN)
        mild += fight.figure(SOFTEN, "soft_ground_dice")
    gentle = min(feet, mild_ft) // ten
    count = min(max(0, feet - mild_ft) // ten, most_dice(fight))
    mild = min(mild, count)
    die = fight.figure("srd35.falling.damage", "per_10ft")
    return Impact(dice_notation(count - mild, die), dice_notation(gentle + mild, die), fight.rules(*cites))


def lands_well(fight: Fight, mover: Combatant) -> Steps[tuple[int, int]]:
    """Let a jumper choose a skill and check whether it breaks the fall.

    Return how many feet of it then do nothing, and how many more nonlethal damage; (0, 0) if it does not.
    """
    rule = fight.rule(SOFTEN)
    question = f"{mover.id} jumps down: by which skill does it break the fall?"
    skill = yield Choice(mover.id, "soften", question, ("jump", "tumble", "none"), rule)
    mild = fight.figure(SOFTEN, "nonlethal_ft")
    if skill == "jump":
        dc = fight.figure("srd35.skill.jump", "down_dc")
        parts = skill_parts(fight, mover, "jump", "str", fight.rule("srd35.skill.jump"))
        if (yield from check(fight, mover, "jump", parts, dc, fight.rule("srd35.skill.jump"), rule)):
            return fight.figure("srd35.skill.jump", "shorter_ft"), mild
    if skill == "tumble":
        parts = skill_parts(fight, mover, "tumble", "dex", rule)
        if (yield from check(fight, mover, "tumble", parts, fight.figure(SOFTEN, "dc"), rule)):
            return fight.figure(SOFTEN, "free_ft"), mild
    return 0, 0


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


def most_dice(fight: Fight) -> int:
    """Return the most dice that a fall deals."""
    return int(str(fight.figure("srd35.falling.damage", "max")).partition("d")[0])


def dice_notation(count: int, die: str) -> str:
    """Return the notation of so many of a die such as "1d6", "" for none of them."""
    number, _, size = die.partition("d")
    return f"{count * int(number)}d{size}" if count else ""
