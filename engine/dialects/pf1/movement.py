"""Movement: modes of movement, speed, the cost and consequences of a step, falling."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import atan2, degrees
from typing import Final

from msgspec import Struct

from affray.engine.dialects.pf1 import position
from affray.engine.dialects.pf1.classes import abilities
from affray.engine.dialects.pf1.position import BULKY, rule_of_passing
from affray.engine.dialects.pf1.senses import LIGHT_TOPIC, blind_in_the_dark
from affray.engine.dialects.pf1.turns import refuse_immediate
from affray.engine.fight.fight import Fight, condition_changes, is_down, is_helpless
from affray.engine.fight.memory import per_scene
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import path_cost
from affray.engine.grid.lines_and_cover import DIRECTIONS
from affray.engine.kernel.places import distance, next_to, reaches_from
from affray.engine.modifiers import effect_parts
from affray.engine.record.acts import Under
from affray.engine.record.blow import TOUCH_ARMOR_CLASS, Blow, Harm, Intent, SaveMade
from affray.engine.record.chapters import Measure
from affray.engine.rules.attacks.attack_roll import strike, tallies
from affray.engine.rules.classes.checks import check, masters, saving_throw, skill_parts
from affray.engine.rules.classes.sheets import (
    CLEAR_OF_GROUND,
    FLYING,
    INCORPOREAL,
    has_feat,
    has_trait,
    is_a,
    nature_among,
)
from affray.engine.rules.conditions.conditions import PARALYZED, refuse_down
from affray.engine.rules.damage.damage import NO_DAMAGE, NO_THREAT
from affray.engine.rules.environment import FOOTING, IN_WATER
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.movement import skills, walking
from affray.engine.rules.movement.movement import (
    AVOIDING,
    Pace,
    crossed_by,
    get_speed_under_conditions,
    make_room,
    refuse_after_step,
    refuse_held_fast,
    refuse_path,
    refuse_prone,
    report_speed_after,
    speed,
)
from affray.engine.rules.movement.skills import (
    NAMES,
    Balance,
    Landing,
    Leaping,
    Tumbling,
    change_height,
    degrees_between,
    dice_onto_ground,
    end_balancing_on_ground,
    end_flight,
    fall_off_balance,
    fly_along,
    height_flown,
    keep_balance_when_hurt,
    leap,
    lie_where_fallen,
    overcome,
    refuse_aloft,
    refuse_blocked_flight,
    refuse_winded,
    suffer_fall,
)
from affray.engine.rules.opportunity.attacks_of_opportunity import in_order
from affray.engine.rules.position import squeezing
from affray.engine.rules.position.places import holders_among
from affray.engine.rules.position.squeezing import SQUEEZING, Form, kinds_at, squares_at, taken_up
from affray.engine.rules.turns.actions import has_acted, refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import ConditionGained, ConditionLost, EffectGained, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Barrier, Modifier, Weapon
from affray.projections.state import Combatant

# --- Acrobatics: its bonus to defense, and fast movement of the blinded (pf1.skill.*)

BLINDED: Final = "pf1.cond.blinded"


def is_practiced(fight: Fight, mover: Combatant) -> bool:
    """Return whether a combatant's acrobatics improve its defense: with 3 ranks in it.

    pf1.skill.acrobatics-defense, pf1.total-defense, pf1.attack-action.defensive.
    """
    least = fight.figure("pf1.skill.acrobatics-defense", "ranks")
    return bool(mover.sheet.ranks.get("acrobatics", 0) >= least)


def is_blinded(fight: Fight, act: acts.Move | acts.Run, moving: Steps[None]) -> bool:
    """Return whether the mover is blinded or sees nothing in the dark, and has no Blind-Fight.

    pf1.feat.blind-fight.
    """
    mover = fight.combatant(act.actor)
    if isinstance(act, acts.Move) and act.how == "fly":
        return False
    unseeing = "blinded" in mover.conditions or blind_in_the_dark(fight, mover)
    return unseeing and not has_feat(mover, "blind-fight")


def hurry_blindly(fight: Fight, act: acts.Move | acts.Run, moving: Steps[None]) -> Steps[None]:
    """Let the blinded move: faster than at half speed only by Acrobatics, otherwise they fall.

    pf1.cond.blinded, pf1.light.levels.
    """
    mover = fight.combatant(act.actor)
    # An illegal path is refused before it is measured.
    yield next(moving)
    feet = fight.dialect.movement.measure(fight, mover, (mover.at, *act.path), "normal").feet
    moves = 2 if isinstance(act, acts.Move) and act.how == "double" else 1
    if feet * 2 > speed(fight, mover) * moves:
        topic = BLINDED if "blinded" in mover.conditions else LIGHT_TOPIC
        rule = fight.rule(topic)
        parts = skill_parts(fight, mover, "acrobatics", "dex", rule)
        dc = fight.figure(topic, "acrobatics_dc")
        if not (yield from check(fight, mover, "acrobatics", parts, dc, rule, why="blindly in haste")):
            yield ConditionGained(who=mover.id, condition="prone", source="blindly in haste", cites=(rule,))
            return
    yield from moving


# --- Balancing on narrow or uneven surfaces, by Acrobatics (pf1.skill.acrobatics-balance)

BALANCE_TOPIC: Final = "pf1.skill.acrobatics-balance"
#: The width of a surface, and the figure of its DC.
SURFACES: Final[Mapping[str, str]] = {"7-11 in": "7-11", "2-6 in": "2-6", "under 2 in": "under_2"}
OTHER: Final = "what takes DC "


def balance(fight: Fight, act: acts.Move) -> Steps[None]:
    """Balance along a narrow path, flat-footed (pf1.skill.acrobatics-balance)."""
    return skills.balance(fight, act, BALANCE)


def ground_of(fight: Fight, act: acts.Move) -> str:
    """Return the surface to balance on: a narrow one, or another with the game master's DC."""
    if bool(act.surface) == bool(act.dc):
        told = ", ".join(SURFACES)
        raise Refusal(f"the surface must be one of {told}, or be given a DC", fight.rule(BALANCE_TOPIC))
    return act.surface or f"{OTHER}{act.dc}"


