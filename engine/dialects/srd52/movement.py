"""Movement: Speed, its ways and costs, standing up, passing others, and Opportunity Attacks on the way."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from affray.engine.dialects.srd52 import areas, position
from affray.engine.dialects.srd52.conditions import DISENGAGED, STILL, incapacitating, levels_of
from affray.engine.dialects.srd52.features import ask
from affray.engine.dialects.srd52.senses import sees
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed
from affray.engine.kernel import movement
from affray.engine.kernel.actions import check_turn
from affray.engine.record.chapters import Measure
from affray.engine.steps import Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ItemChanged, Moved
from affray.projections.state import Area, Combatant

# --- Speed


def why_still(fight: Fight, combatant: Combatant) -> tuple[str, str]:
    """Return the condition under which a combatant's Speed is 0, and its rule; "" for none."""
    for name, topic in STILL:
        if name in combatant.conditions:
            return name, fight.rule(topic)
    return "", ""


def full_speed(fight: Fight, combatant: Combatant) -> int:
    """Return a combatant's Speed in feet as it is now: 0 under some conditions, less when exhausted."""
    if why_still(fight, combatant)[0]:
        return 0
    feet = combatant.sheet.speed + sum(one.modifier.value for one in combatant.effects if one.stat == "speed")
    if level := levels_of(combatant):
        feet += level * fight.figure("conditions.exhaustion-speed", "per_level_ft")
    for function, held in ask(fight, combatant, "on_speed"):
        feet = function(fight, held, feet)
    return max(0, int(feet))


def speed_by(fight: Fight, combatant: Combatant, how: str) -> int:
    """Return the Speed for a way of moving; special ones change like it (srd52.movement.speed-changes)."""
    special = special_speed(combatant, how)
    own = full_speed(fight, combatant)
    return max(0, special + own - combatant.sheet.speed) if special and own else own


def special_speed(combatant: Combatant, how: str) -> int:
    """Return the special speed for a way of moving in feet; 0 for none."""
    sheet = combatant.sheet
    return {"climb": sheet.climb, "swim": sheet.swim, "fly": sheet.fly}.get(how, 0)


DASH: Final = "dash"


def feet_left(fight: Fight, combatant: Combatant, how: str = "normal") -> int:
    """Return the feet that a combatant can still move in this turn, Dash included.

    With several speeds, the distance moved so far comes off each (srd52.movement.switch-speeds).
    """
    speed = speed_by(fight, combatant, how)
    return max(0, speed * (1 + combatant.spent.get(DASH, 0)) - combatant.spent.get("feet", 0))


# --- The cost of a path

WAYS: Final = ("normal", "crawl", "climb", "swim", "fly")
EXTRA: Final = {"crawl": "movement.crawl", "climb": "movement.climb", "swim": "movement.swim"}
"""Ways of moving that cost extra feet without a speed of their own."""


def measure(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str) -> Measure:
    """Return the cost of a path: 5 feet a square, also diagonally, more in Difficult Terrain or crawling.

    A square with another creature that is neither Tiny nor an ally is Difficult Terrain; several reasons for
    it do not add up (srd52.movement.difficult-terrain-once).
    """
    cites = [fight.rule("movement.grid-enter")]
    squares, topic = 0, EXTRA.get(how, "")
    extra = bool(topic) and not special_speed(mover, how)
    dragging = movement_extra(fight, mover)
    for there in whole[1:]:
        difficult = how != "fly" and is_difficult(fight, mover, there)
        cost = fight.figure("movement.difficult-terrain", "cost_per_ft") if difficult else 1
        if extra:
            cost = fight.figure(topic, "difficult" if difficult else "cost_per_ft")
        if difficult:
            cites.append(fight.rule("movement.difficult-terrain"))
        squares += cost + dragging
    if extra:
        cites.append(fight.rule(topic))
    if dragging:
        cites.append(fight.rule("grapple.move-cost"))
    return Measure(squares * SQUARE_FT, 0, tuple(dict.fromkeys(cites)))


