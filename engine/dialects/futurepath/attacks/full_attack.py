"""Resolve the full attack in Futurepath: at once or attack by attack, with one weapon or two."""

from functools import partial
from typing import Final

from affray.engine.dialects.futurepath.attacks.attack_roll import (
    can_be_caught_unaware,
    catch_unaware,
    end_caught_unaware,
    fight_defensively,
    is_engaged,
    refuse_hopeless,
)
from affray.engine.dialects.futurepath.attacks.ranged_attacks import prepare_declared, volley_at_target
from affray.engine.dialects.futurepath.contested import old_only
from affray.engine.dialects.futurepath.turns.flow import is_limited_to_one
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.places import distance, in_band
from affray.engine.record.blow import Blow, Intent
from affray.engine.record.chapters import Attempt
from affray.engine.rules.attacks.aid import choose_aid_weapon, roll_aid
from affray.engine.rules.attacks.attack_roll import immune_to_criticals, refuse_untargetable
from affray.engine.rules.attacks.charge import refuse_swerving
from affray.engine.rules.attacks.declared_blow import deliver_planned
from affray.engine.rules.attacks.full_attack import (
    SECOND,
    iteratives,
    note_second_weapon,
    refuse_too_many,
    wield_with_another,
)
from affray.engine.rules.attacks.straight_charge import foreseen_attempt
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.gear.hands import melee_band, wields_two
from affray.engine.rules.gear.weapons_in_hand import find_weapon, plan_throws, refuse_more_shots
from affray.engine.rules.maneuvers.opposed_checks import charging_blow
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, refuse_prone, speed
from affray.engine.rules.turns.actions import (
    ATTACKS,
    OFF_HAND,
    has_acted,
    is_open,
    refuse_unless_allowed,
    spending,
)
from affray.engine.rules.turns.delay_and_ready import attack_is_lost
from affray.engine.steps import Refusal, Steps, reciting
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, Until
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- Declared attacks in Futurepath: one attack, fighting defensively, total defense, aid


def attack(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Make one attack as the attack action (futurepath.action.attack.definition).

    The game master may find that a surprised target is helpless
    (futurepath.condition.helpless.unaware-target).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, actor, "standard")
    weapon = find_weapon(fight, actor, act.weapon)
    blow = prepare_declared(
        fight, actor, target, weapon, "attack", thrown=act.thrown, nonlethal=act.nonlethal
    )
    refuse_hopeless(fight, blow)
    caught = can_be_caught_unaware(fight, blow) and (yield from catch_unaware(fight, blow))
    reach = "futurepath.attack.melee.reach" if blow.melee else "futurepath.attack.ranged.range-and-los"
    yield spending(
        fight, actor, "standard", "attack", *fight.rules("futurepath.action.attack.definition", reach)
    )
    if act.defensively:
        yield from fight_defensively(fight, actor, "melee" if blow.melee else "ranged")
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)
    if caught:
        yield from end_caught_unaware(fight, target, "attacked")


def total_defense(fight: Fight, act: acts.TotalDefense) -> Steps[None]:
    """Defend instead of attacking: +4 dodge to Defense for a round, as a move action.

    By the old reading it is an attack action. It helps from now on, including in the combatant's own move
    (futurepath.action.total-defense, .is-move-action, futurepath.action.total-defense.timing).
    """
    actor = fight.combatant(act.actor)
    as_move = fight.option("total_defense_action") == "move-action"
    kind = "move" if as_move else "standard"
    rule = fight.rule("futurepath.action.total-defense")
    # The action spent to ready this does not count as an attack.
    if actor.spent.get("standard") and as_move and fight.readied != actor.id:
        raise Refusal(f"{actor.id} has taken an attack action this round and cannot use total defense", rule)
    if "total-defense" in actor.conditions:
        raise Refusal(f"{actor.id} is in total defense already", rule)
    cost = fight.rules("futurepath.action.total-defense.is-move-action") if as_move else ()
    yield spending(fight, actor, kind, "total defense", rule, *cost)
    until = Until(
        "turn-start", actor.id, fight.state.round + fight.figure("futurepath.action.total-defense", "rounds")
    )
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:defense",
        stat="defense",
        modifier=fight.modifier(
            "futurepath.action.total-defense", "defense_dodge", kind="dodge", source="total defense"
        ),
        until=until,
        cites=(rule, fight.rule("futurepath.action.total-defense.timing")),
    )
    yield ConditionGained(
        who=actor.id, condition="total-defense", source="total defense", until=until, cites=(rule,)
    )