def is_never_steady(fight: Fight, mover: Combatant) -> bool:
    """Return False: every combatant is flat-footed while balancing."""
    return False


def keeps_balance(fight: Fight, mover: Combatant, ground: str, fast: bool) -> Steps[bool]:
    """Check whether a combatant keeps its balance, without which it falls."""
    rule = fight.rule(BALANCE_TOPIC)
    dc = (
        fight.figure(BALANCE_TOPIC, SURFACES[ground])
        if ground in SURFACES
        else int(ground.removeprefix(OTHER))
    )
    parts = skill_parts(fight, mover, "acrobatics", "dex", rule)
    kept = yield from check(fight, mover, "acrobatics", parts, dc, rule, why=f"on {ground}")
    if not kept and not is_down(fight, mover):
        yield from fall_off_balance(fight, mover)
    return kept


BALANCE: Final = Balance(ground_of, keeps_balance, is_never_steady)


def check_balance_when_hurt(fight: Fight, mover: Combatant) -> Steps[None]:
    """Check the balance of a combatant hurt while balancing; a newcomer without a surface has broad
    ground.
    """
    broadest = next(iter(SURFACES))

    def known(told: str) -> str:
        return told if told in SURFACES or told.startswith(OTHER) else broadest

    return keep_balance_when_hurt(fight, mover, BALANCE, known)


# --- Fly checks: the skill, maneuverability, and creatures with wings (pf1.skill.fly)

FLY_CHECKS_TOPIC: Final = "pf1.skill.fly"
USUAL: Final = "average"
"""The maneuverability of creatures without a printed one."""


def has_wings(mover: Combatant) -> bool:
    """Return whether a flier has wings: yes, unless its sheet says otherwise or it is incorporeal."""
    return not has_trait(mover, "wingless") and not is_a(mover, INCORPOREAL)


def fly_parts(fight: Fight, mover: Combatant) -> list[Modifier]:
    """Return the parts of a Fly check; a printed total includes the maneuverability (pf1.skill.fly)."""
    parts = skill_parts(fight, mover, "fly", "dex", fight.rule(FLY_CHECKS_TOPIC))
    if "fly" not in mover.sheet.skills:
        grade = mover.sheet.maneuver or USUAL
        parts.append(
            fight.modifier(FLY_CHECKS_TOPIC, grade, kind="maneuverability", source=f"{grade} maneuverability")
        )
    return parts


def check_flight(fight: Fight, mover: Combatant, figure: str, why: str) -> Steps[bool]:
    """Make a Fly check against the DC that a figure of the skill names (pf1.skill.fly)."""
    parts = fly_parts(fight, mover)
    return check(
        fight,
        mover,
        "fly",
        parts,
        fight.figure(FLY_CHECKS_TOPIC, figure),
        fight.rule(FLY_CHECKS_TOPIC),
        why=why,
    )


# --- Falling, and objects that fall or are dropped on a combatant (pf1.falling, pf1.falling.objects-table)

FALL_TOPIC: Final = "pf1.falling"
OBJECTS: Final = "pf1.falling.objects-table"
FALL_BALANCE: Final = "pf1.skill.acrobatics-balance"
#: Conditions of combatants in the air on the way down, by ruling: not far, or more than 500 feet.
FALLING: Final = "falling"
FALLING_FAR: Final = "falling far"


def fall_by_gm(fight: Fight, act: acts.Fall) -> Steps[None]:
    """Make a combatant fall, or an object fall on it, by ruling."""
    target = fight.combatant(act.target)
    if act.feet < 0:
        raise Refusal("a height cannot be negative", fight.rule(FALL_TOPIC))
    if act.size:
        yield from struck_by_object(fight, target, act)
        return
    yield from come_down(fight, target, act.feet)


def fall(fight: Fight, mover: Combatant, feet: int, jumped: bool = False) -> Steps[None]:
    """Fall the given feet; lethal damage leaves the combatant prone (pf1.falling).

    `jumped` is a deliberate leap, which a check softens. A winged creature may avert it (pf1.skill.fly).
    """
    if not jumped and (yield from averts_fall(fight, mover, feet)):
        return
    yield from plummet(fight, mover, feet, jumped)


def plummet(fight: Fight, mover: Combatant, feet: int, jumped: bool = False) -> Steps[None]:
    """Fall the given feet without averting it, ending flight too (pf1.falling)."""
    yield from end_flight(fight, mover, "falls", fight.rule(FALL_TOPIC))
    landing = None
    if jumped and feet >= fight.figure(FALL_TOPIC, "per_ft"):
        landing = yield from lands_well(fight, mover)
    impact = dice_onto_ground(fight, feet, landing, 0)
    if (yield from suffer_fall(fight, mover, feet, impact)) > 0:
        yield from lie_where_fallen(mover, impact)


def come_down(fight: Fight, mover: Combatant, feet: int) -> Steps[None]:
    """Fall the given feet, to a free place (pf1.falling)."""
    yield from fall(fight, mover, feet)
    for name in (FALLING, FALLING_FAR):
        if name in mover.conditions:
            yield ConditionLost(who=mover.id, condition=name, why="comes down", cites=fight.rules(FALL_TOPIC))
    yield from make_room(fight, mover)


def refuse_slow_spell(fight: Fight, caster: Combatant, act: acts.Cast) -> None:
    """Refuse a falling caster's spells longer than an immediate action, unless it falls far (pf1.falling)."""
    spell = next((one for one in caster.sheet.spells if one.name == act.spell), None)
    if spell is not None and spell.casting != "immediate" and spell.ability in ("", "spell-like"):
        raise Refusal(f"{caster.id} is falling and has no time to cast {spell.name}", fight.rule(FALL_TOPIC))


