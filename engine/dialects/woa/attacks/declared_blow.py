"""Declared blows: one attack, a full attack, and what comes first (woa.attack.single, .full-attack)."""

from collections.abc import Sequence

from affray.engine.dialects.woa.attacks import two_weapon_fighting
from affray.engine.dialects.woa.attacks.attack_series import full_attacks, rule_on_further_attacks
from affray.engine.dialects.woa.attacks.called_shot_aim import aim_other_form
from affray.engine.dialects.woa.gear import missiles
from affray.engine.dialects.woa.maneuvers import maneuvers_as_attacks
from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import provoke_by_ignoring
from affray.engine.dialects.woa.senses.attack_unseen import place_target
from affray.engine.dialects.woa.turns.triggers import triggered
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.attacks.attack_series import refuse_too_many
from affray.engine.rules.attacks.weapon_blow import strike_and_settle
from affray.engine.rules.gear.held_weapons import is_armed
from affray.engine.rules.gear.loading import refuse_more_shots
from affray.engine.rules.gear.thrown_weapons import draw_between, plan_throws
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.rules.turns.interruption import footing
from affray.engine.steps import Refusal, Steps, reciting
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def deliver(fight: Fight, blow: Blow) -> Steps[bool]:
    """Deliver a declared blow: what it provokes first, then the blow itself; return whether it hit.

    An unarmed attack provokes from an armed target, turning from a threat that one has moved into from
    the threat ignored (woa.aoo.provoke.unarmed-attack, .ignoring-threat).
    """
    if blow.intent.maneuver:
        return (yield from maneuvers_as_attacks.carry_out(fight, blow))
    found = yield from open_by_attack(fight, blow)
    if found is None:
        return False
    blow = found
    attacker, target = blow.attacker, blow.target
    if blow.weapon.ammunition is not None:
        yield from missiles.take_missile(fight, blow)
    if not (yield from place_target(fight, blow)):
        yield from fight.dialect.attacks.after_blow(fight, blow, False)
        return False
    if not blow.melee and "shooting" not in attacker.conditions:
        yield ConditionGained(
            who=attacker.id,
            condition="shooting",
            source=blow.weapon.name,
            until=Until("round-end", "", fight.state.round),
            cites=fight.rules("woa.attack.ranged-forfeits-dodge"),
        )
    if fight.readied == attacker.id and "brace" in blow.weapon.traits and is_charging(target):
        topic = "woa.ready.weapon-against-charge"
        blow.damage.multipliers += ((fight.figure(topic, "damage_multiplier"), fight.rule(topic)),)
        blow.damage.cites += fight.rules("woa.charge.set-weapons")
        if "stunting" in target.conditions:
            blow.damage.cites += fight.rules("woa.charge.alternative.abilities-apply")
    return (yield from strike_and_settle(fight, blow))


def open_by_attack(fight: Fight, blow: Blow) -> Steps[Blow | None]:
    """Let readied acts and openings come first; return the blow that can be struck then, None for none.

    After each interruption the attack asks again what it needs: it may go on with another weapon in hand.
    """
    attacker, target = blow.attacker, blow.target
    before = footing(fight, attacker, target)
    yield from triggered(fight, attacker, "attacks")
    if blow.intent.kind != "full":
        yield from provoke_by_ignoring(fight, attacker, [target])
    found = yield from fight.dialect.attacks.still_strikes(fight, before, blow)
    opportunity = f"unarmed:{fight.declaration}"
    if found is None or not found.melee or is_armed(attacker, found.weapon):
        return found
    if opportunity in target.opportunities or not threatens(fight, target, attacker):
        return found
    before = footing(fight, attacker, target)
    rule = fight.rule("woa.aoo.provoke.unarmed-attack")
    yield from fight.dialect.opportunity.provoke(
        fight, attacker, [target], "attacks unarmed", opportunity, rule
    )
    return (yield from fight.dialect.attacks.still_strikes(fight, before, found))