def aid(fight: Fight, act: acts.Aid) -> Steps[None]:
    """Help a friend against an opponent: an attack roll against Defense 10 gives +2 in its next turn.

    The friend is engaged with the opponent in melee, and the helper holds a weapon that reaches it.

    futurepath.attack.aid-another.precondition, .effect, futurepath.attack.aid-another.roll.
    """
    actor, friend, opponent = (fight.combatant(id) for id in (act.actor, act.friend, act.opponent))
    rule = fight.rule("futurepath.attack.aid-another.precondition")
    if friend.side != actor.side or friend is actor or opponent.side == actor.side:
        raise Refusal(
            f"{actor.id} can aid a friend against an opponent, not {friend.id} against {opponent.id}", rule
        )
    weapon = choose_aid_weapon(fight, actor, opponent, act.weapon, rule)
    if not is_engaged(fight, friend, opponent):
        raise Refusal(f"{opponent.id} is not engaged with {friend.id}", rule)
    blow = Blow(actor, opponent, weapon, True, distance(actor, opponent), Intent("aid"))
    refuse_untargetable(fight, blow)
    refuse_hopeless(fight, blow)
    yield spending(fight, actor, "standard", "aid another", rule)
    if not (yield from roll_aid(fight, blow)):
        return
    topic = "futurepath.attack.aid-another.effect"
    yield EffectGained(
        who=friend.id,
        id=f"{fight.declaration}:aid",
        stat=act.benefit,
        modifier=fight.modifier(topic, "bonus", kind="circumstance", source=f"aid from {actor.id}"),
        until=Until("turn-end", friend.id, fight.state.round + has_acted(fight, friend)),
        against=opponent.id,
        cites=fight.rules(topic),
    )


# --- Charging in Futurepath: the rush and the one attack at its end (futurepath.action.charge.*)

BONUS: Final = "futurepath.action.charge.attack-bonus"


def charge(fight: Fight, act: acts.Charge) -> Steps[None]:
    """Rush straight at an opponent, up to double speed, and attack once at +2; -2 Defense for a round.

    The rush covers at least 10 feet, to the first square in reach; a special attack may replace the attack
    (futurepath.action.charge.*, futurepath.action.disarm-grapple-trip-replace-attack).
    """
    mover, target = fight.combatant(act.actor), fight.combatant(act.target)
    kind, rule, most = refuse_no_rush(fight, mover)
    weapon = find_weapon(fight, mover, act.weapon)
    refuse_path(fight, mover, act.path, most, rule)
    if act.special:
        plan = fight.dialect.maneuvers.substitutes[act.special]
        weapon = foreseen_attempt(fight, mover, act, plan, act.path[-1], False).blow.weapon
    refuse_no_charge(fight, mover, target, act.path, weapon)
    if not act.special:
        refuse_hopeless_charge(fight, act, weapon)
    yield from begin_rush(fight, mover, target, kind, rule)
    if not (yield from fight.dialect.movement.walk(fight, mover, act.path, "charge", rule)):
        return
    attempt = yield from attack_at_end(fight, mover, target, act, weapon)
    if attempt is None:
        return
    source = "charging"
    attempt.blow.attack_extra.append(fight.modifier(BONUS, "attack", kind="moderate", source=source))
    if act.special:
        yield from fight.dialect.maneuvers.substitutes[act.special].carry_out(fight, attempt)
    else:
        yield from fight.dialect.attacks.deliver(fight, attempt.blow, fight.declaration)