def lands_well(fight: Fight, mover: Combatant) -> Steps[Landing]:
    """Check whether a jumper's Acrobatics spare it the first feet and soften the next ones.

    pf1.falling, pf1.skill.acrobatics-balance.
    """
    rules = fight.rules(FALL_BALANCE, FALL_TOPIC)
    parts = skill_parts(fight, mover, "acrobatics", "dex", rules[0])
    dc = fight.figure(FALL_TOPIC, "dc")
    if not (yield from check(fight, mover, "acrobatics", parts, dc, *rules, why="to break its fall")):
        return Landing()
    return Landing(fight.figure(FALL_TOPIC, "free_ft"), fight.figure(FALL_TOPIC, "nonlethal_ft"))


def averts_fall(fight: Fight, mover: Combatant, feet: int) -> Steps[bool]:
    """Check whether a creature that can fly recovers in the air: then it takes no damage.

    pf1.skill.fly.
    """
    if not mover.sheet.fly or feet < fight.figure(FALL_TOPIC, "per_ft") or is_down(fight, mover):
        return False
    return (yield from check_flight(fight, mover, "avert", "to avert its fall"))


def struck_by_object(fight: Fight, target: Combatant, act: acts.Fall) -> Steps[None]:
    """Drop an object of a size on a combatant: half damage from low down, double from high up.

    A combatant that drops it must hit with a ranged touch attack; against one that falls by itself, targets
    that are aware of it take half on a successful Reflex save (pf1.falling.objects-table).
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
    """Return the multiplier of an object's damage by the height of its fall."""
    if feet < fight.figure(OBJECTS, "short_ft"):
        return float(fight.figure(OBJECTS, "short"))
    return float(fight.figure(OBJECTS, "long")) if feet > fight.figure(OBJECTS, "long_ft") else 1.0


def is_aware(fight: Fight, target: Combatant) -> bool:
    """Return whether a combatant notices a falling object: neither unconscious nor surprised."""
    return not is_down(fight, target) and (target.aware or fight.state.round > 0)


def hits_with_object(fight: Fight, attacker: Combatant, target: Combatant, what: str) -> Steps[bool]:
    """Roll the ranged touch attack of a combatant that drops an object on another below."""
    refuse_down(fight, attacker, "drop anything")
    if attacker is target:
        raise Refusal(f"{attacker.id} cannot drop anything on itself", fight.rule(OBJECTS))
    weapon = Weapon(what, NO_DAMAGE, "bludgeoning", "projectile", threat=NO_THREAT)
    blow = Blow(attacker, target, weapon, False, 0, Intent(against=TOUCH_ARMOR_CLASS))
    blow.cites += fight.rules(OBJECTS, "ac.touch")
    return (yield from strike(fight, blow, harm=False))


# --- Flying: the Fly skill, when it is checked in the air, and the price of a failure (pf1.skill.fly)

HEIGHT: Final = "height"
"""The name under which a turn counts the feet that a flier has climbed or sunk beyond its level flight."""
BACK: Final = 180


