"""Grappling: how it is started, and what one does when it is one's turn in it (woa.grapple.*)."""

from collections.abc import Callable, Mapping

from affray.engine.dialects.woa.grapple import action_types, grab, grapple_activities
from affray.engine.dialects.woa.grapple.action_types import action_to_grapple, uses_what_was_drawn
from affray.engine.dialects.woa.grapple.grab_state import end_hold, held_by, holding
from affray.engine.dialects.woa.grapple.grapple_state import (
    grappled_at_round_start,
    join,
    opponents,
    refuse_crowded_grapple,
    refuse_sizes,
)
from affray.engine.fight.fight import Fight
from affray.engine.rules.turns.action_budget import check_turn, refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps, onward, unknown_word
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant

Activity = Callable[[Fight, Combatant, Combatant, acts.Grapple], Steps[None]]

ACTIVITIES: Mapping[str, tuple[str, Activity]] = {
    "maintain": ("woa.grapple.activity.maintain", grapple_activities.maintain_hold),
    "release": ("woa.grapple.activity.release", grapple_activities.release_hold),
    "escape": ("woa.grapple.activity.escape", grapple_activities.escape_grapple),
    "pin": ("woa.grapple.hold.general", grapple_activities.pin),
    "arm-lock": ("woa.grapple.hold.general", grapple_activities.arm_lock),
    "clamp-mouth": ("woa.grapple.hold.general", grapple_activities.clamp_mouth),
    "attack": ("woa.grapple.activity.attack", grapple_activities.strike_in_grapple),
    "called-shot": ("grapple.activity.called-shot", grapple_activities.called_shot_in_grapple),
    "draw": ("woa.grapple.activity.draw-item", grapple_activities.draw_in_grapple),
    "activate": ("woa.grapple.activity.use-item", grapple_activities.use_device_in_grapple),
    "move": ("woa.grapple.activity.move", grapple_activities.move_grapple),
    "other": ("woa.grapple.activity.other", grapple_activities.other_activity),
}
"""What `Grapple.what` may be for those who grapple, with the topic of its rule."""


def grapple(fight: Fight, act: acts.Grapple) -> Steps[None]:
    """Start a grapple, or do in one what was declared at the start of the round."""
    grappler, target = fight.combatant(act.actor), fight.combatant(act.target)
    if act.what == "start" and "grappling" not in grappler.conditions:
        yield from start(fight, grappler, target, act)
    elif act.what == "ease":
        yield from grapple_activities.release_opponent(fight, grappler, target)
    else:
        yield from take_activity(fight, grappler, target, act)


def start(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Start to grapple an opponent: one whom one holds already, or by a grab in the same action.

    woa.grapple.start.*, woa.grapple.relation-to-grab
    """
    if target is grappler:
        raise Refusal(f"{grappler.id} cannot grapple itself", fight.rule("woa.grapple.size-limits"))
    refuse_sizes(fight, grappler, target)
    refuse_crowded_grapple(fight, grappler, target)
    kind, topics = action_to_grapple(fight, grappler, target)
    if target in holding(fight, grappler):
        yield spending(fight, grappler, kind, "start to grapple", *fight.rules(*topics))
        yield from turn_hold_into_grapple(fight, grappler, target)
        return
    seizing = acts.Grab(actor=grappler.id, target=target.id)
    blow = grab.grab_blow(fight, grappler, target, seizing)
    yield spending(fight, grappler, kind, "grab and start to grapple", *fight.rules(*topics))
    if (yield from grab.grab_and_hold(fight, blow, seizing)):
        yield from turn_hold_into_grapple(fight, grappler, target)


def turn_hold_into_grapple(fight: Fight, grappler: Combatant, target: Combatant) -> Steps[None]:
    """Turn a hold into a grapple: its own rules replace those of the grab."""
    rule = fight.rule("woa.grapple.relation-to-grab")
    yield from end_hold(fight, grappler, target, "it has become a grapple", rule)
    if target in held_by(fight, grappler):
        yield from end_hold(fight, target, grappler, "it has become a grapple", rule)
    yield from join(fight, grappler, target, rule)


def take_activity(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Do the one thing that a round of grappling allows, for which the check was won.

    With an item drawn after a clear win, using it comes on top (woa.grapple.activity.one-action,
    .draw-and-use).
    """
    check_turn(fight, grappler)
    if act.what not in ACTIVITIES:
        raise unknown_word(
            "activity in a grapple", act.what, ACTIVITIES, fight.rule("woa.grapple.activity.list")
        )
    if target not in opponents(fight, grappler) or not grappled_at_round_start(fight, grappler):
        raise Refusal(f"{grappler.id} does not grapple {target.id}", fight.rule("woa.grapple.separate-rules"))
    topic, activity = ACTIVITIES[act.what]
    steps = activity(fight, grappler, target, act)
    if uses_what_was_drawn(fight, grappler, act):
        rule = fight.rule("woa.grapple.activity.draw-and-use")
        if act.weapon != grappler.held[-1]:
            raise Refusal(f"only what was drawn, the {grappler.held[-1]}, can be used as well", rule)
        first = next(steps)
        yield ActionSpent(who=grappler.id, kind="free", what=f"{act.what} with what was drawn", cites=(rule,))
        yield ActionSpent(who=grappler.id, kind=action_types.DRAWN, what="used", amount=-1, cites=(rule,))
    else:
        refuse_unless_allowed(fight, grappler, "standard")
        first = next(steps)
        yield spending(fight, grappler, "standard", act.what, fight.rule(topic))
    yield from onward(steps, first)