def refuse_hopeless_charge(fight: Fight, act: acts.Charge, weapon: Weapon) -> None:
    """Refuse a charge after which no attack would be possible in the present situation.

    futurepath.cover.total, futurepath.disadvantage.no-attack-at-minus-20
    """
    there = fight.apart()
    striker = there.combatant(act.actor)
    striker.at = act.path[-1]
    blow_of_charge(there, striker, there.combatant(act.target), weapon)


def blow_of_charge(fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon) -> Blow:
    """Return the attack at the end of a charge. Refuse impossible ones."""
    blow = charging_blow(fight, attacker, target, weapon)
    refuse_hopeless(fight, blow)
    return blow


def attack_at_end(
    fight: Fight, mover: Combatant, target: Combatant, act: acts.Charge, weapon: Weapon
) -> Steps[Attempt | None]:
    """Return the attack at the end of a charge, or the special one in its place; None if it is lost."""
    if not act.special:
        blow = yield from fight.dialect.attacks.blow_at_end(
            fight, mover, weapon, partial(blow_of_charge, fight, mover, target)
        )
        return None if blow is None else Attempt(blow)
    plan = fight.dialect.maneuvers.substitutes[act.special]
    try:
        return plan.prepare(fight, mover, target, act.weapon, act.item, "charge")
    except Refusal as lost:
        yield attack_is_lost(mover, lost)
        return None


def refuse_no_rush(fight: Fight, mover: Combatant) -> tuple[str, str, int]:
    """Return the action for a rush, its rule and its maximum in feet. Refuse combatants that cannot rush.

    A combatant limited to one action charges up to single speed (futurepath.action.charge.move-first,
    futurepath.action.charge.single-action-limit, futurepath.action.charge.no-5-foot-step).
    """
    restricted = is_limited_to_one(fight, mover)
    kind, topic = ("standard", "single-action-limit") if restricted else ("full-round", "move-first")
    if mover.spent.get("step") and not restricted:
        step = fight.rule("futurepath.action.charge.no-5-foot-step")
        raise Refusal(f"{mover.id} has taken a 5-foot step this round and cannot charge", step)
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    multiple = int(fight.figure(f"action.charge.{topic}", "max_speed_multiple"))
    return kind, fight.rule(f"action.charge.{topic}"), speed(fight, mover) * multiple


def begin_rush(fight: Fight, mover: Combatant, target: Combatant, kind: str, rule: str) -> Steps[None]:
    """Spend the action of a charge, with -2 Defense until the next turn.

    futurepath.action.charge.full-round, futurepath.action.charge.defense-penalty,
    futurepath.action.single-action-restriction, futurepath.action.charge.one-attack
    """
    cites = fight.rules(
        "futurepath.action.charge.full-round",
        "futurepath.action.charge.straight-line",
        "futurepath.action.charge.stop-in-reach",
        *(("futurepath.action.single-action-restriction",) if kind == "standard" else ()),
        *(("futurepath.action.charge.one-attack",) if has_several_attacks(fight, mover) else ()),
    )
    yield spending(fight, mover, kind, "charge", rule, *cites)
    penalty = "futurepath.action.charge.defense-penalty"
    until = Until("turn-start", mover.id, fight.state.round + int(fight.figure(penalty, "rounds")))
    yield EffectGained(
        who=mover.id,
        id=f"{fight.declaration}:charge",
        stat="defense",
        modifier=fight.modifier(penalty, "defense", kind="penalty", source="charging"),
        until=until,
        cites=fight.rules(penalty),
    )
    yield ConditionGained(who=mover.id, condition="charging", source=target.id, until=until, cites=cites[:1])