def fly(fight: Fight, act: acts.Move) -> Steps[None]:
    """Fly along a path as a move action, `up` feet up, or down if below 0.

    Turns of more than 45 degrees and a climb steeper than that take Fly checks. A turn that fails ends the
    flight before it, a climb that fails gains no height (pf1.skill.fly).
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule(FLY_CHECKS_TOPIC)
    refuse_flight(fight, mover, act)
    turns = turns_within(fight, mover, act.path)
    level = level_feet(fight, mover, act.path)
    yield spending(fight, mover, "move", "fly", rule)
    if FLYING not in mover.conditions:
        yield from change_height(fight, mover, "", 0, rule)
    up = act.up
    steep = degrees(atan2(up, level)) > fight.figure(FLY_CHECKS_TOPIC, "angle")
    if steep and not (yield from check_flight(fight, mover, "climb", "to climb steeply")):
        yield RuleApplied(who=mover.id, what="gains no height", cites=(rule,))
        up = 0
    begun = 0
    for place, angle in turns:
        if place > begun:
            if not (yield from fly_along(fight, mover, act.path[begun:place], 0, rule)):
                return
            begun = place
        figure = "reverse" if angle == BACK else "tight_turn"
        if not (yield from check_flight(fight, mover, figure, f"to turn {angle} degrees")):
            yield RuleApplied(who=mover.id, what="flies no further", cites=(rule,))
            return
    if abs(up) > level:
        yield ActionSpent(who=mover.id, kind=HEIGHT, what="up or down", amount=abs(up) - level, cites=(rule,))
    yield from fly_along(fight, mover, act.path[begun:], up, rule)


def refuse_flight(fight: Fight, mover: Combatant, act: acts.Move) -> None:
    """Refuse a flight to those that cannot fly or not so far, through walls, and into the ground."""
    rule = fight.rule(FLY_CHECKS_TOPIC)
    refuse_after_step(fight, mover)
    if not mover.sheet.fly:
        raise Refusal(f"{mover.id} cannot fly", rule)
    refuse_prone(fight, mover)
    refuse_held_fast(fight, mover)
    if not act.path and not act.up:
        raise Refusal(f"{mover.id} hovers by staying where it is until its turn ends", rule)
    height = height_flown(mover)
    if height + act.up < 0:
        raise Refusal(f"{mover.id} is {height} ft. up and cannot sink {-act.up} ft.", rule)
    for here, there in pairwise((mover.at, *act.path)):
        if (there[0] - here[0], there[1] - here[1]) not in NAMES:
            raise Refusal(f"no step leads from {here[0]},{here[1]} to {there[0]},{there[1]}", rule)
    cost = max(level_feet(fight, mover, act.path), abs(act.up))
    cost += max(0, act.up) * (int(fight.figure(FLY_CHECKS_TOPIC, "rise_cost")) - 1)
    most = flying_speed(fight, mover) - fight.dialect.movement.forfeit(fight, mover)
    if cost > most:
        raise Refusal(f"the flight costs {cost} ft., {mover.id} flies {most} ft.", rule)
    refuse_blocked_flight(fight, mover, act.path or (mover.at,), height + act.up)


def flying_speed(fight: Fight, mover: Combatant) -> int:
    """Return how many feet a creature flies with a move action, after the effects of conditions."""
    return get_speed_under_conditions(fight, mover, mover.sheet.fly)


def level_feet(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> int:
    """Return the length of a path in the air in feet, where no ground hampers it."""
    parity = mover.spent.get("diagonals", 0) % 2
    whole = (mover.at, *path)
    return path_cost(fight.field, whole, doublings_of=lambda square: 0, parity=parity).squares * SQUARE_FT


def turns_within(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> list[tuple[int, int]]:
    """Return the number of squares before each turn of more than 45 degrees on a path, and its degrees.

    Flight earlier in the same turn counts; in a new turn it sets out in any direction.
    """
    found = []
    free = int(fight.figure(FLY_CHECKS_TOPIC, "angle"))
    under_way = FLYING in mover.conditions and mover.spent.get("feet")
    heading = mover.conditions[FLYING].source if under_way else ""
    for place, (here, there) in enumerate(pairwise((mover.at, *path))):
        name = NAMES[there[0] - here[0], there[1] - here[1]]
        angle = degrees_between(heading, name)
        if angle > free:
            found.append((place, angle))
        heading = name
    return found


def refuse_on_foot(fight: Fight, mover: Combatant, act: acts.Move | acts.Run | acts.Withdraw) -> None:
    """Refuse to walk on the air (pf1.skill.fly)."""
    if not (isinstance(act, acts.Move) and act.how == "fly"):
        refuse_aloft(fight, mover, fight.rule(FLY_CHECKS_TOPIC))


#: Acts that go over the ground.
AFOOT: Final = (
    *(acts.Move, acts.Step, acts.Run, acts.Withdraw, acts.Jump),
    *(acts.Charge, acts.Overrun, acts.BullRush, acts.Skirmish, acts.Trample),
)
#: Ways of moving that need no ground.
OFF_THE_GROUND: Final = ("climb", "fly", "swim")


def refuse_without_footing(fight: Fight, mover: Combatant, act: acts.Act) -> None:
    """Refuse to walk, step or rush in deep water to those without a speed there, who must swim.

    pf1.move.move, pf1.five-foot-step
    """
    if mover.conditions[IN_WATER].source == FOOTING or mover.sheet.swim or mover.mount:
        return
    if isinstance(act, acts.Move) and act.how in OFF_THE_GROUND:
        return
    if isinstance(act, acts.BullRush) and not act.charge:
        return
    topic = "pf1.five-foot-step" if isinstance(act, acts.Step) else "pf1.move.move"
    raise Refusal(f"{mover.id} has no ground under its feet and must swim", fight.rule(topic))


def stay_up(fight: Fight, mover: Combatant) -> Steps[None]:
    """Check whether a flier stays up that ends its turn having flown less than half its speed, or nothing.

    A failure makes it fall, which cannot be averted (pf1.skill.fly).
    """
    if not height_flown(mover) or is_down(fight, mover):
        return
    flown = mover.spent.get("feet", 0) + mover.spent.get(HEIGHT, 0)
    if flown >= flying_speed(fight, mover) * fight.figure(FLY_CHECKS_TOPIC, "slow_share"):
        return
    figure, why = ("slow", f"having flown {flown} ft.") if flown else ("hover", "to hover")
    if not (yield from check_flight(fight, mover, figure, why)):
        yield from drop_out_of_air(fight, mover, "falls")


def lose_height_when_hurt(fight: Fight, mover: Combatant) -> Steps[None]:
    """Check whether a winged flier that is hurt keeps its height, or loses 10 ft. of it (pf1.skill.fly)."""
    height = height_flown(mover)
    if not height or is_down(fight, mover) or not has_wings(mover):
        return
    if (yield from check_flight(fight, mover, "hurt", "hurt in flight")):
        return
    left = max(0, height - int(fight.figure(FLY_CHECKS_TOPIC, "lost_ft")))
    rule = fight.rule(FLY_CHECKS_TOPIC)
    if left:
        yield from change_height(fight, mover, mover.conditions[FLYING].source, left, rule)
    else:
        yield from end_flight(fight, mover, "sinks to the ground", rule)


def fall_limp(fight: Fight, mover: Combatant) -> Steps[None]:
    """Make a flier fall that is out of the fight, or that can no longer use its wings (pf1.skill.fly)."""
    down = is_down(fight, mover)
    if down or has_wings(mover):
        yield from drop_out_of_air(fight, mover, "falls" if down else "cannot beat its wings")


def drop_out_of_air(fight: Fight, mover: Combatant, why: str) -> Steps[None]:
    """End a flight by a fall to the ground."""
    height = height_flown(mover)
    yield from end_flight(fight, mover, why, fight.rule(FLY_CHECKS_TOPIC))
    if height:
        yield from plummet(fight, mover, height)
        yield from make_room(fight, mover)


# --- Jumping, and deliberate leaps down (pf1.skill.jump)


def jump_down(fight: Fight, mover: Combatant, act: acts.Jump) -> Steps[None]:
    """Leap down deliberately (pf1.falling)."""
    yield from fall(fight, mover, act.feet, jumped=True)


#: Jumping is a use of Acrobatics (pf1.skill.jump).
LEAPING: Final = Leaping("acrobatics", "dex", jump_down)


def jump(fight: Fight, act: acts.Jump) -> Steps[None]:
    """Jump by Acrobatics (pf1.skill.jump)."""
    return leap(fight, act, LEAPING)


# --- Obstacles between squares: movers that they stop, and movers that ignore them (pf1.terrain.obstacle)

OBSTACLE = "pf1.terrain.obstacle"


def in_way(fight: Fight, mover: Combatant, here: Square, there: Square) -> list[Barrier]:
    """Return the obstacles that hamper a step; none for fliers and the incorporeal."""
    return [] if nature_among(mover, AVOIDING) else crossed_by(fight, mover, here, there)


def refuse_charge_across(
    fight: Fight, mover: Combatant, path: Sequence[Square], what: str, rule: str
) -> None:
    """Refuse to charge across an obstacle, and while squeezing (pf1.charge)."""
    if what == "charge" and SQUEEZING in mover.conditions:
        raise Refusal(f"{mover.id} squeezes and cannot charge", rule)
    for here, there in pairwise((mover.at, *path)):
        if what == "charge" and in_way(fight, mover, here, there):
            raise Refusal(f"an obstacle before {there[0]},{there[1]} hinders the charge", rule)


def step_needs_check(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> bool:
    """Return whether an obstacle requires a check before a step can be taken."""
    return any(barrier.check for barrier in in_way(fight, mover, here, there))


def check_before_step(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> Steps[bool]:
    """Make the skill check that an obstacle requires; a failure ends the movement before it."""
    return overcome(fight, mover, in_way(fight, mover, here, there))


# --- The source of speed: a race's base, its armor, and Fleet (pf1.speed.*, pf1.feat.run-fleet)

TABLE: Final = "pf1.speed.table-by-race"
DEFINITION: Final = "pf1.speed.definition"
SPEED_FEAT: Final = "pf1.feat.run-fleet"
HAMPERING: Final = ("medium", "heavy")
DWARF: Final = "pf1.speed.dwarf"
#: The rules on each row of the table, in the order of the rows.
ROWS: Final = ("pf1.speed.gnome-halfling", DWARF, "pf1.speed.thirty-foot-races")


def land_speed(fight: Fight, mover: Combatant) -> int:
    """Return the speed on land in feet with temporary effects, before conditions change it."""
    return pace(fight, mover).feet + sum(part.value for part in effect_parts(mover, "speed", ""))


def pace(fight: Fight, mover: Combatant) -> Pace:
    """Return the speed on land with its parts; no explanation of one that is as printed.

    A race of the table has its base, less in medium and heavy armor except for a dwarf; Fleet adds to it in
    light armor or none. A printed speed includes all of that already.
    """
    sheet = mover.sheet
    found = race_row(fight, mover)
    if found is None:
        return Pace(sheet.speed)
    row, topic = found
    told = f"{sheet.race} {row['light_or_none_ft']} ft."
    feet, squares = int(fight.figure(topic, "speed_ft")), row["light_or_none_sq"]
    cites = fight.rules(DEFINITION, TABLE, topic)
    if abilities.moves_freely(fight, sheet):
        told += f" in {sheet.armor_weight} armor by training"
        cites += fight.rules(abilities.FIGHTER_TOPIC)
    elif sheet.armor_weight in HAMPERING:
        told += f", {row['medium_heavy_ft']} ft. in {sheet.armor_weight} armor"
        feet, squares = feet_in_armor(fight, topic), row["medium_heavy_sq"]
    told = f"speed {feet} ft. ({counted(squares, 'square')}): {told}"
    if has_feat(mover, "fleet") and sheet.armor_weight not in HAMPERING:
        more = int(fight.figure(SPEED_FEAT, "fleet"))
        feet += more
        told += f", {more:+d} ft. by Fleet"
        cites += (fight.rule(SPEED_FEAT),)
    return Pace(feet, told, cites)


def feet_in_armor(fight: Fight, topic: str) -> int:
    """Return the speed of a race in medium or heavy armor; a dwarf's is unchanged (pf1.speed.dwarf)."""
    return int(fight.figure(topic, "speed_ft" if topic == DWARF else "medium_heavy_ft"))


