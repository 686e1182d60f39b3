"""Implement monsters as terrain: being on the body of a far larger creature (woa.battlefield-monster.*).

The condition "on its body" has the monster as its source and the height in feet as its level; a combatant
that balances on the back has both hands free.
"""

from collections.abc import Sequence

from affray.engine.dialects.woa.classes.abilities import saving_throw
from affray.engine.dialects.woa.defense.struck_cover import low_posture
from affray.engine.dialects.woa.grapple.grab_modifiers import strength_check_parts
from affray.engine.dialects.woa.movement import movement
from affray.engine.dialects.woa.movement import speed as movement_speed
from affray.engine.dialects.woa.movement.flight import plummet
from affray.engine.dialects.woa.movement.movement import refuse_after_step, refuse_lying
from affray.engine.dialects.woa.movement.speed import speed
from affray.engine.dialects.woa.position.shared_space import entered_occupants
from affray.engine.dialects.woa.position.size import BALANCED, PERCHED
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import adjacent
from affray.engine.grid.lines_and_cover import can_be_put
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.sheets import has_trait, size_step, sizes_larger
from affray.engine.rules.maneuvers.opposed_checks import roll_opposed
from affray.engine.rules.movement.movement import displaced
from affray.engine.rules.position.places import occupants
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

GRABBING = "grabbing"
BODY = "the body of a creature"
MOVING = ("moving", "violently moving")
CONCEPT = "woa.battlefield-monster.concept"


def clamber(fight: Fight, act: acts.Clamber) -> Steps[None]:
    """Get onto a far larger creature, climb up it, stand up on it, or get off again: each a move action."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(CONCEPT)
    refuse_after_step(fight, actor)
    refuse_lying(fight, actor)
    there = creature_climbed(fight, actor)
    if sizes_larger(target, actor) < fight.figure(CONCEPT, "size_categories"):
        raise Refusal(f"{target.id} is not large enough to climb about on", rule)
    if act.what in ("climb", "jump"):
        if there is not None or distance(actor, target) > actor.reach:
            raise Refusal(f"{actor.id} cannot get onto {target.id} from here", rule)
    elif there is not target:
        raise Refusal(f"{actor.id} is not on the body of {target.id}", rule)
    if act.what == "off":
        yield from get_off(fight, actor, act)
    elif act.what == "stand":
        yield from free_both_hands(fight, actor, target)
    elif act.what == "up":
        yield from ascend(fight, actor, target)
    else:
        yield from get_on(fight, actor, target, act.what)


def creature_climbed(fight: Fight, combatant: Combatant) -> Combatant | None:
    """Return the creature on whose body a combatant is, None if there is none."""
    state = combatant.conditions.get(PERCHED)
    return fight.state.combatants.get(state.source) if state is not None else None


def creatures_on_body(fight: Fight, monster: Combatant) -> list[Combatant]:
    """Return the combatants on a creature's body."""
    return [one for one in fight.state.combatants.values() if creature_climbed(fight, one) is monster]


def height_of_back(fight: Fight, monster: Combatant) -> tuple[int, tuple[str, ...]]:
    """Return the height of a creature's back in feet, with the rules: its height, or half its length.

    woa.size.dimension, woa.size.doubling
    """
    steps = next(
        row["index"]
        for row in fight.figure("woa.size.categories")
        if row["name"].lower() == monster.sheet.size
    )
    found = cell(fight, "woa.size.table", "size=medium", "dimension")
    feet = 0 if found is None else found.value * fight.figure("woa.size.doubling", "factor") ** steps
    high = feet if monster.sheet.tall else feet // 2
    return high, fight.rules(
        "woa.size.dimension", "woa.size.doubling", "woa.size.tall-long", "woa.size.table"
    )