def has_several_attacks(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a full attack would give a combatant more than one attack."""
    many = old_only(fight) or has_feat(combatant, "extra attack")
    return wields_two(combatant) or (many and len(iteratives(fight, combatant.sheet.base_attack)) > 1)


def refuse_no_charge(
    fight: Fight, mover: Combatant, target: Combatant, path: tuple[Square, ...], weapon: Weapon
) -> None:
    """Refuse a charge that is too short, crooked, or does not stop at the first square in reach."""
    refuse_short_or_swerving(fight, mover, path)
    least, most = melee_band(mover, weapon)
    reach = fight.rule("futurepath.action.charge.stop-in-reach")
    if not in_band(path[-1], mover.space, target.at, target.space, least, most):
        raise Refusal(f"the charge does not end within reach of {target.id}", reach)
    for square in path[:-1]:
        if in_band(square, mover.space, target.at, target.space, least, most):
            raise Refusal(f"the charge must stop at the first square in reach of {target.id}", reach)


def refuse_short_or_swerving(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> None:
    """Refuse a charge of less than 10 feet, and one that leaves its line.

    futurepath.action.charge.move-first, futurepath.action.charge.straight-line
    """
    least = fight.figure("futurepath.action.charge.move-first", "min_ft")
    if len(path) * SQUARE_FT < least:
        raise Refusal(
            f"a charge covers at least {least} ft.", fight.rule("futurepath.action.charge.move-first")
        )
    refuse_swerving(mover, path, fight.rule("futurepath.action.charge.straight-line"))


# --- The coup de grace in Futurepath: against the helpless, and those caught unaware


def finish(fight: Fight, act: acts.CoupDeGrace, finishing: Steps[None]) -> Steps[None]:
    """Finish a helpless foe in melee, or with a shot from an adjacent square; a full-round action.

    A surprised target may be helpless, as the game master decides, but not one in combat
    (futurepath.attack.helpless.melee-or-adjacent, futurepath.attack.coup-de-grace.immune,
    futurepath.condition.helpless.unaware-target, futurepath.condition.helpless.not-if-alert).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, actor, "full-round")
    if not is_helpless(fight, target):
        weapon = find_weapon(fight, actor, act.weapon)
        blow = fight.dialect.attacks.prepare(fight, actor, target, weapon, "coup de grace")
        if not can_be_caught_unaware(fight, blow):
            alert = fight.rule("futurepath.condition.helpless.not-if-alert")
            raise Refusal(f"{target.id} is not helpless", alert)
        if immune_to_criticals(fight, blow):
            immune = fight.rule("futurepath.attack.coup-de-grace.immune")
            raise Refusal(f"{target.id} is immune to critical hits", immune)
        if not (yield from catch_unaware(fight, blow)):
            return
    allowed = fight.rule("futurepath.attack.helpless.melee-or-adjacent")
    yield from reciting(finishing, ActionSpent, allowed)
    yield from end_caught_unaware(fight, target, "attacked")


# --- Two weapons in Futurepath: which hand strikes with which, and the penalties

LIGHT: Final = "futurepath.attack.two-weapon.light-off-hand"
FEAT: Final = "futurepath.attack.two-weapon.feat"


def second_weapon(fight: Fight, actor: Combatant, act: acts.FullAttack) -> Weapon | None:
    """Return the off hand's weapon that strikes along with another, now or later; None if one strikes alone.

    A double weapon is in both hands (futurepath.attack.double-weapon). Refuse one for later that is not in
    the off hand (futurepath.attack.two-weapon.penalties).
    """
    name = act.second or noted_weapon(actor)
    hands = [of_off_hand(fight, actor, one) for one in act.strikes]
    if not name:
        both = None in hands
        return next((one for one in hands if one is not None), None) if both else None
    found = find_weapon(fight, actor, name)
    weapon = (
        get_off_hand_end(fight, actor, found) if can_serve_both_hands(found) else off_hand(actor, found.name)
    )
    if weapon is None:
        rule = fight.rule("futurepath.attack.two-weapon.penalties")
        raise Refusal(f"the {name} is not in {actor.id}'s off hand", rule)
    return weapon


def noted_weapon(actor: Combatant) -> str:
    """Return the off hand's weapon of a full attack begun with two weapons, "" if there is none."""
    return next((one.modifier.source for one in actor.effects if one.stat == SECOND), "")


def off_hand(combatant: Combatant, name: str) -> Weapon | None:
    """Return the weapon of that name if it is held in the off hand."""
    return next((one for one in combatant.sheet.weapons if one.name == name and one.off_hand), None)