def is_slowed_by_armor(fight: Fight, mover: Combatant) -> bool:
    """Return whether armor slows: medium and heavy armor does, except for a dwarf or by training."""
    if mover.sheet.armor_weight not in HAMPERING or abilities.moves_freely(fight, mover.sheet):
        return False
    found = race_row(fight, mover)
    return found is None or found[1] != DWARF


def race_row(fight: Fight, mover: Combatant) -> tuple[JsonObject, str] | None:
    """Return the row of a combatant's race in the table of speeds and its rule's topic; None for none."""
    if not mover.sheet.race:
        return None
    rows: list[JsonObject] = fight.figure(TABLE)
    return next(
        ((row, topic) for row, topic in zip(rows, ROWS, strict=True) if mover.sheet.race in row["races"]),
        None,
    )


def speed_told(fight: Fight, mover: Combatant) -> RuleApplied | None:
    """Return the fact on the source of a combatant's speed, None if it is as printed."""
    found = pace(fight, mover)
    slower = [
        (name, fight.rule(change.topic))
        for name, change, denied in condition_changes(fight, mover, "speed")
        if not denied
    ]
    told = "; ".join(filter(None, (found.told, *(f"slower: {name}" for name, _ in slower))))
    cites = tuple(dict.fromkeys((*found.cites, *(rule for _, rule in slower))))
    return RuleApplied(who=mover.id, what=told, cites=cites) if told else None


def tell_move(fight: Fight, act: acts.Move, moving: Steps[None]) -> Steps[None]:
    """Move on foot; report the source of the speed, and a second move action.

    A combatant that has balanced is on firm ground again.

    pf1.speed.definition, pf1.speed.double-move.
    """
    mover = fight.state.combatants[act.actor]
    topics = []
    if mover.spent.get("move"):
        topics.append("speed.double-move")
    elif mover.spent.get("standard"):
        topics.append(DEFINITION)
    yield from report_speed_after(fight, act.actor, moving, *fight.rules(*topics))
    if mover.conditions:
        yield from end_balancing_on_ground(fight, mover)