def attack(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Make one attack as a standard action (woa.attack.single)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_defensively(fight, act.defensively)
    refuse_unless_allowed(fight, actor, "standard")
    weapon = find_weapon(fight, actor, act.weapon)
    blow = fight.dialect.attacks.prepare(
        fight, actor, target, weapon, "attack", thrown=act.thrown, nonlethal=act.nonlethal
    )
    topic = "woa.attack.ranged-eligibility"
    if blow.melee:
        topic = "woa.attack.reach-weapons" if weapon.reach else "woa.attack.melee-reach"
    after = AFTER_MOVE if actor.spent.get("move") and actor.spent.get("feet") else ()
    yield spending(fight, actor, "standard", "attack", *fight.rules("woa.attack.single", topic, *after))
    yield from deliver(fight, blow)


def full_attack(fight: Fight, act: acts.FullAttack) -> Steps[None]:
    """Make all attacks of a full attack (woa.attack.full-attack, woa.two-weapon.extra-attack)."""
    actor = fight.combatant(act.actor)
    rule = fight.rule("woa.attack.full-attack")
    refuse_defensively(fight, act.defensively)
    refuse_unless_allowed(fight, actor, "full-round")
    if not act.strikes:
        raise Refusal("a full attack names no target", rule)
    penalties = full_attacks(fight, actor, act)
    refuse_too_many(actor, len(penalties), act, rule)
    targets = [fight.combatant(one.target) for one in act.strikes]
    several = list(zip(act.strikes, penalties, strict=False))
    later = [] if act.step is None else several[act.step_after :]
    blows = [blow_of_strike(fight, actor, act, *one) for one in several[: len(several) - len(later)]]
    refuse_more_shots(fight, actor, blows)
    off_hand = next((one.weapon for one in act.strikes if one.off_hand), "")
    plan_throws(fight, actor, blows, off_hand)
    cites = (rule, fight.rule("woa.action-type.full-round"), *rule_on_further_attacks(fight, actor, act))
    yield ActionSpent(who=actor.id, kind="full-round", what="full attack", cites=cites)
    yield from two_weapon_fighting.two_weapon_penalty(fight, actor, act)
    stood = actor.held, tuple(actor.conditions)
    yield from provoke_by_ignoring(fight, actor, targets)
    for number, planned in enumerate(blows, 1):
        if is_down(fight, actor):
            return
        if "dead" in planned.target.conditions:
            continue
        fight.scope = f"{actor.id}#{number}"
        blow: Blow | Attempt | None = planned
        if stood != (actor.held, tuple(actor.conditions)):
            blow = yield from fight.dialect.attacks.still_planned(
                fight, planned, bool(planned.intent.maneuver)
            )
        if isinstance(blow, Blow):
            yield from deliver(fight, blow)
    fight.scope = ""
    if act.step is not None and not is_down(fight, actor):
        yield from step_between(fight, actor, act, later, len(blows))


def step_between(
    fight: Fight,
    actor: Combatant,
    act: acts.FullAttack,
    later: Sequence[tuple[acts.Strike, Sequence[Modifier]]],
    done: int,
) -> Steps[None]:
    """Take the short step between the attacks of a full attack, and make the rest of them.

    What has become impossible is lost (woa.attack.full-attack-step).
    """
    rule = fight.rule("woa.attack.full-attack-step")
    try:
        step = fight.dialect.acts[acts.Step](fight, acts.Step(actor=actor.id, to=act.step or actor.at))
        yield from reciting(step, ActionSpent, rule)
    except Refusal as refusal:
        yield RuleApplied(who=actor.id, what=f"no step: {refusal.reason}", cites=(rule, refusal.rule))
    for number, (one, penalty) in enumerate(later, done + 1):
        if is_down(fight, actor):
            return
        yield from draw_between(fight, actor, one.weapon)
        try:
            blow = blow_of_strike(fight, actor, act, one, penalty)
        except Refusal as refusal:
            yield RuleApplied(
                who=actor.id, what=f"an attack is lost: {refusal.reason}", cites=(refusal.rule,)
            )
            continue
        fight.scope = f"{actor.id}#{number}"
        yield from deliver(fight, blow)
        fight.scope = ""


#: What lets somebody attack in the round of a move.
AFTER_MOVE = ("woa.move.then-attack", "woa.movement.move-and-act", "woa.move.and-attack-options")


def is_charging(target: Combatant) -> bool:
    """Say whether somebody charges this round, on foot, mounted or in a way that has the effect of it."""
    return any(name in target.conditions for name in ("charging", "stunting", "riding a charge"))


def blow_of_strike(
    fight: Fight, actor: Combatant, act: acts.FullAttack, one: acts.Strike, penalty: Sequence[Modifier]
) -> Blow:
    """Return the blow of one strike of a full attack. Refuses what cannot be struck."""
    weapon = two_weapon_fighting.weapon_of_strike(fight, actor, find_weapon(fight, actor, one.weapon), one)
    target = fight.combatant(one.target)
    if one.special:
        blow = maneuvers_as_attacks.maneuver_for_attack(
            fight, actor, target, one.special, one.weapon, one.item, "full"
        )
    else:
        blow = fight.dialect.attacks.prepare(
            fight, actor, target, weapon, "full", thrown=one.thrown, nonlethal=act.nonlethal
        )
    blow.attack_extra.extend(penalty)
    aim_other_form(fight, blow, one.part, "a full attack")
    return blow


def refuse_defensively(fight: Fight, wanted: bool) -> None:
    """Refuse to fight defensively, which this text does not know."""
    if wanted:
        reason = "nobody fights defensively: total defense takes the place of attacking"
        raise Refusal(reason, fight.rule("woa.total-defense.bonus"))
