"""The full attack in Futurepath: whole or attack by attack, with one weapon or two, either hand first."""

from typing import Any

from affray.engine.dialects.futurepath.attacks.attack_roll import refuse_hopeless
from affray.engine.dialects.futurepath.attacks.autofire import volley_at_target
from affray.engine.dialects.futurepath.attacks.defensively import fight_defensively
from affray.engine.dialects.futurepath.attacks.prepared import prepare_declared
from affray.engine.dialects.futurepath.attacks.two_weapon_fighting import (
    noted_weapon,
    of_off_hand,
    rules_of_two_weapons,
    second_weapon,
    two_weapon_penalties,
    wielded,
)
from affray.engine.dialects.futurepath.contested import old_only
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.attacks.attack_action import deliver_planned
from affray.engine.rules.attacks.attack_series import iteratives, refuse_too_many
from affray.engine.rules.attacks.two_weapon_fighting import second_weapon_noted
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.loading import refuse_more_shots
from affray.engine.rules.gear.thrown_weapons import plan_throws
from affray.engine.rules.turns.action_budget import (
    ATTACKS,
    OFF_HAND,
    check_turn,
    is_open,
    refuse_unless_allowed,
)
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.events.wording import counted
from affray.projections.state import Combatant


def full_attack(fight: Fight, act: acts.FullAttack) -> Steps[None]:
    """Make every attack of a full attack in the order declared, or some; a dead target is passed over.

    What is left over stays open: another full attack of the turn goes on with it, at targets that need not
    have been named before. By the new rules more than one attack for a high base attack bonus needs the feat
    Extra Attack; a second weapon in the off hand gives one more, and either may strike first
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
    first: list[Any] = []
    if not going_on:
        struck = [one.blow if isinstance(one, Attempt) else one for one in blows]
        first.append(spend_full_round(fight, actor, act, struck, (rule, *several_attacks(struck, extra))))
    open_ = len(extra) > len(blows)
    off = sum(second is not None and of_off_hand(fight, actor, one) is not None for one in act.strikes)
    if going_on or open_:
        first += attacks_noted(fight, actor, act, off, len(extra), going_on)
    if open_ and second is not None and not going_on:
        first.append(second_weapon_noted(fight, actor, second.name))
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
    """Return the blows and special attacks that the strikes mean. Refuses what cannot be tried."""
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
    """Return the fact that the turn goes into a full attack, which a 5-foot step may go before.

    futurepath.action.full-attack.requirement, futurepath.action.full-attack.extra-attack-feat,
    futurepath.action.full-attack.two-weapon-order, futurepath.action.full-attack.5-foot-step.
    """
    feat = () if old_only(fight) else ("futurepath.action.full-attack.extra-attack-feat",)
    begins_off = second_weapon(fight, actor, act) is not None and blows[0].weapon.off_hand
    order = ("futurepath.action.full-attack.two-weapon-order",) if begins_off else ()
    step = ("futurepath.action.full-attack.5-foot-step",) if actor.spent.get("step") else ()
    cites = fight.rules(*topics, *feat, *order, *step)
    return ActionSpent(who=actor.id, kind="full-round", what="full attack", cites=cites)


def several_attacks(blows: list[Blow], extra: list[list[Modifier]]) -> tuple[str, ...]:
    """Return the topics by which more than one attack takes a full attack, in melee or at range.

    futurepath.attack.multiple-requires-full-attack, futurepath.attack.ranged.multiple-requires-full-attack.
    """
    if len(extra) < 2:
        return ()
    melee = ("futurepath.attack.multiple-requires-full-attack",) if any(one.melee for one in blows) else ()
    ranged = "futurepath.attack.ranged.multiple-requires-full-attack"
    return melee if all(one.melee for one in blows) else (*melee, ranged)


def refuse_other_terms(fight: Fight, actor: Combatant, act: acts.FullAttack) -> None:
    """Refuse to begin in the middle of a full attack what holds for all of it: a second weapon, a guard."""
    check_turn(fight, actor)
    new = second_weapon(fight, actor, act) is not None and not noted_weapon(actor)
    if act.defensively or act.second or new:
        rule = fight.rule("futurepath.action.full-attack.requirement")
        what = "fighting defensively" if act.defensively else "a second weapon"
        raise Refusal(f"{what} is declared before the first attack of a full attack", rule)


def attacks_noted(
    fight: Fight, actor: Combatant, act: acts.FullAttack, off: int, left: int, going_on: bool
) -> list[ActionSpent]:
    """Return how many attacks of each hand this part uses, so that a later part goes on from there.

    futurepath.action.full-attack.order, .targets.
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
    .light-off-hand, .feat.
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