def get_on(fight: Fight, combatant: Combatant, target: Combatant, what: str) -> Steps[None]:
    """Get onto a body: by climbing, usually with a grip on it, or by a leap.

    woa.battlefield-monster.climb, woa.battlefield-monster.get-on
    """
    topic = "woa.battlefield-monster.climb" if what == "climb" else "woa.battlefield-monster.get-on"
    rule = fight.rule(topic)
    gripping = GRABBING in combatant.conditions
    refuse_unless_allowed(fight, combatant, "move")
    if what == "climb" and not gripping:
        question = f"{combatant.id} has not grabbed {target.id}: may it still climb up?"
        if (yield Choice("", "foothold", question, ("no", "yes"), rule)) == "no":
            yield RuleApplied(who=combatant.id, what=f"must grab {target.id} first", cites=(rule,))
            return
    yield spending(fight, combatant, "move", f"{what} onto {target.id}", rule, fight.rule(CONCEPT))
    if not (yield from keeps_hold(fight, combatant, target, topic, "athletics")):
        return
    yield ConditionGained(who=combatant.id, condition=PERCHED, source=target.id, cites=(rule,))
    yield displaced(combatant, (nearest_in(target, combatant.at),), what, rule)


def nearest_in(target: Combatant, at: Square) -> Square:
    """Return the square of a target's space that is nearest to a square."""
    x, y = target.at
    side = target.space - 1
    return min(max(at[0], x), x + side), min(max(at[1], y), y + side)


def ascend(fight: Fight, combatant: Combatant, target: Combatant) -> Steps[None]:
    """Climb on toward the back: half the speed in feet, if the hold does not slip."""
    topic = "woa.battlefield-monster.climb"
    high, cites = height_of_back(fight, target)
    level = combatant.conditions[PERCHED].level
    if level >= high:
        raise Refusal(f"{combatant.id} is on the back of {target.id} already", fight.rule(topic))
    yield spending(fight, combatant, "move", "climb up", fight.rule(topic))
    if (yield from keeps_hold(fight, combatant, target, topic, "athletics")):
        above, below = (
            str(fight.figure("woa.movement.distance.skill-based", "distance")).split()[0].split("/")
        )
        feet = min(high, level + speed(fight, combatant) * int(above) // int(below))
        cites = (fight.rule(topic), fight.rule("woa.movement.distance.skill-based"), *cites)
        yield ConditionGained(
            who=combatant.id,
            condition=PERCHED,
            source=target.id,
            level=feet,
            cites=tuple(dict.fromkeys(cites)),
        )


def free_both_hands(fight: Fight, combatant: Combatant, target: Combatant) -> Steps[None]:
    """Balance on the back with both hands free (woa.battlefield-monster.balance)."""
    topic = "woa.battlefield-monster.balance"
    high, _ = height_of_back(fight, target)
    if combatant.conditions[PERCHED].level < high:
        raise Refusal(f"{combatant.id} is not up on the back of {target.id}", fight.rule(topic))
    yield spending(fight, combatant, "move", "balance", fight.rule(topic))
    if (yield from keeps_hold(fight, combatant, target, topic, "acrobatics")):
        yield ConditionGained(
            who=combatant.id, condition=BALANCED, source=target.id, cites=(fight.rule(topic),)
        )


def get_off(fight: Fight, actor: Combatant, act: acts.Clamber) -> Steps[None]:
    """Get down to a free square next to the creature."""
    rule = fight.rule(CONCEPT)
    monster = fight.combatant(act.target)
    if act.to is None or not adjacent(monster.at, act.to, monster.space, actor.space):
        raise Refusal(f"{actor.id} gets down to a square next to {monster.id}: name one", rule)
    room = can_be_put(fight.field, monster.at, monster.space, act.to, actor.space)
    if occupants(fight, actor, act.to) or not room:
        raise Refusal(f"{actor.id} cannot stand at {act.to[0]},{act.to[1]}", rule)
    yield spending(fight, actor, "move", "get down", rule)
    yield from leave_body(fight, actor, "gets down", rule)
    yield displaced(actor, (act.to,), "off", rule)


def leave_body(fight: Fight, combatant: Combatant, why: str, rule: str) -> Steps[None]:
    """End a combatant's being on a body."""
    for name in (BALANCED, PERCHED):
        if name in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=name, why=why, cites=(rule,))


