"""Implement water: swimming, drowning and fighting below the surface."""

import re
from collections.abc import Sequence

from affray.engine.dialects.woa.damage.fallen import die, fall_unconscious
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.distance import obstructed
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.abilities import score_now
from affray.engine.rules.classes.checks import check_by, skill_parts
from affray.engine.rules.classes.sheets import has_trait
from affray.engine.rules.movement.movement import displaced
from affray.engine.rules.position.places import occupants
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- In the water: depth, swimming, going under, and holding one's breath (woa.water.*)
# Two conditions describe a combatant in water: "in water" (its source is the depth) and "in waters" (its
# source is the state of the water and its clarity; the source of "in a current" is its direction). "swimming"
# is the state of combatants in deep water without a swim speed.

IN_WATER, WATERS, CURRENT, SWIMMING = "in water", "in waters", "in a current", "swimming"
HOLDING, DROWNING = "holding its breath", "drowning"
CHEST, SURFACE, UNDER, BOTTOM = "chest-high", "swimming", "submerged", "on the bottom"
DEPTHS = (CHEST, SURFACE, UNDER, BOTTOM)
STATES = ("calm", "rough", "stormy")
CLARITIES = ("clear", "hazy", "murky")
GILLS = "breathes water"
ATHLETICS, STRENGTH = "athletics", "str"
#: The types of physical damage, and that of unspecified damage.
PHYSICAL = ("", "slashing", "piercing", "bludgeoning")


def depth_of(combatant: Combatant) -> str:
    """Return a combatant's depth in the water, "" on land."""
    found = combatant.conditions.get(IN_WATER) if combatant.conditions else None
    return found.source if found is not None else ""


def is_under_water(combatant: Combatant) -> bool:
    """Return whether a combatant is submerged, swimming or on the bottom."""
    return depth_of(combatant) in (UNDER, BOTTOM)


def reflex_below_surface(fight: Fight, target: Combatant, damage_type: str) -> tuple[Modifier, ...]:
    """Return the water's bonus to a submerged target's Reflex save against an area attack from above.

    Only physical damage counts (woa.water.area-effects).
    """
    if not is_under_water(target) or damage_type not in PHYSICAL:
        return ()
    return (fight.modifier("woa.water.area-effects", "reflex", kind="circumstance", source="under water"),)


def state_of(combatant: Combatant) -> str:
    """Return the state of the water around a combatant."""
    return said_of(combatant, STATES)


def clarity_of(combatant: Combatant) -> str:
    """Return the clarity of the water around a combatant."""
    return said_of(combatant, CLARITIES)


def said_of(combatant: Combatant, words: Sequence[str]) -> str:
    """Return which of the words describes the water around a combatant, by default the first."""
    said = combatant.conditions[WATERS].source.split(", ") if WATERS in combatant.conditions else []
    return next((word for word in words if word in said), words[0])


# --- Swimming, sinking, holding one's breath and drowning (woa.water.swimming.attacked-check)

#: The figures of breath in the table: rounds for a point of Constitution, the cost of an action, the checks.
BREATH = (
    ("stage=breath", "rounds"),
    ("stage=breath", "action"),
    ("stage=check", "dc"),
    ("stage=check", "step"),
)


def swim_dc(fight: Fight, combatant: Combatant) -> tuple[int, tuple[str, ...]] | None:
    """Return the DC of swimming in a combatant's water, with its rule; None if it is not printed."""
    found = cell(fight, "woa.water.swim-check", f"water={state_of(combatant)}", "dc")
    return (found.value, (found.rule,)) if found is not None else None