def can_serve_both_hands(weapon: Weapon) -> bool:
    """Return whether a weapon can strike with both hands: a double weapon, and hands and feet."""
    return "double" in weapon.traits or weapon.wield == "unarmed"


def get_off_hand_end(fight: Fight, combatant: Combatant, weapon: Weapon) -> Weapon:
    """Return a double weapon, or bare hands, as the off hand uses it: as a light weapon.

    futurepath.attack.double-weapon, futurepath.attack.unarmed.counts-light
    """
    return wield_with_another(fight, weapon, True)


def of_off_hand(fight: Fight, combatant: Combatant, strike: acts.Strike) -> Weapon | None:
    """Return the off hand's weapon of a strike; None for a strike with the main hand.

    Refuse to strike with the off hand using a weapon in the main hand.
    """
    if not strike.off_hand:
        return off_hand(combatant, strike.weapon)
    weapon = find_weapon(fight, combatant, strike.weapon)
    if weapon.off_hand:
        return weapon
    if not can_serve_both_hands(weapon):
        rule = fight.rule("futurepath.attack.two-weapon.penalties")
        raise Refusal(f"the {weapon.name} is not in {combatant.id}'s off hand", rule)
    return get_off_hand_end(fight, combatant, weapon)


def wielded(fight: Fight, combatant: Combatant, strike: acts.Strike, second: Weapon | None) -> Weapon:
    """Return the weapon of a strike as wielded: each end of a double weapon as a separate weapon."""
    weapon = find_weapon(fight, combatant, strike.weapon)
    if strike.off_hand:
        return of_off_hand(fight, combatant, strike) or weapon
    if second is not None and "double" in weapon.traits and not weapon.off_hand:
        return wield_with_another(fight, weapon, False)
    return weapon


def is_light(second: Weapon) -> bool:
    """Return whether the off hand's weapon is light: bare hands and the other end of a double weapon are.

    futurepath.attack.two-weapon.light-off-hand, futurepath.attack.double-weapon
    """
    return second.wield in ("light", "unarmed") or "double" in second.traits


def rules_of_two_weapons(fight: Fight, combatant: Combatant, second: Weapon) -> tuple[str, ...]:
    """Return the rules that reduce the penalties of fighting with two weapons.

    futurepath.attack.two-weapon.penalties, futurepath.attack.two-weapon.light-off-hand,
    futurepath.attack.two-weapon.feat, futurepath.attack.double-weapon, futurepath.attack.unarmed.counts-light
    """
    topics = ["futurepath.attack.two-weapon.penalties"]
    if "double" in second.traits:
        topics.append("futurepath.attack.double-weapon")
    elif second.wield == "unarmed":
        topics.append("futurepath.attack.unarmed.counts-light")
    if is_light(second):
        topics.append(LIGHT)
    if has_feat(combatant, "two-weapon fighting"):
        topics.append(FEAT)
    return fight.rules(*topics)


def two_weapon_penalties(
    fight: Fight, combatant: Combatant, second: Weapon | None
) -> tuple[Modifier, Modifier]:
    """Return the penalties of the main hand and the off hand when two weapons are used.

    The table sums up the text: base penalties, reduced by a light weapon and the feat.

    futurepath.table.two-weapon-fighting-penalties, futurepath.attack.two-weapon.penalties,
    futurepath.attack.two-weapon.light-off-hand, futurepath.attack.two-weapon.feat.
    """
    light = second is not None and is_light(second)
    feat = has_feat(combatant, "two-weapon fighting")
    row = {
        (False, False): "normal penalties",
        (True, False): "off-hand weapon is light",
        (False, True): "Two-Weapon Fighting feat",
        (True, True): "off-hand weapon is light and Two-Weapon Fighting feat",
    }[light, feat]
    topic = "futurepath.table.two-weapon-fighting-penalties"
    found = []
    for hand, name in (("primary", "main hand"), ("off_hand", "off hand")):
        summed = fight.figure("futurepath.attack.two-weapon.penalties", hand)
        for eased, by in ((light, LIGHT), (feat, FEAT)):
            summed += fight.figure(by, f"reduction_{hand}") if eased else 0
        printed = fight.figure(topic, f"circumstances={row}", hand)
        # As printed they agree; if a house rule changes one of them, its figure counts.
        value = max(printed, summed)
        found.append(Modifier(value, "penalty", f"two weapons, {name}", fight.rule(topic)))
    return found[0], found[1]


