"""Squeezing and throwing whom one holds (woa.grab.squeeze, woa.grab.throw)."""

from affray.engine.dialects.woa.grapple.action_types import throw_kind
from affray.engine.dialects.woa.grapple.grab_modifiers import HANDS
from affray.engine.dialects.woa.grapple.grab_state import end_hold, hands_on, holding
from affray.engine.dialects.woa.grapple.grab_strength_checks import strength_check_parts
from affray.engine.dialects.woa.table_cells import table_modifier
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import Square
from affray.engine.grid.line import can_be_put
from affray.engine.record.maneuvers import Side
from affray.engine.rules.attacks.weapon_blow import build_blow
from affray.engine.rules.classes.ability_modifiers import sizes_larger
from affray.engine.rules.gear.chosen_weapon import choose_weapon
from affray.engine.rules.gear.held_weapons import natural_weapons
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.maneuvers.opposed_checks import roll_opposed
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    ConditionGained,
)
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def squeeze(fight: Fight, act: acts.Grab) -> Steps[None]:
    """Crush everybody smaller whom one holds, as a standard action (woa.grab.squeeze, .squeeze-optional)."""
    grappler = fight.combatant(act.actor)
    topic = "woa.grab.squeeze"
    rule = fight.rule(topic)
    kind = str(fight.figure(topic, "action"))
    refuse_unless_allowed(fight, grappler, kind)
    held = [one for one in holding(fight, grappler) if sizes_larger(grappler, one) >= 1]
    if not held:
        raise Refusal(f"{grappler.id} holds nobody smaller than itself", rule)
    yield spending(fight, grappler, kind, "squeeze", rule)
    weapon = unarmed(fight, grappler)
    if grappler.sheet.kind != "humanoid" and natural_weapons(grappler):
        question = f"with which of its weapons does {grappler.id} squeeze?"
        weapon = yield from choose_weapon(grappler.id, question, natural_weapons(grappler), rule)
    for one in held:
        mine, theirs = strength_check_parts(fight, grappler, topic), strength_check_parts(fight, one, topic)
        beaten = yield from roll_opposed(fight, "squeeze", mine, theirs, rule)
        if beaten < fight.figure(topic, "beat_by"):
            continue
        yield from fight.dialect.damage.deal(
            fight, build_blow(fight, grappler, one, weapon, "squeeze"), False
        )
        optional = fight.rule("woa.grab.squeeze-optional")
        question = f"{grappler.id} squeezes {one.id}: does anything else come of it?"
        answer = yield Choice("", "squeeze", question, ("nothing more", "suffocation"), optional)
        if answer == "suffocation" and "suffocating" not in one.conditions:
            yield ConditionGained(who=one.id, condition="suffocating", source=grappler.id, cites=(optional,))


def throw(fight: Fight, act: acts.Grab) -> Steps[None]:
    """Throw a victim that one holds: by 10 it flies, by less it is held on, else the grip is lost.

    Size counts, and both hands; the helpless cannot resist (woa.grab.throw, .throw-helpless; option
    `throw_grabbed`).
    """
    grappler, target = fight.combatant(act.actor), fight.combatant(act.target)
    topic = "woa.grab.throw"
    rule = fight.rule(topic)
    kind = throw_kind(fight)
    refuse_unless_allowed(fight, grappler, kind)
    if target not in holding(fight, grappler):
        raise Refusal(f"{grappler.id} does not hold {target.id}", rule)
    flies = can_be_put(fight.field, target.at, target.space, act.at, target.space)
    if not flies or occupants(fight, target, act.at):
        raise Refusal(f"{target.id} cannot land at {act.at[0]},{act.at[1]}", rule)
    reading = f"throw (throw_grabbed: {fight.option('throw_grabbed')})"
    yield ActionSpent(who=grappler.id, kind=kind, what=reading, cites=(rule,))
    if is_helpless(fight, target):
        what = f"{target.id} is helpless and flies without a check"
        yield RuleApplied(who=grappler.id, what=what, cites=fight.rules("woa.grab.throw-helpless"))
        yield from fly_to_square(fight, grappler, target, act.at)
        return
    mine = throw_check(fight, grappler, target, topic)
    beaten = yield from roll_opposed(fight, "throw", mine, throw_check(fight, target, grappler, topic), rule)
    if beaten >= fight.figure(topic, "thrown_margin"):
        yield from fly_to_square(fight, grappler, target, act.at)
    elif beaten > 0:
        yield RuleApplied(who=grappler.id, what=f"holds {target.id} still, unthrown", cites=(rule,))
    else:
        yield from end_hold(fight, grappler, target, "loses its grip", rule)


def throw_check(fight: Fight, combatant: Combatant, other: Combatant, topic: str) -> Side:
    """Return a Strength check for a throw: the larger one counts its size, the holder both hands."""
    side = strength_check_parts(fight, combatant, topic)
    steps = sizes_larger(combatant, other)
    if steps > 0:
        size = "woa.maneuver.size-modifier"
        per = fight.figure(size, "per_category_attacker_larger")
        side.parts.append(Modifier(per * steps, "size", f"{steps} larger than {other.id}", fight.rule(size)))
    if hands_on(combatant, other.id) >= HANDS:
        side.parts += table_modifier(
            fight,
            "woa.grab.escape-both-hands",
            "check=throw",
            "bonus",
            kind="both hands",
            source="both hands",
        )
    return side


def fly_to_square(fight: Fight, grappler: Combatant, target: Combatant, at: Square) -> Steps[None]:
    """Let a victim go through the air to a square."""
    rule = fight.rule("woa.grab.throw")
    yield from end_hold(fight, grappler, target, "thrown", rule)
    yield displaced(target, (at,), "thrown", rule)
