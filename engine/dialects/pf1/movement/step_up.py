"""Step Up: after a foe that takes a 5-foot step away (pf1.feat.step-up)."""

from typing import Final

from affray.engine.dialects.pf1.turns.flow import refuse_immediate
from affray.engine.fight.fight import Fight
from affray.engine.grid.area import DIRECTIONS
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.engine.rules.movement.movement import refuse_path, refuse_prone, speed
from affray.engine.rules.opportunity.attacks_of_opportunity import in_order
from affray.engine.rules.position.place import next_to, reaches_from
from affray.engine.rules.turns.action_budget import has_acted
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import ActionSpent
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC: Final = "pf1.feat.step-up"
FEAT: Final = "step up"
#: The stat of what a step after a foe takes off the next turn's movement, in feet.
SHORTER: Final = "movement of the turn"


def follow(fight: Fight, act: acts.Step, stepping: Steps[None]) -> Steps[None]:
    """Take a 5-foot step; whoever was next to the mover and no longer is may step after it by Step Up."""
    mover = fight.combatant(act.actor)
    beside = [one for one in fight.enemies(mover) if masters(fight, one, FEAT) and next_to(one, mover)]
    left = mover.at
    yield from stepping
    if mover.at == left:
        return
    for one in in_order(fight, beside):
        if not next_to(one, mover):
            yield from step_after(fight, one, mover)


def step_after(fight: Fight, follower: Combatant, mover: Combatant) -> Steps[None]:
    """Let a combatant step next to a foe again as an immediate action, if it can and will."""
    rule = fight.rule(TOPIC)
    try:
        kind = refuse_immediate(fight, follower)
    except Refusal:
        return
    squares = squares_beside(fight, follower, mover)
    if not squares:
        return
    named = {f"{x},{y}": (x, y) for x, y in squares}
    question = f"{mover.id} steps away: does {follower.id} step after it?"
    answer = yield Choice(follower.id, FEAT, question, (*named, "decline"), rule)
    if answer not in named:
        return
    cites = (rule, fight.rule("pf1.action.immediate"))
    yield ActionSpent(who=follower.id, kind=kind, what=FEAT, cites=cites)
    yield shortened(fight, follower)
    yield from fight.dialect.movement.walk(fight, follower, (named[answer],), "step", rule)


def squares_beside(fight: Fight, follower: Combatant, mover: Combatant) -> list[Square]:
    """Return the squares next to a foe that a 5-foot step of a combatant leads to, clockwise from above."""
    squares, (x, y) = int(fight.figure(TOPIC, "distance_ft")) // SQUARE_FT, follower.at
    found = [(x + squares * dx, y + squares * dy) for dx, dy in DIRECTIONS]
    return [
        there
        for there in found
        if reaches_from(follower, there, mover, 0, SQUARE_FT) and may_step(fight, follower, there)
    ]


def may_step(fight: Fight, combatant: Combatant, to: Square) -> bool:
    """Say whether a combatant could take a 5-foot step to a square, whatever it did in its own turn."""
    rule = fight.rule("pf1.five-foot-step")
    try:
        refuse_prone(fight, combatant)
        # Ground that hampers costs more than the one square of it.
        refuse_path(fight, combatant, (to,), SQUARE_FT, rule, how="step")
    except Refusal:
        return False
    return speed(fight, combatant) >= int(fight.figure("pf1.five-foot-step", "min_speed_ft"))


def shortened(fight: Fight, follower: Combatant) -> EffectGained:
    """Return what the step costs in the follower's next turn: its own 5-foot step, and feet of movement."""
    rule = fight.rule(TOPIC)
    this_round = fight.state.active != follower.id and not has_acted(fight, follower)
    return EffectGained(
        who=follower.id,
        id=f"{fight.declaration}:{FEAT}:{follower.id}",
        stat=SHORTER,
        modifier=Modifier(int(fight.figure(TOPIC, "next_turn_ft")), "penalty", FEAT.title(), rule),
        until=Until("turn-end", follower.id, fight.state.round + (not this_round)),
        cites=(rule,),
    )


def refuse_short_step(fight: Fight, actor: Combatant, act: acts.Step) -> None:
    """Refuse a 5-foot step in the turn after one by Step Up."""
    if any(one.stat == SHORTER for one in actor.effects):
        raise Refusal(f"{actor.id} has stepped up and takes no 5-foot step this turn", fight.rule(TOPIC))


def forfeit(fight: Fight, mover: Combatant) -> int:
    """Return the feet that the first way of a turn has less, after a step by Step Up before it."""
    if mover.spent.get("feet") or fight.state.active != mover.id:
        return 0
    return -sum(one.modifier.value for one in mover.effects if one.stat == SHORTER)


def slowed_by_step(fight: Fight, mover: Combatant, rule: str) -> str:
    """Return the rule to cite for a way that is too long: that of Step Up where it has cost something."""
    return fight.rule(TOPIC) if forfeit(fight, mover) else rule