def keeps_hold(
    fight: Fight, combatant: Combatant, target: Combatant, topic: str, skill: str, motion: str = ""
) -> Steps[bool]:
    """Check whether a combatant keeps its hold or balance on a moving body; otherwise it falls off.

    The game master decides how much the body moves (woa.battlefield-monster.surface-modifier).
    """
    surface = "woa.battlefield-monster.surface-modifier"
    if not motion:
        question = f"how does {target.id} move under {combatant.id}?"
        motion = yield Choice("", "motion", question, MOVING, fight.rule(surface))
    table = "woa.terrain.perilous.check"
    body = cell(fight, table, f"surface={BODY}", "dc")
    moving = cell(fight, table, f"surface={motion}", "modifier")
    cites = fight.rules(topic, surface, table)
    if body is None or moving is None:
        dc = yield from movement_speed.ask_for_dc(f"the body of {target.id}", fight.rule(table))
    else:
        dc = body.value + moving.value
    check = movement_speed.athletics if skill == "athletics" else movement_speed.acrobatics
    why = f"on {target.id}, {motion}"
    margin = yield from check(fight, combatant, dc, *cites, why=why)
    if margin < 0:
        yield from fall_off_body(fight, combatant, target, fight.rule(topic))
    return bool(margin >= 0)


def fall_off_body(fight: Fight, combatant: Combatant, target: Combatant, rule: str) -> Steps[None]:
    """Make a combatant on a body fall off, prone next to it; one that was not yet on it only fails."""
    if PERCHED not in combatant.conditions:
        yield RuleApplied(who=combatant.id, what=f"finds no hold on {target.id}", cites=(rule,))
        return
    height = combatant.conditions[PERCHED].level
    yield from leave_body(fight, combatant, "falls off", rule)
    place = square_beside(fight, combatant, target)
    if place is not None:
        yield displaced(combatant, (place,), "falls", rule)
    if "prone" not in combatant.conditions:
        yield ConditionGained(
            who=combatant.id, condition="prone", source=f"falling off {target.id}", cites=(rule,)
        )
    if height:
        yield from plummet(fight, combatant, height)


def square_beside(fight: Fight, combatant: Combatant, target: Combatant) -> Square | None:
    """Return the free square next to a creature that is nearest to a combatant."""
    (left, upper), side = target.at, target.space
    ring = [
        (x, y)
        for y in range(upper - combatant.space, upper + side + 1)
        for x in range(left - combatant.space, left + side + 1)
        if adjacent(target.at, (x, y), side, combatant.space)
    ]
    free = [
        one
        for one in ring
        if can_be_put(fight.field, target.at, side, one, combatant.space)
        and not occupants(fight, combatant, one)
    ]
    x, y = combatant.at
    return min(free, key=lambda one: (max(abs(one[0] - x), abs(one[1] - y)), one), default=None)


def carry_along(fight: Fight, monster: Combatant) -> Steps[None]:
    """Move combatants on a creature's body along with it; each must keep its hold or balance.

    woa.battlefield-monster.climb, woa.battlefield-monster.balance
    """
    for one in creatures_on_body(fight, monster):
        rule = fight.rule("woa.battlefield-monster.climb")
        place = nearest_in(monster, one.at)
        if place != one.at:
            yield displaced(one, (place,), "carried", rule)
        standing = BALANCED in one.conditions
        topic = "woa.battlefield-monster.balance" if standing else "woa.battlefield-monster.climb"
        yield from keeps_hold(fight, one, monster, topic, "acrobatics" if standing else "athletics")


