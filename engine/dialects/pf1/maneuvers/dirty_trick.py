"""Dirty trick: an opponent hampered for a while, until it takes the time to recover (pf1.dirty-trick)."""

from collections.abc import Collection
from typing import Any, Final

from affray.engine.dialects.pf1.maneuvers.forced_movement import MARGIN
from affray.engine.dialects.pf1.maneuvers.maneuver_check import (
    MODES,
    Check,
    attempt_maneuver,
    maneuver_blow,
)
from affray.engine.dialects.pf1.maneuvers.maneuver_feats import GREATER, has_greater
from affray.engine.fight.fight import Fight
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.mounted.ride_skill import BEHIND
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.expiry import for_rounds
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.projections.state import Combatant

TOPIC: Final = "pf1.dirty-trick"
#: What the source of a condition begins with that comes of a dirty trick, and of a greater one.
TRICK: Final = "dirty trick of"
GREATER_TRICK: Final = "greater dirty trick of"


def tricks(dialect: Any) -> Collection[str]:
    """Return the conditions that a dirty trick can bring about."""
    found: Collection[str] = dialect.book.topic_figure(TOPIC, "conditions")
    return found


def recoverable(dialect: Any) -> Collection[str]:
    """Return the conditions from which one can recover: those of tricks, and hanging beside the mount."""
    return (*tricks(dialect), BEHIND)


def dirty_trick(fight: Fight, act: acts.DirtyTrick) -> Steps[None]:
    """Hamper an opponent by a condition of one's choice, as a standard action."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    if not act.condition:
        known = ", ".join(tricks(fight.dialect))
        raise Refusal(f"no condition is named that the trick causes; there are {known}", fight.rule(TOPIC))
    blow = maneuver_blow(fight, actor, target, "dirty trick")
    yield spending(fight, actor, "standard", "dirty trick", *fight.rules(TOPIC, MODES))
    check = yield from attempt_maneuver(fight, Attempt(blow, name=fight.declaration), TOPIC)
    if check is not None and check.won:
        yield from hamper(fight, actor, target, act.condition, check)


def hamper(fight: Fight, attacker: Combatant, target: Combatant, condition: str, check: Check) -> Steps[None]:
    """Give the condition for a round, or by the Greater feat 1d4, and one more for each 5 over the CMD."""
    greater = has_greater(fight, attacker, "dirty trick")
    rounds = int(fight.figure(TOPIC, "rounds"))
    if greater:
        rolled = yield Roll(attacker.id, "trick", str(fight.figure(TOPIC, "greater_rounds")))
        rounds = rolled.total
    rounds += check.times(MARGIN) * int(fight.figure(TOPIC, "per_5"))
    gained = ConditionGained(
        who=target.id,
        condition=condition,
        source=f"{GREATER_TRICK if greater else TRICK} {attacker.id}",
        until=for_rounds(fight, attacker, rounds),
        cites=fight.rules(TOPIC, *((GREATER,) if greater else ())),
    )
    yield from fight.dialect.conditions.gain(fight, gained)


def recover(fight: Fight, act: acts.Recover) -> Steps[None]:
    """Rid oneself of what a dirty trick has done: a move action, of a greater one a standard action."""
    actor, rule = fight.combatant(act.actor), fight.rule(TOPIC)
    kind = recovering_action(actor, act.condition)
    if not kind:
        raise Refusal(f"no dirty trick has left {actor.id} {act.condition or 'in any state'}", rule)
    yield spending(fight, actor, kind, "recover", rule)
    yield ConditionLost(who=actor.id, condition=act.condition, why="has recovered", cites=(rule,))


def recovering_action(combatant: Combatant, condition: str) -> str:
    """Return the type of action that it takes to be rid of a condition, "" where no trick has brought it."""
    source = combatant.conditions[condition].source if condition in combatant.conditions else ""
    if source.startswith(GREATER_TRICK):
        return "standard"
    return "move" if source.startswith(TRICK) else ""
