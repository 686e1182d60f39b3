"""Implement the grab: seizing an opponent (woa.grab.*)."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from affray.engine.dialects.woa.grapple import drag, grab_modifiers, grapple_checks, grapple_round
from affray.engine.dialects.woa.grapple.grab_modifiers import (
    HANDS,
    hands_free_in_grab,
    refuse_arm,
    seized_arms,
    speed_divisor,
)
from affray.engine.dialects.woa.grapple.grapple_checks import (
    GRABBED,
    GRABBING,
    LEG,
    action_of_grab,
    action_to_grapple,
    end_hold,
    get_held_limbs,
    get_holders_of_combatant,
    grappled_at_round_start,
    hands_on,
    holding,
    join,
    opponents,
    refuse_crowded_grapple,
    refuse_sizes,
    take_hold,
    uses_what_was_drawn,
)
from affray.engine.dialects.woa.magic import concentration
from affray.engine.dialects.woa.maneuvers import maneuver_check
from affray.engine.dialects.woa.movement.movement import speed_with_burdens
from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import provoke_by_movement, who_may_strike
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.lines_and_cover import can_be_put
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.places import distance, squares_of
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import Attempt
from affray.engine.record.compose import about, when
from affray.engine.rules.attacks.attack_roll import build_blow, strike_and_settle
from affray.engine.rules.classes.checks import check
from affray.engine.rules.classes.sheets import sizes_larger
from affray.engine.rules.gear.hands import is_armed, natural_weapons
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.movement.movement import displaced
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.places import choose_square
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Steps, onward, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Provoked, ResourceSpent
from affray.events.facts.flow import ActionSpent, ReactionSpent, RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant


def grab(fight: Fight, act: acts.Grab) -> Steps[None]:
    """Try to seize an opponent: a standard action, with Improved Grab a move action."""
    grappler, target = fight.combatant(act.actor), fight.combatant(act.target)
    kind, topic = action_of_grab(fight, grappler)
    refuse_unless_allowed(fight, grappler, kind)
    blow = grab_blow(fight, grappler, target, act)
    if act.unusual and not (yield from allow_unusual_body(fight, blow, act)):
        return
    yield spending(fight, grappler, kind, "grab", *fight.rules("woa.grab.overview", topic))
    yield from grab_and_hold(fight, blow, act)


def grab_blow(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grab, kind: str = "attack"
) -> Blow:
    """Return the attack of a grab: unarmed, at touch AC without Strength, without size modifiers.

    Refuse a target that is already held, too small, or held by as many as can; refuse a grab without a free
    hand or other limb (woa.grab.attack-bonus, .ac-no-strength, .no-size-modifier, woa.grab.size-limit,
    .free-hand, .appendages, .multiple-capacity).
    """
    maneuver_check.refuse_by_size(fight, grappler, target, "grab")
    if target in holding(fight, grappler):
        raise Refusal(f"{grappler.id} holds {target.id} already", fight.rule("woa.grab.success"))
    refuse_handless(fight, grappler, act)
    refuse_crowded_grab(fight, grappler, target)
    blow = maneuver_check.maneuver_blow(
        fight, grappler, target, "grab", kind=kind, strength=False, size=False
    )
    blow.cites += fight.rules("woa.grab.attack-bonus", "woa.grab.ac-no-strength")
    if sizes_larger(grappler, target):
        blow.cites.append(fight.rule("woa.grab.no-size-modifier"))
    return blow


def refuse_handless(fight: Fight, grappler: Combatant, act: acts.Grab) -> None:
    """Refuse a grab without enough free hands, or with a natural weapon that is missing or already holds."""
    if act.unusual:
        return
    if act.means:
        rule = fight.rule("woa.grab.appendages")
        used = [one.modifier.source.split(" on ")[0] for one in grappler.effects if one.stat == "hold"]
        limbs = [weapon.name for weapon in natural_weapons(grappler)]
        if act.means not in limbs:
            free = [one for one in limbs if one not in used]
            raise unknown_word(f"natural weapon of {grappler.id} to grab with", act.means, free, rule)
        if act.means in used:
            raise Refusal(f"the {act.means} of {grappler.id} already holds an opponent", rule)
        return
    topic = "woa.grab.free-hand"
    if not 1 <= act.hands <= HANDS:
        raise Refusal(f"a grab takes one hand or both, not {act.hands}", fight.rule(topic))
    path = "two_handed_free_hands" if act.hands == HANDS else "free_hands"
    if hands_free_in_grab(fight, grappler) < fight.figure(topic, path):
        few = "both hands" if act.hands == HANDS else "a hand"
        raise Refusal(f"{grappler.id} does not have {few} free", fight.rule(topic))


def refuse_crowded_grab(fight: Fight, grappler: Combatant, target: Combatant) -> None:
    """Refuse a grab of a creature that as many hold already as can.

    A holder counts double for each size by which it is larger, half for each by which it is smaller.

    woa.grab.multiple-capacity
    """
    topic = "woa.grab.multiple-capacity"
    factor = int(str(fight.figure(topic, "weight")).split()[0])
    most = sizes_larger(grappler, target)
    holders = [grappler, *get_holders_of_combatant(fight, target)]
    low = min(most, *(sizes_larger(one, target) for one in holders), 0)
    weight = sum(factor ** (sizes_larger(one, target) - low) for one in holders)
    # A single holder may be of any larger size.
    if len(holders) > 1 and weight > fight.figure(topic, "capacity") * factor**-low:
        raise Refusal(f"{target.id} is held already by as many as can hold it", fight.rule(topic))


def allow_unusual_body(fight: Fight, blow: Blow, act: acts.Grab) -> Steps[bool]:
    """Ask whether an unusual body part can grab; it does so at a penalty (woa.grab.unusual-body-part)."""
    topic = "woa.grab.unusual-body-part"
    attacker = blow.attacker
    question = f"can {attacker.id} grab {blow.target.id} with the {act.means or 'body'}?"
    answer = yield Choice("", "unusual", question, ("possible", "impossible"), fight.rule(topic))
    if answer == "possible":
        source = act.means or "unusual body part"
        blow.attack_extra.append(fight.modifier(topic, "penalty", kind="penalty", source=source))
        return True
    yield RuleApplied(who=attacker.id, what="the game master says: impossible", cites=(fight.rule(topic),))
    return False


def grab_and_hold(fight: Fight, blow: Blow, act: acts.Grab) -> Steps[bool]:
    """Make the check of a grab and what it provokes, and take hold on a success; return whether it succeeded.

    woa.grab.armed-opponent-aoo, .aoo-penalty, .success, .failure (options `grab_aoo`, `failed_grab_aoo`).
    """
    attacker, target = blow.attacker, blow.target
    opened = get_kind_of_provoked_opponent(fight, blow)
    if opened == "unarmed":
        yield from provoke_unarmed_opponent(fight, blow)
    check = yield from maneuver_check.attempt_maneuver(
        fight,
        blow,
        opening="woa.grab.armed-opponent-aoo" if opened == "armed" else "",
        spoiling="woa.grab.aoo-penalty" if opened == "armed" else "",
        again=partial(grab_blow, fight, attacker, target, act, blow.intent.kind),
    )
    if check is None:
        return False
    if check.won:
        yield from seize(fight, attacker, target, act)
        return True
    if opened and fight.option("failed_grab_aoo") == "once":
        what = "has provoked by its bare hands already (failed_grab_aoo: once)"
        yield RuleApplied(who=attacker.id, what=what, cites=(fight.rule("woa.grab.failure"),))
        return False
    yield from maneuver_check.provoke_by_failure(fight, blow, "woa.grab.failure")
    return False


def get_kind_of_provoked_opponent(fight: Fight, blow: Blow) -> str:
    """Return which kind of opponent a grab provokes from: "armed" ones only, or "unarmed" ones as well.

    Grabbers with Improved Unarmed Strike do not provoke (woa.grab.armed-opponent-aoo, option `grab_aoo`).
    """
    if is_armed(blow.attacker, blow.weapon):
        return ""
    if threatens(fight, blow.target, blow.attacker):
        return "armed"
    return "unarmed" if fight.option("grab_aoo") == "any" else ""


def provoke_unarmed_opponent(fight: Fight, blow: Blow) -> Steps[None]:
    """Let an unarmed opponent strike at the grabber, if the option says so; damage reduces the check.

    woa.grab.aoo-penalty (option `grab_aoo`: any)
    """
    attacker, target = blow.attacker, blow.target
    limit, topic = fight.dialect.opportunity.opportunities(fight, target)
    if is_down(fight, target) or distance(attacker, target) > target.reach:
        return
    spent = target.reactions.get("opportunity", 0) >= limit
    cites = fight.rules("woa.grab.armed-opponent-aoo", *((topic,) if spent else ()))
    denied = "may not react now" if spent else ""
    yield Provoked(who=attacker.id, by=target.id, reason="tries to grab", denied=denied, cites=cites)
    if spent:
        return
    outer = fight.scope
    fight.scope = f"{outer}.aoo:{target.id}" if outer else f"aoo:{target.id}"
    question = f"{attacker.id} tries to grab: does {target.id} take the attack of opportunity?"
    rule = fight.rule("woa.attack.aoo-is-reaction")
    answer = yield Choice(target.id, "take", question, ("take", "decline"), rule)
    before = attacker.hp
    if answer == "take":
        yield ReactionSpent(
            who=target.id,
            kind="opportunity",
            against=attacker.id,
            opportunity=f"grab:{fight.declaration}",
            cites=fight.rules("woa.attack.aoo-is-reaction", "woa.reaction.count-by-bab"),
        )
        fist = unarmed(fight, target)
        yield from strike_and_settle(fight, build_blow(fight, target, attacker, fist, "opportunity"))
    fight.scope = outer
    hurt = before - attacker.hp
    if hurt:
        topic = "woa.grab.aoo-penalty"
        blow.attack_extra.append(Modifier(-hurt, "penalty", f"hurt by {target.id}", fight.rule(topic)))


def seize(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grab) -> Steps[None]:
    """Take hold, and bring both combatants into one space (woa.grab.success, .multiple-penalties-sum)."""
    natural = bool(act.means)
    means = act.means or ("both hands" if act.hands == HANDS else "one hand")
    cites = fight.rules("woa.grab.success", *(("woa.grab.appendages",) if natural else ()))
    yield from take_hold(fight, grappler, target, act.part, means, 0 if natural else act.hands, *cites)
    yield from share_space_in_grab(fight, grappler, target)
    for one, others in (
        (grappler, holding(fight, grappler)),
        (target, get_holders_of_combatant(fight, target)),
    ):
        if len(others) > 1:
            what = f"{len(others)} holds: their penalties add up"
            yield RuleApplied(who=one.id, what=what, cites=fight.rules("woa.grab.multiple-penalties-sum"))


def share_space_in_grab(fight: Fight, grappler: Combatant, target: Combatant) -> Steps[None]:
    """Move the holder into the target's space, or a smaller target into the holder's.

    This provokes nothing from the target; other enemies strike at the mover as usual. A mover that holds, or
    is held by, another combatant stays where it is (woa.grab.success-space,
    woa.aoo.provoke.movement-in-actions).
    """
    mover, host = (target, grappler) if sizes_larger(grappler, target) > 0 else (grappler, target)
    bound = [
        one for one in (*holding(fight, mover), *get_holders_of_combatant(fight, mover)) if one is not host
    ]
    if spaces_overlap(mover, host) or bound:
        return
    x, y = mover.at
    near = sorted(squares_of(host), key=lambda at: (max(abs(at[0] - x), abs(at[1] - y)), at))
    rule = fight.rule("woa.grab.success-space")
    question = f"where in the space of {host.id} do {grappler.id} and {target.id} come together?"
    open_to = [at for at in near if can_be_put(fight.field, mover.at, 1, at, 1)]
    places = open_to if mover.space == 1 else [host.at]
    place = yield from choose_square(grappler.id, "in", question, places, rule)
    if mover is grappler:
        found = [one for one in who_may_strike(fight, mover, mover.at, place, "grab") if one[0] is not target]
        yield from provoke_by_movement(fight, mover, found, "grab")
        if target not in holding(fight, grappler):
            return
    yield displaced(mover, (place,), "into one space", rule)


def plan_grab(
    fight: Fight, grappler: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return a grab in place of an attack, or as a standard action (`kind` "attack").

    The former is refused if the spaces do not overlap (woa.grab.action).
    """
    if weapon not in ("", "unarmed strike"):
        raise Refusal(f"the {weapon} cannot be used to grab", fight.rule("woa.grab.attack-bonus"))
    if kind != "attack" and not spaces_overlap(grappler, target):
        reason = f"a grab is a standard action if {target.id} does not share {grappler.id}'s space"
        raise Refusal(reason, fight.rule("woa.grab.action"))
    return Attempt(
        grab_blow(fight, grappler, target, acts.Grab(actor=grappler.id, target=target.id), kind), item
    )