def shake_off(fight: Fight, act: acts.ShakeOff) -> Steps[None]:
    """Remove a combatant from the actor's body: pry it off by hand as out of a grab, or buck (standard
    action).

    A combatant on the back cannot be pried off; bucked ones keep on as at a hazard of their skill
    (woa.battlefield-monster.pry-off, woa.battlefield-monster.buck-off).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    topic = f"battlefield-monster.{act.how}-off"
    rule = fight.rule(topic)
    if creature_climbed(fight, target) is not actor:
        raise Refusal(f"{target.id} is not on the body of {actor.id}", rule)
    high, _ = height_of_back(fight, actor)
    if act.how == "pry" and target.conditions[PERCHED].level >= high:
        raise Refusal(f"{actor.id} cannot reach {target.id} on its back", rule)
    yield spending(fight, actor, "standard", act.how, rule)
    if act.how == "pry":
        if (yield from wins_by_strength(fight, actor, target)):
            yield from fall_off_body(fight, target, actor, rule)
        return
    standing = BALANCED in target.conditions
    yield from keeps_hold(
        fight, target, actor, topic, "acrobatics" if standing else "athletics", motion=MOVING[1]
    )


def wins_by_strength(fight: Fight, combatant: Combatant, target: Combatant) -> Steps[bool]:
    """Compare Strength checks; the combatant that pries must beat the other (woa.grab.escape-one)."""
    cites = fight.rules("woa.battlefield-monster.pry-off", "woa.grab.escape-one")
    mine, theirs = (strength_check_parts(fight, one, "woa.grab.escape-one") for one in (combatant, target))
    return (yield from roll_opposed(fight, "strength", mine, theirs, *cites)) > 0


def refuse_hanging(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse other movement and two-handed fighting to a combatant that clings to a body."""
    monster = creature_climbed(fight, actor)
    if monster is None:
        return
    if not isinstance(act, acts.Attack | acts.FullAttack):
        reason = f"{actor.id} is on the body of {monster.id}: it can only climb on it or get off"
        raise Refusal(reason, fight.rule(CONCEPT))


# --- Big creatures' movement as a danger to creatures underfoot (woa.size.trampling-hazard)

#: The choices of the game master for creatures underfoot.
DCS = ("15", "10", "20", "25", "30", "no danger")
DAMAGES = ("1d6", "2d6", "4d6", "6d6", "8d6", "none")


def underfoot(fight: Fight, combatant: Combatant, here: Square, there: Square) -> list[Combatant]:
    """Return the far smaller creatures whose space a big creature's step on the ground enters."""
    found = entered_occupants(fight, combatant, here, there)
    if not found or movement.avoids_obstacles(combatant):
        return []
    least = fight.figure("woa.size.trampling-hazard", "trigger_size_difference")
    return [
        one for one in found if size_step(combatant) - size_step(one) >= least and one.mount != combatant.id
    ]


def endanger_underfoot(fight: Fight, combatant: Combatant, trodden: Sequence[Combatant]) -> Steps[None]:
    """Endanger far smaller creatures whose space a big creature enters without care.

    The game master sets DC and damage; a low posture does not help (woa.size.trampling-hazard,
    woa.posture.prone.reflex, woa.posture.crouching.modifiers, woa.posture.kneeling-sitting).
    """
    rule = fight.rule("woa.size.trampling-hazard")
    if trodden and has_trait(combatant, "weightless"):
        yield RuleApplied(
            who=combatant.id, what="weighs nothing", cites=(rule, fight.rule("woa.size.weight"))
        )
        return
    for other in trodden:
        question = f"does {combatant.id} take care not to step on {other.id}?"
        if (yield Choice(combatant.id, "tread", question, ("with care", "carelessly"), rule)) == "with care":
            continue
        dc = yield Choice(
            "", "trample-dc", f"what Reflex DC saves {other.id} from {combatant.id}?", DCS, rule
        )
        if not dc.isdecimal():
            yield RuleApplied(who=other.id, what=f"{combatant.id} is no danger to it", cites=(rule,))
            continue
        low = tuple(low_posture(fight, other, helps=False))
        saved = yield from saving_throw(
            fight, other, "ref", int(dc), f"being trodden on by {combatant.id}", rule, extra=low
        )
        if saved.success:
            continue
        damage = yield Choice("", "trample-damage", f"what damage does {other.id} take?", DAMAGES, rule)
        if damage != "none":
            rolled = yield Roll(combatant.id, "trample", damage)
            source = f"trodden on by {combatant.id}"
            yield from fight.dialect.damage.suffer(
                fight, Harm(other, rolled.total, "bludgeoning", source, combatant, cites=(rule,))
            )
        if "dead" not in other.conditions and "prone" not in other.conditions:
            yield ConditionGained(
                who=other.id, condition="prone", source=f"{combatant.id}'s tread", cites=(rule,)
            )