def tell_withdrawal(fight: Fight, act: acts.Withdraw, moving: Steps[None]) -> Steps[None]:
    """Withdraw; report the source of the speed."""
    return report_speed_after(fight, act.actor, moving)


def report_charge(fight: Fight, act: acts.Charge, moving: Steps[None]) -> Steps[None]:
    """Charge; report the source of the speed, in the saddle that of the mount."""
    return report_speed_after(fight, fight.combatant(act.actor).mount or act.actor, moving)


def tell_run(fight: Fight, act: acts.Run, moving: Steps[None]) -> Steps[None]:
    """Run; report the source of the speed, and the rule that multiplies it.

    pf1.speed.run, pf1.feat.run-fleet.
    """
    feat = has_feat(fight.state.combatants[act.actor], "run")
    return report_speed_after(fight, act.actor, moving, fight.rule(SPEED_FEAT if feat else "pf1.speed.run"))


def run_by_feat(fight: Fight, mover: Combatant) -> int:
    """Return how many times its speed a combatant with the Run feat runs, 0 without it."""
    if not has_feat(mover, "run"):
        return 0
    return int(fight.figure(SPEED_FEAT, "heavy" if mover.sheet.armor_weight == "heavy" else "multiple"))


def refuse_hurry(fight: Fight, mover: Combatant, act: acts.Move | acts.Withdraw) -> None:
    """Refuse those that rest from running more than one move at their speed in a round (pf1.run)."""
    refuse_winded(fight, mover, not isinstance(act, acts.Move) or act.how == "double")


# --- The cost of each step: what doubles it, the surcharge of obstacles, and passing through others' squares
# pf1.terrain.difficult, pf1.terrain.multiple, pf1.terrain.obstacle, pf1.squeeze, pf1.pass.*,
# pf1.minimum-move.

DIFFICULT: Final = "pf1.terrain.difficult"
MULTIPLE: Final = "pf1.terrain.multiple"
SQUEEZE: Final = "pf1.squeeze"
ROUGH, LOW = "~", "="


class Stride(Struct, frozen=True):
    """One step: its cost in squares, whether its diagonal counts, and the rules that contributed."""

    squares: int
    diagonal: bool
    topics: tuple[str, ...]
    obstacle: bool = False


def measure_strides(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str) -> Measure:
    """Return the cost of going along squares, the first being the mover's own, and the rules.

    A square is 5 feet (pf1.grid).
    """
    # A path is measured when it is checked and again when it is walked: the second time from the cache.
    return measured(fight, mover, tuple(whole), how, parity_of(mover, how))


@per_scene(*("mover.id", "whole", "how", "parity"))
def measured(fight: Fight, mover: Combatant, whole: tuple[Square, ...], how: str, parity: int) -> Measure:
    """Return the cost of going along squares, beginning with a double or a single diagonal."""
    found = list(strides(fight, mover, whole, how, parity))
    feet = sum(one.squares for one in found) * int(fight.figure("pf1.grid", "square_ft"))
    topics = dict.fromkeys(topic for one in found for topic in one.topics)
    return Measure(feet, sum(one.diagonal for one in found), fight.rules(*topics))


def parity_of(mover: Combatant, how: str) -> int:
    """Return 1 if the next diagonal of a combatant's turn counts double, otherwise 0.

    A 5-foot step is one square, regardless of the round's earlier diagonals.
    """
    return int(mover.spent.get("diagonals", 0) % 2) if how != "step" else 0


def measure_least(
    fight: Fight, mover: Combatant, whole: Sequence[Square], how: str, found: Measure
) -> Measure:
    """Return the cost of the minimum movement: the distance it covers, ignoring hindrances
    (pf1.minimum-move).
    """
    return Measure(int(fight.figure("pf1.minimum-move", "ft")), found.diagonals, found.cites)


def strides(
    fight: Fight, mover: Combatant, whole: Sequence[Square], how: str, parity: int
) -> Iterator[Stride]:
    """Yield each step of a path."""
    for here, there in pairwise(whole):
        one = stride(fight, mover, here, there, how, parity)
        parity ^= one.diagonal
        yield one


def stride(fight: Fight, mover: Combatant, here: Square, there: Square, how: str, parity: int) -> Stride:
    """Return one step's cost: each hindrance doubles it, and obstacles are added."""
    form = taken_up(fight, mover, here, there, how)
    diagonal = here[0] != there[0] and here[1] != there[1]
    others = holders_among(fight, mover, squares_at(there, form))
    topics = [rule_of_passing(fight, mover, other, how) for other in others]
    hampering, sparing = ground(fight, mover, there, form)
    hampering += list(filter(None, [dear_to_pass(fight, other) for other in others]))[:1]
    hampering += [SQUEEZE] if form.squeezed else []
    cost, rules = cost_of_step(fight, diagonal, hampering, parity)
    crossed = bool(in_way(fight, mover, here, there))
    if crossed:
        cost += int(fight.figure(OBSTACLE, "extra_squares"))
        rules.append(OBSTACLE)
    return Stride(
        cost,
        diagonal and not hampering,
        (*rules, *sparing, *filter(None, topics)),
        crossed,
    )


def dear_to_pass(fight: Fight, other: Combatant) -> str:
    """Return the topic of the rule by which a creature's square costs more to pass, "" if it does not.

    That of the paralyzed, and of the bulky and helpless (pf1.cond.paralyzed, pf1.pass.opponent).
    """
    if PARALYZED in other.conditions:
        return "pf1.cond.paralyzed"
    return "pf1.pass.opponent" if has_trait(other, BULKY) and is_helpless(fight, other) else ""