def full_attack(fight: Fight, act: acts.FullAttack) -> Steps[None]:
    """Make every attack of a full attack in the order declared, or some; dead targets are skipped.

    Attacks left over stay available: another full attack of the turn continues with them, and its targets
    need not have been named before. By the new rules more than one attack for a high base attack bonus needs
    the feat Extra Attack; a second weapon in the off hand gives one more, and either hand may strike first
    (futurepath.action.full-attack.*).
    """
    actor = fight.combatant(act.actor)
    going_on = bool(actor.spent) and is_open(actor)
    if going_on:
        refuse_other_terms(fight, actor, act)
    else:
        refuse_unless_allowed(fight, actor, "full-round")
    rule = fight.rule("futurepath.action.full-attack.requirement")
    if not act.strikes:
        raise Refusal("a full attack names no target", rule)
    extra = fight.dialect.attacks.attack_series(fight, actor, act)
    short = "extra-attack-feat" if len(extra) == 1 else "requirement"
    refuse_too_many(actor, len(extra), act, fight.rule(f"futurepath.action.full-attack.{short}"))
    second = second_weapon(fight, actor, act)
    blows = planned_blows(fight, actor, act, extra, second)
    refuse_more_shots(fight, actor, blows)
    plan_throws(fight, actor, blows)
    first: list[object] = []
    if not going_on:
        struck = [one.blow if isinstance(one, Attempt) else one for one in blows]
        first.append(spend_full_round(fight, actor, act, struck, (rule, *several_attacks(struck, extra))))
    open_ = len(extra) > len(blows)
    off = sum(second is not None and of_off_hand(fight, actor, one) is not None for one in act.strikes)
    if going_on or open_:
        first += make_attacks_spent_facts(fight, actor, act, off, len(extra), going_on)
    if open_ and second is not None and not going_on:
        first.append(note_second_weapon(fight, actor, second.name))
    if act.defensively:
        first += fight_defensively(fight, actor, "full-attack")
    return deliver_planned(fight, actor, act, blows, first)


def planned_blows(
    fight: Fight,
    actor: Combatant,
    act: acts.FullAttack,
    extra: list[list[Modifier]],
    second: Weapon | None,
) -> list[Blow | Attempt]:
    """Return the attacks and special attacks of the strikes. Refuse impossible ones."""
    blows: list[Blow | Attempt] = []
    for strike, parts in zip(act.strikes, extra, strict=False):
        if strike.special:
            target = fight.combatant(strike.target)
            plan = fight.dialect.maneuvers.substitutes[strike.special]
            attempt = plan.prepare(fight, actor, target, strike.weapon, strike.item, "full")
            attempt.blow.attack_extra.extend(parts)
            blows.append(attempt)
            continue
        weapon = wielded(fight, actor, strike, second)
        if strike.autofire or strike.bullets:
            blow = volley_at_target(fight, act, weapon, strike, act.nonlethal)
        else:
            target = fight.combatant(strike.target)
            blow = prepare_declared(
                fight, actor, target, weapon, "full", thrown=strike.thrown, nonlethal=act.nonlethal
            )
        blow.attack_extra.extend(parts)
        if second is not None:
            blow.cites += rules_of_two_weapons(fight, actor, second)
        refuse_hopeless(fight, blow)
        blows.append(blow)
    return blows


def spend_full_round(
    fight: Fight, actor: Combatant, act: acts.FullAttack, blows: list[Blow], topics: tuple[str, ...]
) -> ActionSpent:
    """Return the fact that the turn is used for a full attack, which a 5-foot step may precede.

    futurepath.action.full-attack.requirement, futurepath.action.full-attack.extra-attack-feat,
    futurepath.action.full-attack.two-weapon-order, futurepath.action.full-attack.5-foot-step
    """
    feat = () if old_only(fight) else ("futurepath.action.full-attack.extra-attack-feat",)
    begins_off = second_weapon(fight, actor, act) is not None and blows[0].weapon.off_hand
    order = ("futurepath.action.full-attack.two-weapon-order",) if begins_off else ()
    step = ("futurepath.action.full-attack.5-foot-step",) if actor.spent.get("step") else ()
    cites = fight.rules(*topics, *feat, *order, *step)
    return ActionSpent(who=actor.id, kind="full-round", what="full attack", cites=cites)


