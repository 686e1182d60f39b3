"""Implement what turned, awed or panicked creatures may not do, and which others they spare.

woa.turn-undead.*
"""

from collections.abc import Iterator

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import distance_ft
from affray.engine.grid.lines_and_cover import DIRECTIONS
from affray.engine.kernel.areas import area_squares
from affray.engine.kernel.places import squares_of
from affray.engine.record.blow import Blow
from affray.engine.record.compose import when
from affray.engine.rules.movement.movement import feet_apart, flight_path
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.projections.state import Combatant, Effect

TURNING = "turning undead"
"""The spell name for a turner's concentration, and the stat of the effect with its direction, kind and DC."""
CORNERED = "cornered"
"""The condition of having been attacked, by its source, without being able to flee; self-defense
is allowed.
"""
GRIPPED = ("turned", "awed")
#: Acts that creatures fleeing from a turning may declare.
FLEEING = ("move", "run", "stand")


def find_turning(combatant: Combatant) -> Effect | None:
    """Return the turning that a turner maintains, if any."""
    return (
        next((one for one in combatant.effects if one.stat == TURNING), None) if combatant.effects else None
    )


def direction_of(mark: Effect) -> Square:
    """Return the direction that a turner faces."""
    x, _, y = mark.modifier.source.partition(",")
    return int(x), int(y)


def in_area(fight: Fight, turner: Combatant, direction: Square, one: Combatant, feet: int) -> bool:
    """Return whether any of a creature's squares is in the half circle that a turner faces.

    With the reading `circle` the direction does not count (option `turning_area`).
    """
    middle = (2 * turner.at[0] + turner.space, 2 * turner.at[1] + turner.space)
    whole = fight.option("turning_area") == "circle"
    for square in squares_of(one):
        ahead = sum((2 * square[i] + 1 - middle[i]) * direction[i] for i in (0, 1))
        if (whole or ahead >= 0) and distance_ft(turner.at, square, turner.space, 1) <= feet:
            return True
    return False


def refuse_direction(fight: Fight, way: Square, rule: str) -> None:
    """Refuse anything but one of the eight directions, if the direction counts."""
    if way not in DIRECTIONS and fight.option("turning_area") != "circle":
        x, y = way
        raise Refusal(f"a turning goes in one of the eight directions, each of one square, not {x},{y}", rule)


def turner_of(fight: Fight, combatant: Combatant) -> tuple[Combatant, Effect] | None:
    """Return the turner of a turned or awed creature and its turning, None if there is none."""
    for name in GRIPPED:
        held = combatant.conditions.get(name)
        turner = fight.state.combatants.get(held.source) if held is not None else None
        mark = find_turning(turner) if turner is not None else None
        if turner is not None and mark is not None:
            return turner, mark
    return None


def may_not_act_against(fight: Fight, combatant: Combatant, other: Combatant) -> bool:
    """Return whether a turned or awed creature may do nothing against another.

    It may do nothing against the turner, nor against creatures in the half circle, except in its own defense
    (woa.turn-undead.turned-effects, .cannot-retreat, .evil-rebuke).
    """
    found = turner_of(fight, combatant)
    if found is None or other.side == combatant.side:
        return False
    turner, mark = found
    cornered = combatant.conditions.get(CORNERED)
    if cornered is not None and cornered.source == other.id:
        return False
    feet = fight.figure("woa.turn-undead.area-and-dc", "range_ft")
    return other is turner or in_area(fight, turner, direction_of(mark), other, feet)


def rule_of_grip(fight: Fight, combatant: Combatant) -> str:
    """Return the rule by which a turned or awed creature spares others."""
    topic = (
        "woa.turn-undead.turned-effects"
        if "turned" in combatant.conditions
        else "woa.turn-undead.evil-rebuke"
    )
    return fight.rule(topic)


def aimed_at(fight: Fight, actor: Combatant, act: object) -> Iterator[Combatant]:
    """Yield the combatants an act is aimed at, directly or by its area."""
    names = [getattr(act, "target", ""), *getattr(act, "targets", ())]
    names += [one.target for one in getattr(act, "strikes", ())]
    yield from (fight.state.combatants[name] for name in names if name in fight.state.combatants)
    if isinstance(act, acts.Cast) and act.at is not None:
        spell = next((one for one in actor.sheet.spells if one.name == act.spell and one.area), None)
        if spell is not None and act.at != actor.at:
            covered = area_squares(fight, actor, spell, act.at)
            for one in fight.state.combatants.values():
                if covered.intersection(squares_of(one)):
                    yield one