def is_difficult(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Return whether a mover's space at a square is Difficult Terrain for it."""
    if fight.field.doublings(at, mover.space) or "difficult" in areas.traits_at(fight, at, mover.space):
        return True
    return any(
        one.side != mover.side and one.sheet.size != "tiny" and "dead" not in one.conditions
        for one in position.others_at(fight, mover, at)
        if one.id not in held_by(fight, mover)
    )


def held_by(fight: Fight, grappler: Combatant) -> list[str]:
    """Return the ids of those that a combatant grapples."""
    return [
        one.id
        for one in fight.state.combatants.values()
        if (held := one.conditions.get("grappled")) is not None and held.source == grappler.id
    ]


def movement_extra(fight: Fight, mover: Combatant) -> int:
    """Return the extra feet for each foot of a grappler that drags a creature along.

    None for a Tiny creature, or one two or more sizes smaller.
    """
    for id in held_by(fight, mover):
        other = fight.state.combatants[id]
        apart = position.size_of(mover) - position.size_of(other)
        if other.sheet.size != "tiny" and apart < fight.figure("grapple.move-cost", "sizes_smaller"):
            return int(fight.figure("grapple.move-cost", "extra"))
    return 0


# --- Steps


def refuse_step(
    fight: Fight,
    mover: Combatant,
    here: Square,
    there: Square,
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a step that the map forbids, into a creature that bars the way, or to end in any creature."""
    x, y = there
    if obstructed(fight.field, here, there, mover.space):
        rule = fight.rule("movement.grid-corners")
        raise Refusal(f"the path from {here[0]},{here[1]} to {x},{y} is blocked", rule)
    for one in position.others_at(fight, mover, there):
        if one.id in held_by(fight, mover):
            continue
        if not position.passable(fight, mover, one):
            raise Refusal(f"{one.id} is in the way at {x},{y}", fight.rule("position.pass-enemy"))
        if last:
            rule = fight.rule("position.no-willing-end")
            raise Refusal(f"{mover.id} cannot end its move in the space of {one.id}", rule)
    for source in fears_of(fight, mover):
        if position.distance(mover, source, there) < position.distance(mover, source, here):
            rule = fight.rule("conditions.frightened-approach")
            raise Refusal(f"{mover.id} is frightened and cannot move closer to {source.id}", rule)


def fears_of(fight: Fight, mover: Combatant) -> list[Combatant]:
    """Return the combatants that a mover is frightened of."""
    fear = mover.conditions.get("frightened")
    cause = fight.state.combatants.get(fear.source) if fear is not None else None
    return [cause] if cause is not None else []


# --- Moving


def move(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move along a path, at most as far as is left of the movement of the turn.

    The prone can only crawl; creatures that the mover grapples come along.
    """
    mover, rule = fight.combatant(act.actor), fight.rule("movement.allowance")
    check_turn(fight, mover)
    if act.how not in WAYS:
        raise unknown_word("way of moving", act.how, WAYS, rule)
    name, why = why_still(fight, mover)
    if name:
        raise Refusal(f"{mover.id} is {name}: its Speed is 0", why)
    if act.how == "fly" and not mover.sheet.fly:
        raise Refusal(f"{mover.id} has no Fly Speed", fight.rule("movement.fly-speed"))
    if "prone" in mover.conditions and act.how != "crawl":
        raise Refusal(
            f"{mover.id} is prone: it can crawl or stand up", fight.rule("conditions.prone-movement")
        )
    whole = movement.whole_path(fight, mover, act, rule)
    cost, most = measure(fight, mover, whole, act.how), feet_left(fight, mover, act.how)
    if cost.feet > most:
        reason = f"{mover.id} has {most} ft. left, and the path takes {cost.feet} ft."
        raise Refusal(reason, fight.rule("movement.grid-enter-afford"))
    held = held_by(fight, mover)
    yield from movement.walk(fight, mover, act.path, act.how, rule)
    yield from drag(fight, mover, whole, held)


def drag(fight: Fight, mover: Combatant, whole: Sequence[Square], held: Iterable[str]) -> Steps[None]:
    """Move the creatures that a mover grapples into the squares behind it."""
    if mover.at == whole[0]:
        return
    behind = whole[whole.index(mover.at) - 1]
    for id in held:
        other = fight.combatant(id)
        cites = fight.rules("conditions.grappled-movable")
        yield Moved(
            who=id,
            start=other.at,
            path=(behind,),
            feet=0,
            diagonals=0,
            how=f"dragged by {mover.id}",
            cites=cites,
        )


def stand(fight: Fight, act: acts.Stand) -> Steps[None]:
    """Stand up, which takes half of the Speed; not at Speed 0."""
    actor, rule = fight.combatant(act.actor), fight.rule("conditions.prone-stand")
    check_turn(fight, actor)
    if "prone" not in actor.conditions:
        raise Refusal(f"{actor.id} is not prone", rule)
    speed = full_speed(fight, actor)
    cost = speed // fight.figure("conditions.prone-stand", "divisor")
    if not speed:
        raise Refusal(f"the Speed of {actor.id} is 0: it cannot stand up", rule)
    if cost > feet_left(fight, actor):
        raise Refusal(
            f"{actor.id} has {feet_left(fight, actor)} ft. left, and standing up takes {cost} ft.", rule
        )
    yield Moved(who=actor.id, start=actor.at, path=(), feet=cost, diagonals=0, how="stand up", cites=(rule,))
    yield ConditionLost(who=actor.id, condition="prone", why="stands up", cites=(rule,))


def drop(fight: Fight, act: acts.Drop) -> Steps[None]:
    """Drop to the ground at no cost, or drop a held item (srd52.turns.attack-equip-meaning)."""
    actor = fight.combatant(act.actor)
    check_turn(fight, actor)
    if act.item == "prone":
        rule = fight.rule("movement.drop-prone")
        if "prone" in actor.conditions:
            raise Refusal(f"{actor.id} is prone already", rule)
        if not full_speed(fight, actor):
            raise Refusal(f"the Speed of {actor.id} is 0: it cannot drop to the ground", rule)
        yield ConditionGained(who=actor.id, condition="prone", source="drops to the ground", cites=(rule,))
        return
    rule = fight.rule("turns.attack-equip-meaning")
    if act.item not in actor.held:
        raise Refusal(f"{actor.id} does not hold {act.item or 'that'}", rule)
    yield ItemChanged(who=actor.id, item=act.item, state="dropped", at=actor.at, cites=(rule,))


def lands_on_others(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Make a combatant prone that ends its turn in another's space, unless it is Tiny or larger."""
    for one in position.others_at(fight, combatant, combatant.at):
        small = combatant.sheet.size == "tiny" or position.size_of(combatant) > position.size_of(one)
        if not small and "prone" not in combatant.conditions:
            cites = fight.rules("position.end-turn-shared")
            yield ConditionGained(
                who=combatant.id, condition="prone", source=f"the space of {one.id}", cites=cites
            )


# --- Areas on the way


def arriving(fight: Fight, mover: Combatant, there: Square, how: str) -> Steps[bool] | None:
    """Return what areas do as a mover comes to a square, or brings its own to others; None for nothing.

    They are judged from the mover's place when the part of its way that is told next begins.
    """
    if not fight.state.areas:
        return None
    before = {one.id for one in areas.areas_at(fight, mover.at, mover.space)}
    own = [one for one in fight.state.areas.values() if one.around == mover.id]
    there_now = areas.areas_at(fight, there, mover.space)
    new = [one for one in there_now if one.id not in before]
    if not own and not there_now:
        return None
    reached = {one.id: {other.id for other in who_is_in(fight, mover, one)} for one in own}
    within = [one for one in there_now if one.id in before]
    return in_entered_areas(fight, mover, new, within, reached)


def who_is_in(fight: Fight, bearer: Combatant, area: Area) -> list[Combatant]:
    """Return the others in an area that moves with its bearer."""
    return areas.inside(fight, areas.squares_of_area(fight, area), bearer.id)


def in_entered_areas(
    fight: Fight,
    mover: Combatant,
    new: Sequence[Area],
    within: Sequence[Area],
    reached: Mapping[str, Collection[str]],
) -> Steps[bool]:
    """Let areas act on a mover that has entered them, and its own areas on those that they reach only now.

    Returns whether it can go on: its Speed is not 0.
    """
    for area in new:
        yield from areas.act_on(fight, area, mover, "enter")
    for area in within:
        yield from areas.act_on(fight, area, mover, "within")
    for id, others in reached.items():
        area = fight.state.areas[id]
        for other in who_is_in(fight, mover, area):
            if other.id not in others:
                yield from areas.act_on(fight, area, other, "enter")
    return full_speed(fight, mover) > 0 and "prone" not in mover.conditions


# --- Leaving the reach of enemies


def leaving(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> list[Combatant]:
    """Return the enemies whose reach a mover leaves, that see it, unless it has taken Disengage.

    A creature that it drags along stays next to it.
    """
    if DISENGAGED in mover.conditions:
        return []
    if not all(function(fight, held, how) for function, held in ask(fight, mover, "provokes")):
        return []
    held = held_by(fight, mover)
    return [
        one
        for one in fight.enemies(mover)
        if one.id not in held
        and position.within(mover, one, reach_of(fight, one), here)
        and not position.within(mover, one, reach_of(fight, one), there)
        and not incapacitating(one)
        and sees(fight, one, mover)
    ]


def reach_of(fight: Fight, combatant: Combatant) -> int:
    """Return how far a combatant's longest melee attack reaches in feet."""
    more = fight.figure("gear.reach", "reach_ft")
    arms = fight.dialect.kernel.arms(fight, combatant)
    return combatant.reach + (more if any("reach" in one.traits for one in arms) else 0)
