"""What being attacked or hurt does to those who swim, fly or ride: a check on the spot."""

from affray.engine.dialects.woa import flying, water
from affray.engine.fight import Fight
from affray.engine.rules.blow import Blow
from affray.engine.rules.conditions import rule_of
from affray.engine.steps import NOTHING, Steps
from affray.events.facts.combat import ConditionGained, HitPointsChanged
from affray.projections.state import Combatant


def missed(fight: Fight, blow: Blow) -> Steps[None]:
    """After a miss, let the target meet what an attack as such brings about."""
    return unsettled(fight, blow, 0) if concerned(blow.target) else NOTHING


def struck(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After a hit and its damage, let the target meet what an attack as such brings about."""
    target = blow.target
    if not concerned(target):
        return NOTHING
    return unsettled(fight, blow, before[0] + before[2] - target.hp - target.temporary)


def concerned(target: Combatant) -> bool:
    """Say whether an attack as such means more to a target than its damage."""
    return bool(target.mount or target.rider or target.riderless or target.conditions)


def unsettled(fight: Fight, blow: Blow, lost: int) -> Steps[None]:
    """Let a swimmer keep up and a flyer that warded off the blow keep its balance.

    A flyer that was hurt has met that already (see `attending`); woa.water.swimming.attacked-check,
    woa.fly.*.hazard.
    """
    target = blow.target
    if "dead" in target.conditions:
        return
    yield from water.attacked(fight, target)
    if flying.is_flying(target) and not lost and (why := warded(blow)):
        yield from flying.upset(fight, target, why)


def warded(blow: Blow) -> str:
    """Return how the target of a blow warded it off, "" if it did not."""
    if blow.reduction:
        return "blocking in the air"
    dodged = any(part.kind == "dodge" and part.source == "dodging" for part in blow.defense_extra)
    return "dodging in the air" if dodged else ""


def attend(fight: Fight, steps: Steps[None]) -> Steps[None]:
    """Let what happens to flyers tell on their flight at once, whatever the reason was."""
    if any(flying.is_flying(one) for one in fight.state.combatants.values()):
        return attending(fight, steps)
    return steps


def attending(fight: Fight, steps: Steps[None]) -> Steps[None]:
    """Carry a declaration on and answer each fact that upsets a flyer: damage, and being knocked out."""
    sent = None
    while True:
        try:
            step = steps.send(sent)
        except StopIteration:
            return
        sent = yield step
        kind = type(step)
        if kind is HitPointsChanged and step.change < 0:
            yield from flying.upset(fight, fight.state.combatants[step.who], "hurt in the air")
        elif kind is ConditionGained and rule_of(fight, step.condition).down:
            yield from flying.upset(fight, fight.state.combatants[step.who], "knocked out in the air")