def carry_out_grab(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Make a grab in place of an attack; return whether it took hold."""
    blow = attempt.blow
    return (yield from grab_and_hold(fight, blow, acts.Grab(actor=blow.attacker.id, target=blow.target.id)))


def spaces_overlap(grappler: Combatant, target: Combatant) -> bool:
    """Return whether the spaces of two combatants overlap (woa.grab.action)."""
    return bool(set(squares_of(grappler)) & set(squares_of(target)))


# --- The acts of a grab, and the actions that they take (woa.grab.*)

DEEDS: Mapping[str, Callable[[Fight, acts.Grab], Steps[None]]] = {
    "start": grab,
    "release": grab_modifiers.release_grab,
    "escape": grab_modifiers.escape_grab,
    "drag": drag.drag,
    "squeeze": grab_modifiers.squeeze,
    "throw": grab_modifiers.throw,
}
"""The values of `Grab.what`."""


def grabbing(fight: Fight, act: acts.Grab) -> Steps[None]:
    """Grab an opponent, or take an act of a holder or a held combatant."""
    yield from DEEDS[act.what](fight, act)


# --- What holds forbid: attacking, casting, running, charging and walking off
#
# woa.grab.occupied-limbs, woa.grab.restricted-movement, woa.grab.immobile-under-5ft

ON_FOOT = (acts.Run, acts.Charge, acts.Jump)

#: Movement on the combatant's own feet; an overrun may use a mount's.
WALKING = (acts.Move, acts.Step, acts.Run, acts.Charge, acts.Skirmish)

STRIKING = (acts.Attack, acts.FullAttack, acts.Charge, acts.Skirmish)


def refuse_limbs(fight: Fight, grappler: Combatant, act: Any) -> None:
    """Refuse an attack with an arm that is held, or that holds a victim (woa.grab.occupied-limbs)."""
    names = [one.weapon for one in act.strikes] if isinstance(act, acts.FullAttack) else [act.weapon]
    for name in names:
        refuse_arm(fight, grappler, find_weapon(fight, grappler, name))


def refuse_legs(fight: Fight, grappler: Combatant, act: object) -> None:
    """Refuse to run, charge or jump with a leg that is held (woa.grab.occupied-limbs)."""
    refuse_held_leg(fight, grappler)


def refuse_held_leg(fight: Fight, grappler: Combatant) -> None:
    """Refuse acts that take both legs if one of them is held (woa.grab.occupied-limbs)."""
    if LEG in get_held_limbs(fight, grappler):
        reason = f"{grappler.id} is held by the leg and cannot run, jump or charge"
        raise Refusal(reason, fight.rule("woa.grab.occupied-limbs"))


def refuse_gestures(fight: Fight, grappler: Combatant, act: acts.Cast) -> None:
    """Refuse a spell with gestures if no arm is free (woa.grab.occupied-limbs)."""
    spell = next((one for one in grappler.sheet.spells if one.name == act.spell), None)
    if spell is None or spell.ability or "somatic" not in spell.components:
        return
    busy = sum(hands_on(grappler, other.id) for other in holding(fight, grappler))
    if len(seized_arms(fight, grappler)) + busy >= HANDS:
        raise Refusal(f"{grappler.id} has no arm free to gesture", fight.rule("woa.grab.occupied-limbs"))


def refuse_rooted(fight: Fight, grappler: Combatant, act: object) -> None:
    """Refuse all movement to a combatant whose holders leave it less than 5 feet of speed.

    woa.grab.immobile-under-5ft
    """
    topic = "woa.grab.immobile-under-5ft"
    if speed_with_burdens(fight, grappler) < fight.figure(topic, "minimum_ft"):
        raise Refusal(
            f"{grappler.id} is held fast by {grappler.conditions[GRABBED].source}", fight.rule(topic)
        )


def refuse_hampered(fight: Fight, grappler: Combatant, act: Any) -> None:
    """Refuse charging and disengaging defensively to a combatant slowed by its holders.

    woa.grab.restricted-movement, woa.aoo.avoid.defensive-disengage-limits
    """
    if speed_divisor(fight, grappler) <= 1:
        return
    if isinstance(act, acts.Charge):
        raise Refusal(
            f"{grappler.id} is held and too slow to charge", fight.rule("woa.grab.restricted-movement")
        )
    if act.how == "defensive":
        rule = fight.rule("woa.aoo.avoid.defensive-disengage-limits")
        raise Refusal(f"{grappler.id} is held and cannot disengage defensively", rule)


def refuse_leaving_victim(fight: Fight, grappler: Combatant, act: object) -> None:
    """Refuse to walk off while holding an opponent: it must be dragged along or let go.

    woa.grab.drag-opponent
    """
    raise Refusal(
        f"{grappler.id} holds {grappler.conditions[GRABBING].source}: drag or let go",
        fight.rule("woa.grab.drag-opponent"),
    )


PROHIBITIONS = (
    about(STRIKING, when(f"{GRABBED!r} in conditions", refuse_limbs)),
    about(STRIKING, when(f"{GRABBING!r} in conditions", refuse_limbs)),
    about(ON_FOOT, when(f"{GRABBED!r} in conditions", refuse_legs)),
    about((acts.Cast,), when(f"{GRABBED!r} in conditions", refuse_gestures)),
    about((acts.Cast,), when(f"{GRABBING!r} in conditions", refuse_gestures)),
    about(WALKING, when(f"{GRABBED!r} in conditions", refuse_rooted)),
    about((acts.Overrun,), when(f"{GRABBED!r} in conditions and not mount", refuse_rooted)),
    about((acts.Move, acts.Charge), when(f"{GRABBED!r} in conditions", refuse_hampered)),
    about(WALKING, when(f"{GRABBING!r} in conditions", refuse_leaving_victim)),
    about((acts.Overrun,), when(f"{GRABBING!r} in conditions and not mount", refuse_leaving_victim)),
)
"""The prohibitions of holds."""


# --- Grappling: how it starts, and the activities of a turn in it (woa.grapple.*)

Activity = Callable[[Fight, Combatant, Combatant, acts.Grapple], Steps[None]]

ACTIVITIES: Mapping[str, tuple[str, Activity]] = {
    "maintain": ("woa.grapple.activity.maintain", grapple_round.maintain_hold),
    "release": ("woa.grapple.activity.release", grapple_round.release_hold),
    "escape": ("woa.grapple.activity.escape", grapple_round.escape_grapple),
    "pin": ("woa.grapple.hold.general", grapple_round.pin),
    "arm-lock": ("woa.grapple.hold.general", grapple_round.arm_lock),
    "clamp-mouth": ("woa.grapple.hold.general", grapple_round.clamp_mouth),
    "attack": ("woa.grapple.activity.attack", grapple_round.strike_in_grapple),
    "called-shot": ("grapple.activity.called-shot", grapple_round.called_shot_in_grapple),
    "draw": ("woa.grapple.activity.draw-item", grapple_round.draw_in_grapple),
    "activate": ("woa.grapple.activity.use-item", grapple_round.use_device_in_grapple),
    "move": ("woa.grapple.activity.move", grapple_round.move_grapple),
    "other": ("woa.grapple.activity.other", grapple_round.ask_about_other_activity),
}
"""The values of `Grapple.what` for grapplers, with the topics of their rules."""


def grapple(fight: Fight, act: acts.Grapple) -> Steps[None]:
    """Start a grapple, or carry out the activity declared at the start of the round."""
    grappler, target = fight.combatant(act.actor), fight.combatant(act.target)
    if act.what == "start" and "grappling" not in grappler.conditions:
        yield from start(fight, grappler, target, act)
    elif act.what == "ease":
        yield from grapple_round.release_opponent(fight, grappler, target)
    else:
        yield from take_activity(fight, grappler, target, act)


def start(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Start to grapple an opponent: one already held, or by a grab in the same action.

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
    blow = grab_blow(fight, grappler, target, seizing)
    yield spending(fight, grappler, kind, "grab and start to grapple", *fight.rules(*topics))
    if (yield from grab_and_hold(fight, blow, seizing)):
        yield from turn_hold_into_grapple(fight, grappler, target)


def turn_hold_into_grapple(fight: Fight, grappler: Combatant, target: Combatant) -> Steps[None]:
    """Turn a hold into a grapple, whose rules replace those of the grab."""
    rule = fight.rule("woa.grapple.relation-to-grab")
    yield from end_hold(fight, grappler, target, "it has become a grapple", rule)
    if target in get_holders_of_combatant(fight, grappler):
        yield from end_hold(fight, target, grappler, "it has become a grapple", rule)
    yield from join(fight, grappler, target, rule)


def take_activity(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Carry out the one activity that a round of grappling allows, for which the check was won.

    After a clear win, an item just drawn may be used in addition (woa.grapple.activity.one-action,
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
            raise Refusal(f"only the item just drawn, the {grappler.held[-1]}, can be used as well", rule)
        first = next(steps)
        yield ActionSpent(who=grappler.id, kind="free", what=f"{act.what} with what was drawn", cites=(rule,))
        yield ActionSpent(who=grappler.id, kind=grapple_checks.DRAWN, what="used", amount=-1, cites=(rule,))
    else:
        refuse_unless_allowed(fight, grappler, "standard")
        first = next(steps)
        yield spending(fight, grappler, "standard", act.what, fight.rule(topic))
    yield from onward(steps, first)


# --- Casting in a grapple: with concentration only (woa.grapple.activity.cast)

#: The costs of casting, paid before it takes effect.
COSTS = (ActionSpent, ReactionSpent, ResourceSpent)


def casting_in_grapple(fight: Fight, act: acts.Cast, casting: Steps[None]) -> Steps[None]:
    """Cast a spell; a grappler checks concentration once the cost is paid (woa.grapple.activity.cast)."""
    grappler = fight.state.combatants.get(act.actor)
    if grappler is None or "grappling" not in grappler.conditions or is_special_ability(grappler, act.spell):
        yield from casting
        return
    step = next(casting, None)
    while isinstance(step, COSTS) or (isinstance(step, ConditionGained) and step.condition == "casting"):
        yield step
        step = next(casting, None)
    if (yield from keeps_concentration(fight, grappler, act.spell)) and step is not None:
        yield from onward(casting, step)


def is_special_ability(combatant: Combatant, name: str) -> bool:
    """Return whether a name is an ability of a creature instead of a spell it casts."""
    return any(one.name == name and one.ability for one in combatant.sheet.spells)


def keeps_concentration(fight: Fight, combatant: Combatant, name: str) -> Steps[bool]:
    """Check concentration against 20 + twice the spell's level + the damage taken this round.

    A failure loses the spell (woa.grapple.activity.cast, woa.spell.fizzle).
    """
    spell = next(one for one in combatant.sheet.spells if one.name == name)
    topic = "woa.grapple.activity.cast"
    rule = fight.rule(topic)
    base, each = str(fight.figure(topic, "dc")).split(" + ")
    hurt = combatant.conditions.get(concentration.DISTURBED)
    dc = int(base) + int(each.split()[0]) * spell.level + (hurt.level if hurt is not None else 0)
    why = "while grappling" + (f", struck for {hurt.level}" if hurt is not None else "")
    kept = yield from check(
        fight,
        combatant,
        "concentration",
        concentration.concentration_parts(fight, combatant),
        dc,
        rule,
        why=why,
    )
    if hurt is not None:
        yield ConditionLost(who=combatant.id, condition=concentration.DISTURBED, why="settled", cites=(rule,))
    if not kept:
        yield RuleApplied(who=combatant.id, what=f"{name} is lost", cites=(fight.rule("woa.spell.fizzle"),))
    return kept
