"""Resolve declared attacks: one attack, a full attack, and what precedes it.

woa.attack.single, .full-attack
"""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from affray.engine.dialects.woa.attacks import attack_modifiers
from affray.engine.dialects.woa.attacks.attack_modifiers import full_attacks, rule_on_further_attacks
from affray.engine.dialects.woa.attacks.called_shots import (
    aim_attack_at_part,
    aim_blow_of_charge,
    difficulty_of,
    refuse_combined,
)
from affray.engine.dialects.woa.gear import objects
from affray.engine.dialects.woa.grapple.grab_modifiers import refuse_arm
from affray.engine.dialects.woa.maneuvers import maneuvers_as_attacks
from affray.engine.dialects.woa.mounted.mounted_combat import mounted_charge
from affray.engine.dialects.woa.movement import movement
from affray.engine.dialects.woa.movement.movement import (
    charge_blindly,
    get_single_attack_rule,
    leading_number,
    refuse_after_step,
    refuse_hindered,
    refuse_lying,
    refuse_out_of_sight,
    refuse_slowed,
    speed_with_burdens,
    unseen_wall,
)
from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import provoke_by_ignoring, threatening
from affray.engine.dialects.woa.position import size
from affray.engine.dialects.woa.position.shared_space import steps_along
from affray.engine.dialects.woa.position.size import height_apart, idle
from affray.engine.dialects.woa.senses.concealment import place_target
from affray.engine.dialects.woa.turns.declared_actions import triggered
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.kernel.places import in_band
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import Attempt
from affray.engine.record.compose import about
from affray.engine.rules.attacks.attack_roll import strike_and_settle
from affray.engine.rules.attacks.full_attack import refuse_too_many
from affray.engine.rules.classes.checks import check, skill_parts
from affray.engine.rules.classes.sheets import has_feat, sizes_larger
from affray.engine.rules.gear.hands import is_armed, melee_band, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import (
    draw_between,
    find_weapon,
    plan_throws,
    refuse_more_shots,
    unarmed,
)
from affray.engine.rules.maneuvers.opposed_checks import charging_blow
from affray.engine.rules.movement.movement import known_occupants, last_stop, refuse_path
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.rules.turns.delay_and_ready import attack_is_lost, footing
from affray.engine.steps import Choice, Refusal, Steps, reciting
from affray.events.facts import acts
from affray.events.facts.acts import Attack
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- The attack action out of combat (woa.attack.take-10)