def into_water(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Put a combatant into the water, as the game master declares, or out of it again.

    `degree` lists the depth, the state of the water and its clarity; `way` is the direction of a current
    (woa.water.general).
    """
    rule = fight.rule("woa.water.general")
    if act.over:
        if not depth_of(target):
            raise Refusal(f"{target.id} is not in the water", rule)
        yield from out_of_water(fight, target)
        return
    words = [word.strip() for word in act.degree.split(",") if word.strip()]
    unknown = [word for word in words if word not in (*DEPTHS, *STATES, *CLARITIES)]
    if unknown:
        told = ", ".join((*DEPTHS, *STATES, *CLARITIES))
        raise Refusal(f"water is {told}, not {unknown[0]!r}", rule)
    state = next((word for word in words if word in STATES), STATES[0])
    clarity = next((word for word in words if word in CLARITIES), CLARITIES[0])
    yield ConditionGained(who=target.id, condition=WATERS, source=f"{state}, {clarity}", cites=(rule,))
    if act.way != (0, 0):
        way = f"{act.way[0]},{act.way[1]}"
        yield ConditionGained(who=target.id, condition=CURRENT, source=way, cites=(rule,))
    yield from go_to_depth(fight, target, next((word for word in words if word in DEPTHS), SURFACE), rule)


def go_to_depth(fight: Fight, combatant: Combatant, depth: str, *cites: str) -> Steps[None]:
    """Put a combatant at a depth: without a swim speed it must swim, under water it holds its breath.

    woa.water.swimming.*, woa.water.hold-breath
    """
    if depth_of(combatant) != depth:
        yield ConditionGained(who=combatant.id, condition=IN_WATER, source=depth, cites=cites)
    labors = depth in (SURFACE, UNDER) and not combatant.sheet.swim
    if labors and SWIMMING not in combatant.conditions:
        rules = fight.rules("woa.water.swimming.ac-penalty", "woa.water.swimming.no-reactions")
        yield ConditionGained(who=combatant.id, condition=SWIMMING, source="no swim speed", cites=rules)
    elif not labors and SWIMMING in combatant.conditions:
        yield ConditionLost(who=combatant.id, condition=SWIMMING, why=depth, cites=cites)
    rule = fight.rule("woa.water.hold-breath")
    if depth in (UNDER, BOTTOM):
        breathes = has_trait(combatant, GILLS) or combatant.sheet.abilities.con is None
        if not breathes and HOLDING not in combatant.conditions and not is_down(fight, combatant):
            yield ConditionGained(who=combatant.id, condition=HOLDING, source=depth, cites=(rule,))
    else:
        yield from breathe(fight, combatant, "above the water")


def out_of_water(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Move a combatant out of the water."""
    rule = fight.rule("woa.water.general")
    yield from breathe(fight, combatant, "out of the water")
    for name in (SWIMMING, CURRENT, WATERS, IN_WATER):
        if name in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=name, why="out of the water", cites=(rule,))


def breathe(fight: Fight, combatant: Combatant, why: str) -> Steps[None]:
    """Return a combatant to the air."""
    for name in (HOLDING, DROWNING):
        if name in combatant.conditions:
            yield ConditionLost(
                who=combatant.id, condition=name, why=why, cites=fight.rules("woa.water.hold-breath")
            )


def check_in_water(fight: Fight, combatant: Combatant, *cites: str, why: str) -> Steps[int]:
    """Make the Athletics check of the surrounding water; return its margin, 0 without a DC."""
    found = swim_dc(fight, combatant)
    if found is None:
        return 0
    dc, rules = found
    parts = skill_parts(fight, combatant, ATHLETICS, STRENGTH, fight.rule("woa.water.swim-check"))
    return (yield from check_by(fight, combatant, ATHLETICS, parts, dc, *rules, *cites, why=why))


def sink(fight: Fight, combatant: Combatant, *cites: str) -> Steps[None]:
    """Go under, or be carried off if there is a current."""
    if CURRENT in combatant.conditions:
        # A current without a direction leads nowhere.
        found = re.fullmatch(r"(-?\d+),(-?\d+)", combatant.conditions[CURRENT].source)
        path = squares_of_current(fight, combatant, int(found[1]), int(found[2])) if found else []
        if path:
            yield displaced(combatant, path, "swept along", *cites)
        else:
            yield RuleApplied(who=combatant.id, what="is swept nowhere", cites=cites)
        return
    if not is_under_water(combatant):
        yield RuleApplied(who=combatant.id, what="goes under", cites=cites)
        yield from go_to_depth(fight, combatant, UNDER, *cites)


def squares_of_current(fight: Fight, combatant: Combatant, dx: int, dy: int) -> list[tuple[int, int]]:
    """Return the squares through which a current carries a swimmer, up to an obstacle."""
    count = max(abs(dx), abs(dy))
    path: list[tuple[int, int]] = []
    for step in range(1, count + 1):
        there = combatant.at[0] + round(dx * step / count), combatant.at[1] + round(dy * step / count)
        here = path[-1] if path else combatant.at
        if obstructed(fight.field, here, there, combatant.space) or occupants(fight, combatant, there):
            break
        path.append(there)
    return path


