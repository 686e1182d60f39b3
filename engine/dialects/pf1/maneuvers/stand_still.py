"""Stand Still: an attack of opportunity that holds whoever walks on (pf1.feat.stand-still)."""

from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.pf1.maneuvers.maneuver_check import roll_maneuver
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.maneuvers import Attempt, Substitute
from affray.engine.rules.classes.feat_prerequisites import refuse_without
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.maneuvers.attempts import melee_attempt
from affray.engine.rules.position.place import distance
from affray.engine.steps import Refusal, Steps
from affray.events.facts.combat import ConditionGained, Until
from affray.projections.state import Combatant

NAME: Final = "stand still"
TOPIC: Final = "pf1.feat.stand-still"
#: The condition of those who have been made to stand still: they do not move as long as the turn lasts.
STOPPED: Final = "stopped"


def plan_to_stop(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to stop a mover. Refuses without the feat, and at who does not move next to one."""
    rule = refuse_without(fight, attacker, NAME)
    if distance(attacker, target) > SQUARE_FT:
        raise Refusal(f"{target.id} is not next to {attacker.id}", rule)
    blow = melee_attempt(fight, attacker, target, unarmed(fight, attacker), kind, rule)
    blow.intent = replace(blow.intent, maneuver=NAME, against=f"CMD against {NAME}", nonlethal=False)
    return Attempt(blow, name=fight.declaration)


def stop(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Roll the combat maneuver check; whom it stops moves no more in this turn, but may act."""
    target = attempt.blow.target
    check = yield from roll_maneuver(fight, attempt.blow, TOPIC)
    if check.won:
        yield ConditionGained(
            who=target.id,
            condition=STOPPED,
            source=attempt.blow.attacker.id,
            until=Until("turn-end", fight.state.active, fight.state.round),
            cites=fight.rules(TOPIC),
        )
    return check.won


STAND_STILL = Substitute(plan_to_stop, stop, TOPIC, of_movement=True)