def take_ten(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack as a full-round action as if the die showed 10.

    Refused in combat and while threatened; the game master decides whether anything else distracts or
    hurries.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    topic = "woa.attack.take-10"
    rule = fight.rule(topic)
    number = fight.figure(topic, "die")
    if act.take != number:
        raise Refusal(f"an attack takes {number} or is rolled: it cannot take {act.take}", rule)
    if fight.state.begun and not fight.state.closed:
        raise Refusal(f"{actor.id} is in combat and cannot take {number} on an attack", rule)
    if any(not is_down(fight, enemy) for enemy in threatening(fight, actor)):
        raise Refusal(f"{actor.id} is threatened and cannot take {number}", rule)
    weapon = find_weapon(fight, actor, act.weapon)
    blow = fight.dialect.attacks.prepare(
        fight, actor, target, weapon, "attack", thrown=act.thrown, nonlethal=act.nonlethal
    )
    blow.intent = replace(blow.intent, taken=number)
    blow.cites.append(rule)
    question = f"{actor.id} would take {number} on an attack: does anything distract or hurry it?"
    if (yield Choice("", "distracted", question, ("calm", "distracted"), rule)) != "calm":
        yield RuleApplied(who=actor.id, what=f"is distracted and cannot take {number}", cites=(rule,))
        return
    yield ActionSpent(who=actor.id, kind="full-round", what=f"attack, taking {number}", cites=(rule,))
    yield from fight.dialect.attacks.deliver(fight, blow)


# --- Refusals for every attack: as a maneuver, as a called shot, at the end of a charge
#
# Plain attacks are checked before they are resolved, all other attacks here, one by one.

#: The recorded reason why a combatant cannot attack.
TOLD = {
    "squeezing.escape-artist": "wriggles through and cannot attack",
    "mount.combat.saddle-required": "has no stirrups to strike from",
    "mount.control.war-training": "is not trained for war and does not attack",
}


def refuse_barred(fight: Fight, blow: Blow, thrown: bool) -> None:
    """Refuse an attack that the attacker's hands, seat or place, or the size of its target, do not allow.

    woa.grab.occupied-limbs, woa.squeezing.escape-artist, woa.mount.combat.saddle-required,
    woa.battlefield-monster.balance, woa.size.combat.target-four-larger, woa.size.vertical-reach
    """
    attacker, target = blow.attacker, blow.target
    if blow.melee and (topic := idle(fight, attacker)):
        raise Refusal(f"{attacker.id} {TOLD[topic]}", fight.rule(topic))
    if attacker.conditions:
        refuse_arm(fight, attacker, blow.weapon)
        size.refuse_clinging(fight, attacker, blow.weapon)
    if target.conditions and not thrown:
        size.refuse_above_reach(fight, attacker, target, blow.weapon)
    if sizes_larger(target, attacker) > 1:
        size.refuse_too_large(fight, attacker, acts.Attack(attacker.id, target.id))


# --- A charge on foot, straight at the target (woa.charge.path, woa.charge.distance)


def charge_on_foot(fight: Fight, act: acts.Charge) -> Steps[None]:
    """Charge straight at the target, at least twice the own space, at most twice the speed, for one attack.

    +2 on the attack, -2 AC for the round (woa.charge.*). Movement that leaves a threatened area provokes.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, actor, "full-round")
    refuse_after_step(fight, actor)
    refuse_lying(fight, actor)
    weapon = unarmed(fight, actor) if act.special == "push" else find_weapon(fight, actor, act.weapon)
    if act.special:
        maneuvers_as_attacks.refuse_impossible_end_of_charge(
            fight, actor, target, act.special, act.weapon, act.item
        )
    refuse_combined(fight, actor, act.part, True, "a charge")
    if act.part:
        difficulty_of(fight, target, act.part)
    if not strikes_in_melee(weapon):
        raise Refusal(f"the {weapon.name} cannot be used in a charge", fight.rule("woa.charge.attack"))
    refuse_out_of_sight(fight, actor, target)
    refuse_slowed(fight, actor)
    rule = fight.rule("woa.charge.distance")
    least = leading_number(fight, "min") * actor.space
    most = leading_number(fight, "max") * speed_with_burdens(fight, actor)
    refuse_path(fight, actor, act.path, most, rule, how="charge")
    if len(act.path) < least:
        raise Refusal(f"a charge covers at least {least * SQUARE_FT} ft.", rule)
    refuse_hindered(fight, actor, target, act.path)
    near, far = melee_band(actor, weapon)
    if not in_band(act.path[-1], actor.space, target.at, target.space, near, far):
        raise Refusal(f"the charge does not end within reach of {target.id}", fight.rule("woa.charge.path"))
    refuse_above_reach(fight, actor, target, weapon)
    cites = fight.rules(
        "woa.charge.definition", "woa.charge.distance", "woa.charge.path", "woa.move.charge-summary"
    )
    yield ActionSpent(who=actor.id, kind="full-round", what="charge", cites=cites)
    yield ActionSpent(
        who=actor.id, kind="rush", what="charge", cites=(fight.rule("woa.charge.no-short-step"),)
    )
    until = Until("round-end", "", fight.state.round)
    yield ConditionGained(
        who=actor.id,
        condition="charging",
        source=target.id,
        until=until,
        cites=(fight.rule("woa.charge.attack"),),
    )
    there = yield from fight.dialect.movement.walk(
        fight, actor, act.path, "charge", rule, fight.rule("woa.charge.move-before-attack")
    )
    if not there or is_down(fight, actor) or "dead" in target.conditions:
        return
    blow = yield from blow_of_charge(fight, actor, target, act, weapon)
    if blow is None:
        return
    weapon = blow.weapon
    blow.attack_extra.append(
        fight.modifier("woa.charge.attack", "attack_bonus", kind="circumstance", source="charging")
    )
    yield from aim_blow_of_charge(fight, blow, act.part)
    blow.cites += get_single_attack_rule(fight, actor, target, weapon)
    yield from fight.dialect.attacks.deliver(fight, blow)


def blow_of_charge(
    fight: Fight, attacker: Combatant, target: Combatant, act: acts.Charge, weapon: Weapon
) -> Steps[Blow | None]:
    """Return the attack, or the maneuver in its place, at the end of a charge; None if it is no longer
    possible.
    """
    if not act.special:
        making = partial(charging_blow, fight, attacker, target)
        return (yield from fight.dialect.attacks.blow_at_end(fight, attacker, weapon, making))
    try:
        return maneuvers_as_attacks.maneuver_for_attack(
            fight, attacker, target, act.special, act.weapon, act.item, "charge"
        )
    except Refusal as lost:
        yield attack_is_lost(attacker, lost)
        return None


# --- Charging in the mover's mode of movement, and other ways to reach a target (woa.charge.*)

#: The skills of stunts with their abilities.
SKILLS = {"athletics": "str", "acrobatics": "dex"}
#: The rulings of the game master on a stunt.
AS_PROPOSED, UNCHECKED, IMPOSSIBLE = "as proposed", "without a check", "impossible"


def charge(fight: Fight, act: acts.Charge) -> Steps[None]:
    """Charge on foot, with the mount, or by a stunt with the same effect."""
    actor = fight.combatant(act.actor)
    if actor.mount:
        return mounted_charge(fight, act, actor)
    if act.stunt:
        return charge_by_stunt(fight, act)
    wall = unseen_wall(fight, actor, act.path)
    return charge_on_foot(fight, act) if wall is None else charge_blindly(fight, act, wall)


def charge_by_stunt(fight: Fight, act: acts.Charge) -> Steps[None]:
    """Leap, swing or be hurled at a target, with the attack bonus and AC penalty of a charge.

    The path need be neither straight nor clear. The game master decides whether the stunt is possible and
    whether it takes the check proposed for it; on a failure the attacker gets there but does not strike
    (woa.charge.alternative.effect).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    topic = "woa.charge.alternative.effect"
    rule = fight.rule(topic)
    refuse_unless_allowed(fight, actor, "full-round")
    movement.refuse_after_step(fight, actor)
    movement.refuse_lying(fight, actor)
    weapon = find_weapon(fight, actor, act.weapon)
    if not strikes_in_melee(weapon):
        raise Refusal(f"the {weapon.name} cannot be used in a charge", fight.rule("woa.charge.attack"))
    refuse_landing(fight, actor, act.path, rule)
    near, far = melee_band(actor, weapon)
    if not in_band(act.path[-1], actor.space, target.at, target.space, near, far):
        raise Refusal(f"the path does not lead within reach of {target.id}", rule)
    options = (AS_PROPOSED, *((UNCHECKED,) if act.skill else ()), IMPOSSIBLE)
    check_of = f" ({act.skill} {act.dc})" if act.skill else ""
    verdict = yield Choice("", "stunt", f"{actor.id} {act.stunt} at {target.id}{check_of}", options, rule)
    if verdict == IMPOSSIBLE:
        yield RuleApplied(who=actor.id, what=f"the game master does not allow it: {act.stunt}", cites=(rule,))
        return
    yield ActionSpent(who=actor.id, kind="full-round", what=act.stunt, cites=(rule,))
    yield ActionSpent(
        who=actor.id, kind="rush", what=act.stunt, cites=fight.rules("woa.charge.no-short-step")
    )
    yield ConditionGained(
        who=actor.id,
        condition="stunting",
        source=target.id,
        until=Until("round-end", "", fight.state.round),
        cites=(rule,),
    )
    done = True
    if act.skill and verdict == AS_PROPOSED:
        parts = skill_parts(fight, actor, act.skill, SKILLS[act.skill], rule)
        done = yield from check(fight, actor, act.skill, parts, act.dc, rule, why=act.stunt)
    there = yield from fight.dialect.movement.walk(fight, actor, act.path, "stunt", rule)
    if not there or not done or is_down(fight, actor) or "dead" in target.conditions:
        return
    blow = yield from fight.dialect.attacks.blow_at_end(
        fight, actor, weapon, partial(charging_blow, fight, actor, target)
    )
    if blow is None:
        return
    blow.attack_extra.append(fight.modifier(topic, "attack_bonus", kind="circumstance", source=act.stunt))
    yield from fight.dialect.attacks.deliver(fight, blow)


def refuse_landing(fight: Fight, combatant: Combatant, path: Sequence[Square], rule: str) -> None:
    """Refuse a path through the air that has gaps, passes walls or ends in a blocked square."""
    for _, (x, y) in steps_along(combatant.at, path, rule):
        if fight.field.at((x, y)) == "#":
            raise Refusal(f"a wall stands at {x},{y}", fight.rule("woa.terrain.obstacle.blocking"))
    x, y = path[-1]
    if not fight.field.passable(path[-1], combatant.space):
        reason = f"{combatant.id} cannot stand at {x},{y}: something blocks it, or the map ends"
        raise Refusal(reason, fight.rule("woa.terrain.obstacle.blocking"))
    if there := known_occupants(fight, combatant, path[-1]):
        reason = f"{combatant.id} cannot stand at {x},{y}: {there[0].id} is there"
        raise Refusal(reason, fight.rule("woa.space.definition"))


def deliver(fight: Fight, blow: Blow) -> Steps[bool]:
    """Resolve a declared attack: what it provokes first, then the attack itself; return whether it hit.

    An unarmed attack provokes from an armed target, ignoring a threat that the attacker has moved into
    provokes from that opponent (woa.aoo.provoke.unarmed-attack, .ignoring-threat).
    """
    if blow.intent.maneuver:
        return (yield from maneuvers_as_attacks.carry_out(fight, blow))
    found = yield from resolve_interruptions_of_attack(fight, blow)
    if found is None:
        return False
    blow = found
    attacker, target = blow.attacker, blow.target
    if blow.weapon.ammunition is not None:
        yield from objects.spend_missile(fight, blow)
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


def resolve_interruptions_of_attack(fight: Fight, blow: Blow) -> Steps[Blow | None]:
    """Resolve readied acts and provoked attacks first; return the attack still possible afterwards, None if
    none is.

    After each interruption the attack is checked again; it may continue with another weapon in hand.
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
    yield from attack_modifiers.two_weapon_penalty(fight, actor, act)
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
        yield from step_between_attacks(fight, actor, act, later, len(blows))


def step_between_attacks(
    fight: Fight,
    actor: Combatant,
    act: acts.FullAttack,
    later: Sequence[tuple[acts.Strike, Sequence[Modifier]]],
    done: int,
) -> Steps[None]:
    """Take the short step between the attacks of a full attack, and make the rest of them.

    Attacks that have become impossible are lost (woa.attack.full-attack-step).
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


#: Rules that allow an attack in the round of a move.
AFTER_MOVE = ("woa.move.then-attack", "woa.movement.move-and-act", "woa.move.and-attack-options")


def is_charging(target: Combatant) -> bool:
    """Return whether a target charges this round, on foot, mounted or by a stunt with the same effect."""
    return any(name in target.conditions for name in ("charging", "stunting", "riding a charge"))


def blow_of_strike(
    fight: Fight, actor: Combatant, act: acts.FullAttack, one: acts.Strike, penalty: Sequence[Modifier]
) -> Blow:
    """Return the attack of one strike of a full attack. Refuse impossible strikes."""
    weapon = attack_modifiers.weapon_of_strike(fight, actor, find_weapon(fight, actor, one.weapon), one)
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
    aim_attack_at_part(fight, blow, one.part, "a full attack")
    return blow


def refuse_defensively(fight: Fight, wanted: bool) -> None:
    """Refuse fighting defensively, which these rules do not have."""
    if wanted:
        reason = "there is no fighting defensively: total defense replaces attacking"
        raise Refusal(reason, fight.rule("woa.total-defense.bonus"))


# --- Refused kinds of attacks and moves: lobbing at a square


def refuse_lob(fight: Fight, actor: Combatant, act: Attack) -> None:
    """Refuse to shoot or throw at a square without a target: indirect fire is for siege weapons.

    woa.range.direct-fire-only
    """
    if act.at is None:
        return
    if act.thrown or find_weapon(fight, actor, act.weapon).wield == "projectile":
        raise Refusal(
            "a shot or throw is aimed at a target, not at a spot", fight.rule("woa.range.direct-fire-only")
        )


PROHIBITIONS = (about((Attack,), refuse_lob),)


# --- Moving before and after an attack: Spring Attack, Shot on the Run (woa.feat.spring-attack, .shot-on-*)


def refuse_above_reach(fight: Fight, actor: Combatant, target: Combatant, weapon: Weapon) -> None:
    """Refuse a rush at a target that is higher up or lower down than the weapon reaches from any square."""
    apart = height_apart(actor, target)
    if apart > melee_band(actor, weapon)[1]:
        why = f"{target.id} is {apart} ft. higher or lower, out of the {weapon.name}'s reach"
        raise Refusal(why, fight.rule("woa.attack.melee-reach"))


def skirmish(fight: Fight, act: acts.Skirmish) -> Steps[None]:
    """Move, attack and move on within the combatant's speed, as a move and a standard action together.

    Spring Attack is for melee attacks, Shot on the Run for ranged ones. The movement provokes as usual
    (woa.feat.shot-on-the-run).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    weapon = find_weapon(fight, actor, act.weapon)
    feat = "spring attack" if strikes_in_melee(weapon) else "shot on the run"
    rule = fight.rule(f"feat.{feat.replace(' ', '-')}")
    refuse_unless_allowed(fight, actor, "standard")
    short = fight.dialect.turns.allowance(fight, actor).total < 2
    if short or actor.spent.get("standard") or actor.spent.get("move"):
        raise Refusal(f"{actor.id} needs a move and a standard action for {feat.title()}", rule)
    if not has_feat(actor, feat):
        raise Refusal(f"{actor.id} does not have the feat {feat.title()}", rule)
    refuse_after_step(fight, actor)
    refuse_lying(fight, actor)
    refuse_path(
        fight,
        actor,
        (*act.path, *act.onward),
        speed_with_burdens(fight, actor),
        fight.rule("woa.move.action"),
    )
    if strikes_in_melee(weapon) and not weapon.thrown:
        refuse_above_reach(fight, actor, target, weapon)
    yield ActionSpent(who=actor.id, kind="move", what=feat, cites=fight.rules("woa.move.action"))
    yield ActionSpent(who=actor.id, kind="standard", what=feat, cites=(rule, fight.rule("woa.attack.single")))
    legal = last_stop(fight, actor, (actor.at, *act.path))
    if act.path and not (yield from fight.dialect.movement.walk(fight, actor, act.path, feat, rule)):
        return
    making = partial(fight.dialect.attacks.prepare, fight, actor, target, kind="attack")
    blow = yield from fight.dialect.attacks.blow_at_end(fight, actor, weapon, making)
    if blow is not None:
        yield from fight.dialect.attacks.deliver(fight, blow)
    if act.onward and not is_down(fight, actor) and "prone" not in actor.conditions:
        yield from fight.dialect.movement.walk(fight, actor, act.onward, feat, rule, legal=legal)
    else:
        # An attacker that goes no further may not stay in a friend's space either.
        yield from fight.dialect.movement.step_aside(fight, actor, legal)