def check_attacked_swimmer(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Make an attacked swimmer check Athletics to stay up (woa.water.swimming.attacked-check)."""
    if SWIMMING not in combatant.conditions or (
        is_under_water(combatant) and CURRENT not in combatant.conditions
    ):
        return
    rule = fight.rule("woa.water.swimming.attacked-check")
    if (
        is_down(fight, combatant)
        or (yield from check_in_water(fight, combatant, rule, why="attacked while swimming")) < 0
    ):
        yield from sink(fight, combatant, rule)


def end_round_in_water(fight: Fight) -> Steps[None]:
    """At the end of a round, sink combatants that did not swim, and use up held breath.

    woa.water.swim-action-required, woa.water.hold-breath
    """
    for combatant in list(fight.state.combatants.values()):
        if not combatant.conditions or "dead" in combatant.conditions:
            continue
        idle = SWIMMING in combatant.conditions and not combatant.spent.get("swam")
        if idle and (not is_under_water(combatant) or CURRENT in combatant.conditions):
            yield from sink(fight, combatant, fight.rule("woa.water.swim-action-required"))
        elif HOLDING in combatant.conditions:
            yield from use_breath(fight, combatant)
        elif DROWNING in combatant.conditions:
            yield from drown(fight, combatant)


def use_breath(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Use up a round of breath, more for acting; once it is gone, check Endurance each round."""
    topic, state = "woa.water.hold-breath", combatant.conditions[HOLDING]
    rule = fight.rule(topic)
    cells = (cell(fight, topic, *place) for place in BREATH)
    figures = [one.value for one in cells if one is not None]
    if len(figures) < len(BREATH):
        return
    per, action, dc, step = figures
    most = per * (score_now(fight, combatant, "con") or 0)
    if state.level >= most:
        parts = skill_parts(fight, combatant, "endurance", "con", rule)
        needed = dc + (state.level - most) * step
        if (yield from check_by(fight, combatant, "endurance", parts, needed, rule, why="out of breath")) < 0:
            yield ConditionLost(who=combatant.id, condition=HOLDING, why="begins to drown", cites=(rule,))
            yield ConditionGained(
                who=combatant.id, condition=DROWNING, source="water", level=fight.state.round, cites=(rule,)
            )
            yield from fall_unconscious(fight, combatant, "drowning", topic=topic)
            return
    acted = any(combatant.spent.get(kind) for kind in ("standard", "full-round"))
    used = state.level + 1 + (action if acted and state.level < most else 0)
    level = min(used, most) if state.level < most else used
    yield ConditionGained(
        who=combatant.id, condition=HOLDING, source=state.source, level=level, cites=(rule,)
    )


def drown(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Kill a drowning combatant after the given rounds."""
    rounds = cell(fight, "woa.water.hold-breath", "stage=drowning", "rounds")
    if rounds is not None and fight.state.round >= combatant.conditions[DROWNING].level + rounds.value:
        yield from die(fight, combatant, "drowning", rounds.rule)


# --- Fighting in the water: effects on attacks, shots and sight (woa.water.*)

#: The trait of weapons that work like spears and crossbows in the water.
THRUSTS = "like a spear"


def is_unslowed_by_water(fight: Fight, weapon: Weapon) -> bool:
    """Return whether water does not hamper a weapon: spears, crossbows and the like.

    woa.water.piercing-exception
    """
    listed = fight.figure("woa.water.piercing-exception")
    name = weapon.name.casefold()
    return THRUSTS in weapon.traits or any(name.endswith(one) or weapon.family == one for one in listed)


def is_aquatic_attack(combatant: Combatant, weapon: Weapon) -> bool:
    """Return whether a water creature attacks with its natural weapon (woa.water.aquatic-creatures)."""
    return bool(combatant.sheet.swim) and weapon.wield == "natural"


def water_on_attack(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the modifiers of chest-high or deeper water to an attack, in melee or at range."""
    attacker = blow.attacker
    if not depth_of(attacker):
        return []
    if is_aquatic_attack(attacker, blow.weapon):
        blow.cites.append(fight.rule("woa.water.aquatic-creatures"))
        return []
    return [fight.modifier("woa.water.attack-penalty", "attack", kind="penalty", source="in water")]


def range_parts(fight: Fight, blow: Blow, penalties: list[Modifier]) -> list[Modifier]:
    """Return the modifiers that double the range penalties of spears and crossbows.

    woa.water.range-penalty
    """
    wet = depth_of(blow.attacker) or is_under_water(blow.target)
    if not penalties or not wet or not is_unslowed_by_water(fight, blow.weapon):
        return []
    topic = "woa.water.range-penalty"
    times = fight.figure(topic, "factor") - 1
    return [
        Modifier(part.value * times, part.kind, "range through water", fight.rule(topic))
        for part in penalties
    ]


def refuse_missile_through_water(fight: Fight, blow: Blow) -> None:
    """Refuse missiles that would have to pass through more than some inches of water.

    Only spears, crossbows and the like can; others may be shot at a target on the surface from above water
    (woa.water.other-ranged).
    """
    if blow.melee or blow.weapon.family == "spell":
        return
    through = is_under_water(blow.attacker) or is_under_water(blow.target)
    if through and not is_unslowed_by_water(fight, blow.weapon):
        raise Refusal(
            f"the {blow.weapon.name} is of no use through water", fight.rule("woa.water.other-ranged")
        )


def damage_share_in_water(fight: Fight, blow: Blow) -> tuple[float, str]:
    """Return the share of damage of an attack made in the water, and the rule; 1 and "" for full damage.

    woa.water.half-damage, .piercing-exception, .aquatic-creatures
    """
    attacker = blow.attacker
    if not depth_of(attacker) or blow.weapon.family == "spell":
        return 1, ""
    if is_aquatic_attack(attacker, blow.weapon):
        return 1, fight.rule("woa.water.aquatic-creatures")
    if is_unslowed_by_water(fight, blow.weapon):
        return 1, fight.rule("woa.water.piercing-exception")
    topic = "woa.water.half-damage"
    return fight.figure(topic, "factor"), fight.rule(topic)


def are_both_under_water(blow: Blow) -> bool:
    """Return whether height does not count between two combatants because both are under water.

    woa.water.no-high-ground
    """
    return is_under_water(blow.attacker) and is_under_water(blow.target)
