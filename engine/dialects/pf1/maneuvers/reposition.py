"""Reposition: an opponent forced to another place around oneself (pf1.reposition)."""

from itertools import pairwise
from typing import Final

from affray.engine.dialects.pf1.maneuvers.forced_movement import feet_of, force, forced_feet
from affray.engine.dialects.pf1.maneuvers.maneuver_check import MODES, attempt_maneuver, maneuver_blow
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.gear.held_weapons import melee_band
from affray.engine.rules.maneuvers.bull_rush import is_walled_off
from affray.engine.rules.movement.brink import falls_at, is_barred
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.position.place import reaches
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied

TOPIC: Final = "pf1.reposition"


def reposition(fight: Fight, act: acts.Reposition) -> Steps[None]:
    """Force an opponent along a path within one's reach, as a standard action.

    It goes as far as the result allows.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    blow = maneuver_blow(fight, actor, target, "reposition")
    refuse_way(fight, blow, act.path)
    yield spending(fight, actor, "standard", "reposition", *fight.rules(TOPIC, MODES))
    check = yield from attempt_maneuver(fight, Attempt(blow, name=fight.declaration), TOPIC)
    if check is None or not check.won:
        return
    feet, gone, cites = feet_of(fight, check, TOPIC, "ft"), [target.at], fight.rules(TOPIC)
    for there in act.path:
        gone.append(there)
        if forced_feet(gone) > feet:
            return
        if is_walled_off(fight, target, there) or occupants(fight, target, there):
            yield RuleApplied(who=target.id, what="there is no room for it any more", cites=cites)
            return
        if falls_at(fight, target, target.at, there):
            yield RuleApplied(who=target.id, what=danger_at(there), cites=cites)
            return
        if not (yield from force(fight, actor, target, there, "reposition", *cites)):
            return


def danger_at(there: Square) -> str:
    """Return why nobody is repositioned above a chasm."""
    return f"{there[0]},{there[1]} is above a chasm: a reposition puts nobody in danger"


def refuse_way(fight: Fight, blow: Blow, path: tuple[Square, ...]) -> None:
    """Refuse a way with gaps, into what is solid or occupied, or out of reach before its last 5 feet.

    A chasm is refused as well, which is a danger to all who do not fly.
    """
    attacker, target, rule = blow.attacker, blow.target, fight.rule(TOPIC)
    if not path:
        raise Refusal("no path to move the target along is named", rule)
    least, most = melee_band(attacker, blow.weapon)
    for here, there in pairwise((target.at, *path)):
        if max(abs(here[0] - there[0]), abs(here[1] - there[1])) != 1:
            raise Refusal(f"no step leads from {here[0]},{here[1]} to {there[0]},{there[1]}", rule)
    for here, there in pairwise((target.at, *path)):
        far = most + SQUARE_FT if there == path[-1] else most
        if not reaches(attacker, target, least, far, there):
            raise Refusal(f"{there[0]},{there[1]} is out of {attacker.id}'s reach", rule)
        if falls_at(fight, target, here, there):
            raise Refusal(danger_at(there), rule)
        if occupants(fight, target, there) or is_barred(fight, target, here, there):
            raise Refusal(f"there is no room at {there[0]},{there[1]}", rule)