def ground(fight: Fight, mover: Combatant, there: Square, form: Form) -> tuple[list[str], list[str]]:
    """Return the rules by which the ground hampers a step, and those that exempt the mover from it.

    Of several kinds of ground only the worst counts.
    """
    kinds = kinds_at(fight, there, form)
    if ROUGH not in kinds and LOW not in kinds:
        return [], []
    topic = DIFFICULT if ROUGH in kinds else OBSTACLE
    return ([], [DIFFICULT]) if nature_among(mover, CLEAR_OF_GROUND) else ([topic], [])


def cost_of_step(
    fight: Fight, diagonal: bool, hampering: Sequence[str], parity: int
) -> tuple[int, list[str]]:
    """Return the squares that a step costs, and the topics of the rules.

    1, or 2 for every second diagonal; 2 with a hindrance, diagonally 3; each further one doubles it: 4 and 8,
    diagonally 6 and 12, and so on (pf1.grid, pf1.terrain.*).
    """
    count = len(hampering)
    if not count:
        return (int(fight.figure("pf1.grid", "diagonals")[parity]) if diagonal else 1), []
    steep = int(fight.figure(DIFFICULT, "diagonal"))
    if count == 1:
        topic = hampering[0] if hampering[0] in (SQUEEZE, "pf1.cond.paralyzed") else DIFFICULT
        cost = steep if diagonal else int(fight.figure(topic, "cost"))
        return cost, [*hampering, *([DIFFICULT] if diagonal else [])]
    table = fight.figure(MULTIPLE)
    most = min(count, len(table))
    cost = (steep * table[most - 2] if diagonal else table[most - 1]) << (count - most)
    return cost, [*hampering, MULTIPLE, *([DIFFICULT] if diagonal else [])]


def too_far(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str, feet: int) -> str:
    """Return the rule by which a path is too long if the last of it is an obstacle that cannot be crossed."""
    spent = 0
    for one in strides(fight, mover, whole, how, parity_of(mover, how)):
        spent += one.squares * int(fight.figure("pf1.grid", "square_ft"))
        if spent > feet:
            return fight.rule(OBSTACLE) if one.obstacle else ""
    return ""


# --- Step Up: following an opponent that takes a 5-foot step away (pf1.feat.step-up)

STEP_UP_TOPIC: Final = "pf1.feat.step-up"
STEP_UP_FEAT: Final = "step up"
#: The stat by which a step after an opponent reduces the next turn's movement, in feet.
SHORTER: Final = "movement of the turn"


def follow(fight: Fight, act: acts.Step, stepping: Steps[None]) -> Steps[None]:
    """Take a 5-foot step; an opponent that is no longer next to the mover may follow by Step Up."""
    mover = fight.combatant(act.actor)
    beside = [
        one for one in fight.enemies(mover) if masters(fight, one, STEP_UP_FEAT) and next_to(one, mover)
    ]
    left = mover.at
    yield from stepping
    if mover.at == left:
        return
    for one in in_order(fight, beside):
        if not next_to(one, mover):
            yield from step_after(fight, one, mover)


def step_after(fight: Fight, follower: Combatant, mover: Combatant) -> Steps[None]:
    """Let a combatant step next to an opponent again as an immediate action, if it can and chooses to."""
    rule = fight.rule(STEP_UP_TOPIC)
    try:
        kind = refuse_immediate(fight, follower)
    except Refusal:
        return
    squares = squares_beside(fight, follower, mover)
    if not squares:
        return
    named = {f"{x},{y}": (x, y) for x, y in squares}
    question = f"{mover.id} steps away: does {follower.id} step after it?"
    answer = yield Choice(follower.id, STEP_UP_FEAT, question, (*named, "decline"), rule)
    if answer not in named:
        return
    cites = (rule, fight.rule("pf1.action.immediate"))
    yield ActionSpent(who=follower.id, kind=kind, what=STEP_UP_FEAT, cites=cites)
    yield shortened(fight, follower)
    yield from fight.dialect.movement.walk(fight, follower, (named[answer],), "step", rule)


def squares_beside(fight: Fight, follower: Combatant, mover: Combatant) -> list[Square]:
    """Return the squares next to an opponent within a combatant's 5-foot step, clockwise from above."""
    squares, (x, y) = int(fight.figure(STEP_UP_TOPIC, "distance_ft")) // SQUARE_FT, follower.at
    found = [(x + squares * dx, y + squares * dy) for dx, dy in DIRECTIONS]
    return [
        there
        for there in found
        if reaches_from(follower, there, mover, 0, SQUARE_FT) and can_take_step(fight, follower, there)
    ]


def can_take_step(fight: Fight, combatant: Combatant, to: Square) -> bool:
    """Return whether a combatant could take a 5-foot step to a square, whatever it did in its own turn."""
    rule = fight.rule("pf1.five-foot-step")
    try:
        refuse_prone(fight, combatant)
        # Hampering ground costs more than its one square.
        refuse_path(fight, combatant, (to,), SQUARE_FT, rule, how="step")
    except Refusal:
        return False
    return speed(fight, combatant) >= int(fight.figure("pf1.five-foot-step", "min_speed_ft"))


def shortened(fight: Fight, follower: Combatant) -> EffectGained:
    """Return the cost of the step in the follower's next turn: its own 5-foot step, and feet of movement."""
    rule = fight.rule(STEP_UP_TOPIC)
    this_round = fight.state.active != follower.id and not has_acted(fight, follower)
    return EffectGained(
        who=follower.id,
        id=f"{fight.declaration}:{STEP_UP_FEAT}:{follower.id}",
        stat=SHORTER,
        modifier=Modifier(
            int(fight.figure(STEP_UP_TOPIC, "next_turn_ft")), "penalty", STEP_UP_FEAT.title(), rule
        ),
        until=Until("turn-end", follower.id, fight.state.round + (not this_round)),
        cites=(rule,),
    )