def several_attacks(blows: list[Blow], extra: list[list[Modifier]]) -> tuple[str, ...]:
    """Return the topics by which more than one attack takes a full attack, in melee or at range.

    futurepath.attack.multiple-requires-full-attack, futurepath.attack.ranged.multiple-requires-full-attack
    """
    if len(extra) < 2:
        return ()
    melee = ("futurepath.attack.multiple-requires-full-attack",) if any(one.melee for one in blows) else ()
    ranged = "futurepath.attack.ranged.multiple-requires-full-attack"
    return melee if all(one.melee for one in blows) else (*melee, ranged)


def refuse_other_terms(fight: Fight, actor: Combatant, act: acts.FullAttack) -> None:
    """Refuse to add in the middle of a full attack what applies to all of it: a second weapon, defensive
    fighting.
    """
    check_turn(fight, actor)
    new = second_weapon(fight, actor, act) is not None and not noted_weapon(actor)
    if act.defensively or act.second or new:
        rule = fight.rule("futurepath.action.full-attack.requirement")
        what = "fighting defensively" if act.defensively else "a second weapon"
        raise Refusal(f"{what} must be declared before the first attack of a full attack", rule)


def make_attacks_spent_facts(
    fight: Fight, actor: Combatant, act: acts.FullAttack, off: int, left: int, going_on: bool
) -> list[ActionSpent]:
    """Return how many attacks of each hand this part uses, for a later part to continue from.

    futurepath.action.full-attack.order, .targets
    """
    what = f"{len(act.strikes)} of {counted(left, 'attack')}"
    later = ("futurepath.action.full-attack.targets",) if going_on else ()
    cites = fight.rules("futurepath.action.full-attack.order", *later)
    used = ((ATTACKS, len(act.strikes) - off), (OFF_HAND, off))
    return [
        ActionSpent(who=actor.id, kind=kind, what=what, amount=many, cites=cites)
        for kind, many in used
        if many
    ]


def full_attacks(fight: Fight, actor: Combatant, act: acts.FullAttack) -> list[list[Modifier]]:
    """Return the modifiers of each attack that a full attack allows: those of its strikes, then the rest.

    futurepath.action.full-attack.order, .two-weapon-order, futurepath.attack.two-weapon.penalties,
    .light-off-hand, .feat
    """
    many = old_only(fight) or has_feat(actor, "extra attack")
    steps = iteratives(fight, actor.sheet.base_attack) if many else [0]
    rule = fight.rule("futurepath.assumed.iterative-attacks")
    main = [
        [Modifier(fall, "base", f"attack {number}", rule)] if fall else []
        for number, fall in enumerate(steps, 1)
    ]
    off: list[list[Modifier]] = []
    second = second_weapon(fight, actor, act)
    if second is not None:
        primary, other = two_weapon_penalties(fight, actor, second)
        main, off = [[*row, primary] for row in main], [[other]]
    if is_open(actor):
        main, off = main[actor.spent.get(ATTACKS, 0) :], off[actor.spent.get(OFF_HAND, 0) :]
    if len(act.strikes) > len(main) + len(off):
        return [*main, *off]
    rows = []
    for one in act.strikes:
        hand = off if second is not None and of_off_hand(fight, actor, one) else main
        if not hand:
            which, topic = (
                ("off hand", "futurepath.attack.two-weapon.penalties")
                if hand is off
                else ("main hand", "futurepath.action.full-attack.requirement")
            )
            raise Refusal(f"{actor.id} has no attack of the {which} left", fight.rule(topic))
        rows.append(hand.pop(0))
    return [*rows, *main, *off]
