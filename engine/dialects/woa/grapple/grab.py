"""Grab: seizing hold of an opponent (woa.grab.*)."""

from functools import partial

from affray.engine.dialects.woa.grapple.action_types import action_of_grab
from affray.engine.dialects.woa.grapple.grab_modifiers import HANDS, hands_free_in_grab
from affray.engine.dialects.woa.grapple.grab_state import held_by, holding, take_hold
from affray.engine.dialects.woa.maneuvers import maneuver_check
from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import provoke_by_movement, who_may_strike
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.line import can_be_put
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.attacks.weapon_blow import build_blow, strike_and_settle
from affray.engine.rules.classes.ability_modifiers import sizes_larger
from affray.engine.rules.gear.held_weapons import is_armed, natural_weapons
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.chosen_square import choose_square
from affray.engine.rules.position.place import distance, squares_of
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import Provoked
from affray.events.facts.flow import ReactionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
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
    """Return the blow of a grab: unarmed, at touch AC without Strength, whatever the sizes.

    Refuses a target that is held already, too small, or held by as many as can; a grab without a free hand
    or other limb (woa.grab.attack-bonus, .ac-no-strength, .no-size-modifier, woa.grab.size-limit,
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
    """Refuse a grab without as many free hands, or with a natural weapon that there is not or that holds."""
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
            raise Refusal(f"the {act.means} of {grappler.id} holds somebody already", rule)
        return
    topic = "woa.grab.free-hand"
    if not 1 <= act.hands <= HANDS:
        raise Refusal(f"one grabs with one hand or with both, not with {act.hands}", fight.rule(topic))
    path = "two_handed_free_hands" if act.hands == HANDS else "free_hands"
    if hands_free_in_grab(fight, grappler) < fight.figure(topic, path):
        few = "both hands" if act.hands == HANDS else "a hand"
        raise Refusal(f"{grappler.id} does not have {few} free", fight.rule(topic))


def refuse_crowded_grab(fight: Fight, grappler: Combatant, target: Combatant) -> None:
    """Refuse one more than can hold a single creature (woa.grab.multiple-capacity).

    A holder counts double for each size by which it is larger, half for each by which it is smaller.
    """
    topic = "woa.grab.multiple-capacity"
    factor = int(str(fight.figure(topic, "weight")).split()[0])
    most = sizes_larger(grappler, target)
    holders = [grappler, *held_by(fight, target)]
    low = min(most, *(sizes_larger(one, target) for one in holders), 0)
    weight = sum(factor ** (sizes_larger(one, target) - low) for one in holders)
    # Who is the only one to hold it may be as large as it likes.
    if len(holders) > 1 and weight > fight.figure(topic, "capacity") * factor**-low:
        raise Refusal(f"{target.id} is held already by as many as can hold it", fight.rule(topic))


def allow_unusual_body(fight: Fight, blow: Blow, act: acts.Grab) -> Steps[bool]:
    """Ask whether something unusual can grab at all; it does so at a penalty (woa.grab.unusual-body-part)."""
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
    """Make the check of a grab with what it provokes, and take hold on a success; return whether it was one.

    woa.grab.armed-opponent-aoo, .aoo-penalty, .success, .failure (options `grab_aoo`, `failed_grab_aoo`).
    """
    attacker, target = blow.attacker, blow.target
    opened = before_whom_it_opens(fight, blow)
    if opened == "unarmed":
        yield from open_to_fists(fight, blow)
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


def before_whom_it_opens(fight: Fight, blow: Blow) -> str:
    """Return before whom a grabber lowers its guard: an "armed" opponent, or an "unarmed" one as well.

    Nobody with Improved Unarmed Strike (woa.grab.armed-opponent-aoo, option `grab_aoo`).
    """
    if is_armed(blow.attacker, blow.weapon):
        return ""
    if threatens(fight, blow.target, blow.attacker):
        return "armed"
    return "unarmed" if fight.option("grab_aoo") == "any" else ""


def open_to_fists(fight: Fight, blow: Blow) -> Steps[None]:
    """Let an unarmed opponent strike at the grabber, where the reading says so; it takes from the check.

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
    """Take hold, and come together in one space (woa.grab.success, .multiple-penalties-sum)."""
    natural = bool(act.means)
    means = act.means or ("both hands" if act.hands == HANDS else "one hand")
    cites = fight.rules("woa.grab.success", *(("woa.grab.appendages",) if natural else ()))
    yield from take_hold(fight, grappler, target, act.part, means, 0 if natural else act.hands, *cites)
    yield from come_together(fight, grappler, target)
    for one, others in ((grappler, holding(fight, grappler)), (target, held_by(fight, target))):
        if len(others) > 1:
            what = f"{len(others)} holds: their penalties add up"
            yield RuleApplied(who=one.id, what=what, cites=fight.rules("woa.grab.multiple-penalties-sum"))


def come_together(fight: Fight, grappler: Combatant, target: Combatant) -> Steps[None]:
    """Move the holder into the other's space, or a smaller one into the holder's.

    It provokes nothing from the one that is held; other enemies strike at the holder as at any mover. Who
    holds, or is held by, another combatant as well stays where it is (woa.grab.success-space,
    woa.aoo.provoke.movement-in-actions).
    """
    mover, host = (target, grappler) if sizes_larger(grappler, target) > 0 else (grappler, target)
    bound = [one for one in (*holding(fight, mover), *held_by(fight, mover)) if one is not host]
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
    """Return a grab in the place of an attack, or as a standard action (`kind` "attack").

    Refuses the former where the spaces do not overlap (woa.grab.action).
    """
    if weapon not in ("", "unarmed strike"):
        raise Refusal(f"one does not grab with the {weapon}", fight.rule("woa.grab.attack-bonus"))
    if kind != "attack" and not spaces_overlap(grappler, target):
        reason = f"a grab is a standard action where {target.id} does not share {grappler.id}'s space"
        raise Refusal(reason, fight.rule("woa.grab.action"))
    return Attempt(
        grab_blow(fight, grappler, target, acts.Grab(actor=grappler.id, target=target.id), kind), item
    )


def carry_out_grab(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Make a grab where an attack was due; return whether it took hold."""
    blow = attempt.blow
    return (yield from grab_and_hold(fight, blow, acts.Grab(actor=blow.attacker.id, target=blow.target.id)))


def spaces_overlap(grappler: Combatant, target: Combatant) -> bool:
    """Say whether the spaces of two combatants overlap (woa.grab.action)."""
    return bool(set(squares_of(grappler)) & set(squares_of(target)))