def refuse_short_step(fight: Fight, actor: Combatant, act: acts.Step) -> None:
    """Refuse a 5-foot step in the turn after one by Step Up."""
    if any(one.stat == SHORTER for one in actor.effects):
        raise Refusal(
            f"{actor.id} has stepped up and takes no 5-foot step this turn", fight.rule(STEP_UP_TOPIC)
        )


def forfeit(fight: Fight, mover: Combatant) -> int:
    """Return the feet by which a turn's first movement is shortened, after a step by Step Up before it."""
    if mover.spent.get("feet") or fight.state.active != mover.id:
        return 0
    return -sum(one.modifier.value for one in mover.effects if one.stat == SHORTER)


def slowed_by_step(fight: Fight, mover: Combatant, rule: str) -> str:
    """Return the rule to cite for a path that is too long: that of Step Up if it has cost movement."""
    return fight.rule(STEP_UP_TOPIC) if forfeit(fight, mover) else rule


# --- Acrobatics past opponents and through their spaces (pf1.skill.acrobatics)

TUMBLE_TOPIC: Final = "pf1.skill.acrobatics"
#: The conditions of combatants that carry too much for it, by ruling.
LOADS: Final = ("medium load", "heavy load")


def tumble(fight: Fight, act: acts.Move) -> Steps[None]:
    """Tumble by Acrobatics, trained or not (pf1.skill.acrobatics)."""
    return skills.tumble(fight, act, TUMBLING)


def refuse_to_tumble(fight: Fight, mover: Combatant, act: acts.Move) -> None:
    """Refuse those slowed by their armor, and those under a medium or heavy load."""
    load = next((name for name in LOADS if name in mover.conditions), "")
    if load:
        raise Refusal(f"{mover.id} cannot tumble under a {load}", fight.rule(TUMBLE_TOPIC))
    if is_slowed_by_armor(fight, mover):
        weight = mover.sheet.armor_weight
        raise Refusal(
            f"{mover.id} cannot tumble: it is slowed by its {weight} armor", fight.rule(TUMBLE_TOPIC)
        )


def gets_past(
    fight: Fight, mover: Combatant, enemy: Combatant, act: acts.Move, through: bool, others: int
) -> Steps[bool]:
    """Check whether a mover gets past, or through the space of, one opponent: against its CMD.

    Higher by 5 through its space, by 2 for each opponent before it, by 10 at full speed.
    """
    rule = fight.rule(TUMBLE_TOPIC)
    dc = defense_against(fight, mover, enemy) + others * fight.figure(TUMBLE_TOPIC, "per_extra")
    if through:
        dc += int(str(fight.figure(TUMBLE_TOPIC, "through")).rpartition("+")[2])
    if act.fast:
        dc += fight.figure(TUMBLE_TOPIC, "full_speed")
    parts = skill_parts(fight, mover, "acrobatics", "dex", rule)
    why = f"{'through the space of' if through else 'past'} {enemy.id}{' at full speed' if act.fast else ''}"
    return (yield from check(fight, mover, "acrobatics", parts, dc, rule, fight.rule("pf1.cmd"), why=why))


def defense_against(fight: Fight, mover: Combatant, enemy: Combatant) -> int:
    """Return an opponent's combat maneuver defense against a mover that wants to get past it (pf1.cmd)."""
    intent = Intent("move", "CMD against acrobatics", maneuver="get past")
    blow = Blow(mover, enemy, unarmed(fight, mover), True, distance(mover, enemy), intent)
    return int(tallies(fight, blow)[1].total)


#: Getting past others is a use of Acrobatics (pf1.skill.acrobatics).
TUMBLING: Final = Tumbling(refuse_to_tumble, gets_past)


# --- Climbing and swimming: a quarter of the speed, except for natives (pf1.move.move)

MOVE_TOPIC: Final = "pf1.move.move"


def climb(fight: Fight, act: acts.Move) -> Steps[None]:
    """Climb along a path as a move action, those with a climb speed at that speed."""
    return move_slowly(fight, act, fight.combatant(act.actor).sheet.climb)


def swim(fight: Fight, act: acts.Move) -> Steps[None]:
    """Swim along a path as a move action, those with a swim speed at that speed."""
    return move_slowly(fight, act, fight.combatant(act.actor).sheet.swim)


def move_slowly(fight: Fight, act: acts.Move, native: int) -> Steps[None]:
    """Climb or swim at a quarter of the speed, or at the `native` speed."""
    mover, rule = fight.combatant(act.actor), fight.rule(MOVE_TOPIC)
    refuse_unless_allowed(fight, mover, "move")
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    share = float(fight.figure(MOVE_TOPIC, "climb_or_swim"))
    feet = get_speed_under_conditions(fight, mover, native) if native else int(speed(fight, mover) * share)
    refuse_path(fight, mover, act.path, feet, rule, how=act.how)
    yield spending(fight, mover, "move", act.how, rule)
    yield from fight.dialect.movement.walk(fight, mover, act.path, act.how, rule)


# --- The modes of a move action that pf1 knows by name

WAYS: Final[Mapping[str, Callable[[Fight, acts.Move], Steps[None]]]] = {
    "crawl": walking.crawl,
    "balance": balance,
    "double": walking.double_move,
    walking.MINIMUM: walking.move_minimum,
    "fly": fly,
    "climb": climb,
    "swim": swim,
    "tumble": tumble,
    "wriggle": position.wriggle,
}
"""The modes in addition to the plain one."""
#: A move along a path with a given width.
NARROW: Final = f"wide and how == {squeezing.SQUEEZE!r}"
#: The possible values of `how` in a move.
HOW: Final = ("normal", squeezing.SQUEEZE, *WAYS)
#: The modes of movement for which other fields count.
READ_BY: Final[Under] = {
    "dc": {"how": ("wriggle", "balance")},
    "up": {"how": ("fly",)},
    "fast": {"how": ("tumble",)},
    "surface": {"how": ("balance",)},
    "wide": {"how": (squeezing.SQUEEZE, "wriggle")},
}
