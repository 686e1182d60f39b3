"""How far a combatant gets in Futurepath: its speed, what slows it, and a second move action."""

from typing import Any, Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, condition_changes
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.movement.movement import speed
from affray.engine.rules.movement.pace import with_speed_told
from affray.engine.rules.movement.run_endurance import WINDED
from affray.engine.steps import Refusal, Steps, altered, reciting
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

#: The way of moving that takes both actions for one path.
DOUBLE: Final = "double"
#: That of getting into a vehicle.
VEHICLE: Final = "enter-vehicle"
LIMITS: Final = "futurepath.movement.in-combat-limits"
SPEED: Final = "futurepath.stat.speed"
DOUBLED: Final = "futurepath.movement.double-move"
BASE: Final = "futurepath.movement.base-speed"
BLIND_FIGHT: Final = "futurepath.movement.blind-fight"
ENCUMBERED: Final = "futurepath.movement.encumbrance"
REST: Final = "futurepath.action.run.rest"
THIRDS: Final = "futurepath.assumed.encumbrance"


def encumbered(fight: Fight, mover: Combatant, feet: int) -> int:
    """Return the speed of who carries a great load or a comrade: two thirds, rounded up to a square.

    futurepath.movement.encumbrance, futurepath.assumed.encumbrance.
    """
    parts, whole = int(fight.figure(THIRDS, "numerator")), int(fight.figure(THIRDS, "denominator"))
    return -(-feet * parts // (whole * SQUARE_FT)) * SQUARE_FT


def limit_of_combat(fight: Fight, mover: Combatant, rule: str) -> str:
    """Return the rule by which a way is too long: of a move, that on how far one gets in combat.

    futurepath.movement.in-combat-limits.
    """
    plain = fight.rules("futurepath.action.move.definition", DOUBLED)
    return fight.rule(LIMITS) if rule in plain else rule


def why_so_fast(fight: Fight, mover: Combatant) -> RuleApplied | None:
    """Return where a combatant's speed comes from, None if it is the base speed of its kind.

    futurepath.movement.base-speed, futurepath.stat.speed, futurepath.movement.darkness,
    futurepath.movement.blind-fight, futurepath.movement.encumbrance, futurepath.assumed.blind-fight.
    """
    told, topics = [], []
    sheet = mover.sheet
    base = base_speed_of_humans(fight) if sheet.race == "human" else sheet.base_speed
    if base is not None and base != sheet.speed:
        once = sheet.speed * fight.figure(LIMITS, "move_action")
        told.append(f"{once} ft. a move action, base speed {base} ft.")
        topics += [BASE, LIMITS]
    if "encumbered" in mover.conditions:
        told.append("slower: encumbered")
        topics += [ENCUMBERED, THIRDS]
    for name, change, denied in condition_changes(fight, mover, "speed"):
        if denied:
            continue
        told.append(f"slower: {name}")
        topics.append(change.topic)
        if change.eased and has_feat(mover, change.eased[0]):
            topics += [BLIND_FIGHT, change.eased[1]]
    return RuleApplied(who=mover.id, what="; ".join(told), cites=fight.rules(*topics)) if told else None


def base_speed_of_humans(fight: Fight) -> int:
    """Return the speed of humans without armor (futurepath.stat.speed, futurepath.movement.base-speed)."""
    found: list[int] = [fight.figure(SPEED, "human_speed_ft"), fight.figure(BASE, "human_base_speed_ft")]
    return max(found)


def move_by_speed(fight: Fight, act: acts.Move, moving: Steps[None]) -> Steps[None]:
    """Move on foot, and tell whence the speed comes; a second move action takes the attack's place.

    futurepath.stat.speed, futurepath.movement.double-move, futurepath.movement.in-combat-limits.
    """
    mover = fight.combatant(act.actor)
    again = mover.spent.get("move") and fight.readied != mover.id
    cites = fight.rules(SPEED, *((DOUBLED, LIMITS) if again else ()))
    yield from with_speed_told(fight, act.actor, moving, *cites)
    if again:
        feet = speed(fight, mover) * fight.figure(LIMITS, "double_move")
        what = f"a second move action: up to {feet} ft. in all"
        yield RuleApplied(who=mover.id, what=what, cites=cites[1:])


def refuse_to_run(fight: Fight, act: acts.Run) -> None:
    """Refuse to run to whoever rests from running to its limit (futurepath.action.run.rest)."""
    mover = fight.combatant(act.actor)
    if WINDED in mover.conditions:
        raise Refusal(f"{mover.id} must rest from running", fight.rule(REST))


def tell_rest(fight: Fight, act: acts.Run, running: Steps[None]) -> Steps[None]:
    """Run; whoever is out of breath afterwards rests by the rule on that (futurepath.action.run.rest)."""

    def cited(step: Any) -> Any:
        if type(step) is ConditionGained and step.condition == WINDED:
            return replace(step, cites=(*step.cites, fight.rule(REST)))
        return step

    return altered(running, cited)


def enter_vehicle(fight: Fight, act: acts.Move, moving: Steps[None]) -> Steps[None]:
    """Get into a vehicle: a move action, whose one step leads into it.

    futurepath.movement.enter-vehicle.
    """
    rule = fight.rule("futurepath.movement.enter-vehicle")
    if len(act.path) != 1:
        raise Refusal(f"one step leads into a vehicle, not {len(act.path)}", rule)
    yield from reciting(moving, ActionSpent, rule)
    mover = fight.combatant(act.actor)
    if mover.at == act.path[-1]:
        yield RuleApplied(who=mover.id, what="gets into the vehicle", cites=(rule,))