def refuse_acts_of_turned(fight: Fight, actor: Combatant, act: object) -> None:
    """Refuse the turned to come near the turner, and the turned and awed to act against those they must
    spare.
    """
    found = turner_of(fight, actor)
    if found is None:
        return
    turner, _ = found
    rule = rule_of_grip(fight, actor)
    for other in aimed_at(fight, actor, act):
        if may_not_act_against(fight, actor, other):
            state = next(name for name in GRIPPED if name in actor.conditions)
            raise Refusal(f"{actor.id} is {state} by {turner.id} and can do nothing against {other.id}", rule)
    if "turned" not in actor.conditions:
        return
    keep = fight.figure("woa.turn-undead.turned-effects", "keep_distance_ft")
    here = actor.at
    for there in (*getattr(act, "path", ()), *((act.to,) if isinstance(act, acts.Step) else ())):
        feet = feet_apart(actor, there, turner)
        if feet < keep and feet < feet_apart(actor, here, turner):
            raise Refusal(f"{actor.id} is turned and cannot come within {keep} ft. of {turner.id}", rule)
        here = there


def find_turner_fled_from(fight: Fight, combatant: Combatant) -> Combatant | None:
    """Return the turner that a panicked creature flees from, None if no turning panicked it."""
    panicked = combatant.conditions.get("panicked")
    turner = fight.state.combatants.get(panicked.source) if panicked is not None else None
    return (
        turner if turner is not None and any(one.stat == "turning met" for one in combatant.effects) else None
    )


def refuse_but_flight(fight: Fight, actor: Combatant, act: object) -> None:
    """Refuse creatures panicked by a turning everything except flight and their own defense.

    woa.turn-undead.fail-by-10
    """
    turner = find_turner_fled_from(fight, actor)
    if turner is None or isinstance(act, acts.EndTurn | acts.Stand | acts.Speak):
        return
    rule = fight.rule("woa.turn-undead.fail-by-10")
    cornered = actor.conditions.get(CORNERED)
    if isinstance(act, acts.Plan):
        fleeing = bool(act.actions) and all(one.what in FLEEING for one in act.actions)
        if cornered is None and not fleeing and flight_path(fight, actor, turner):
            raise Refusal(f"{actor.id} flees from {turner.id} and can declare only flight", rule)
        return
    if cornered is not None and all(one.id == cornered.source for one in aimed_at(fight, actor, act)):
        return
    if isinstance(act, acts.Move | acts.Run):
        if act.path and feet_apart(actor, act.path[-1], turner) <= feet_apart(actor, actor.at, turner):
            raise Refusal(f"{actor.id} flees from {turner.id}: that path leads no farther away", rule)
        return
    raise Refusal(f"{actor.id} can only flee from {turner.id}", rule)


def makes_impossible(fight: Fight, combatant: Combatant, what: str, aim: str) -> bool:
    """Return whether a turning has made a declared action impossible."""
    if find_turner_fled_from(fight, combatant) is not None and CORNERED not in combatant.conditions:
        return what not in FLEEING
    other = fight.state.combatants.get(aim)
    if other is not None:
        return may_not_act_against(fight, combatant, other)
    return what in ("attack", "full-attack", "charge", "cast") and turner_of(fight, combatant) is not None


def has_no_retreat(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a turned creature could not back away: it is frightened, or still near the turner.

    woa.turn-undead.cannot-retreat
    """
    found = turner_of(fight, combatant)
    if found is None or "frightened" in combatant.conditions:
        return found is not None
    keep: int = fight.figure("woa.turn-undead.turned-effects", "keep_distance_ft")
    return "turned" in combatant.conditions and feet_apart(combatant, combatant.at, found[0]) < keep


def forced_into_melee(fight: Fight, blow: Blow) -> Steps[None]:
    """Let a creature that could not flee defend itself when attacked.

    A cowering one stops cowering when it is forced into melee (woa.turn-undead.cannot-retreat, .fail-by-10).
    """
    target = blow.target
    cowed = (
        blow.melee and "cowering" in target.conditions and find_turner_fled_from(fight, target) is not None
    )
    if not cowed and not has_no_retreat(fight, target):
        return
    rule = fight.rule("woa.turn-undead.fail-by-10" if cowed else "woa.turn-undead.cannot-retreat")
    if cowed:
        yield ConditionLost(who=target.id, condition="cowering", why="is forced into melee", cites=(rule,))
    if CORNERED not in target.conditions:
        until = Until("round-end", "", fight.state.round + 1)
        yield ConditionGained(
            who=target.id, condition=CORNERED, source=blow.attacker.id, until=until, cites=(rule,)
        )


PROHIBITIONS = (
    when("'turned' in conditions", refuse_acts_of_turned),
    when("'awed' in conditions", refuse_acts_of_turned),
    when("'panicked' in conditions", refuse_but_flight),
)
