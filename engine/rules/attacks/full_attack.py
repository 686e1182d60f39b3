"""The full attack, attack by attack: series of both hands, extra attacks, and going on or breaking off.

A full attack may be declared whole or in parts. Each part strikes with the next attacks of the series;
between them there is room for a 5-foot step, and after the very first attack the rest may be given up for
a move action (srd35.full-attack.order, srd35.full-attack.step, srd35.full-attack.decide, pf1.full-attack,
pf1.full-attack.stop).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import FLURRY, WHIRLWIND, Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.attacks import attack_action, attack_series, many_arms, two_weapon_fighting
from affray.engine.rules.attacks.attack_series import refuse_too_many
from affray.engine.rules.attacks.multiweapon_mastery import is_superior
from affray.engine.rules.attacks.natural_weapons import main_hand_used, refuse_hands_after_limbs, struck_with
from affray.engine.rules.classes.feat_prerequisites import refuse_without
from affray.engine.rules.gear.loading import refuse_more_shots
from affray.engine.rules.gear.thrown_weapons import plan_throws
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.turns.action_budget import (
    ATTACKS,
    LIMB,
    OFF_HAND,
    check_turn,
    is_open,
    refuse_unless_allowed,
)
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import ActionSpent
from affray.events.facts.modifier import Modifier
from affray.events.wording import counted
from affray.projections.state import Combatant

RAPID = "rapid shot"
Rows = list[list[Modifier]]


def full_attack_in_parts(fight: Fight, actor: Combatant, act: acts.FullAttack) -> Steps[None]:
    """Return the steps of the attacks of a full attack, or of some, in the order declared. Refuses at once.

    A target that is dead is passed over (srd35.attack-action.multiple, pf1.full-attack).
    """
    rule = fight.rule("attack-action.multiple")
    going_on = bool(actor.spent) and is_open(actor)
    if going_on:
        refuse_another_way(fight, actor, act)
    else:
        refuse_unless_allowed(fight, actor, "full-round")
    if not act.strikes:
        raise Refusal("a full attack names no target", rule)
    second = two_weapon_fighting.second_weapon(fight, actor, act)
    rows = fight.dialect.attacks.attack_series(fight, actor, act)
    refuse_too_many(actor, len(rows), act, rule)
    planned: list[Blow | Attempt] = []
    blows: list[Blow] = []
    shots = False
    for one, row in zip(act.strikes, rows, strict=False):
        meant = blow_or_attempt(fight, actor, act, one, row, second)
        planned.append(meant)
        blow = meant.blow if type(meant) is Attempt else meant
        blows.append(blow)
        shots = shots or not blow.melee
    pledged = fight.dialect.attacks.declared_feats(fight, actor, act, blows)
    first: list[Any] = []
    throws: list[Any] = []
    if shots:
        refuse_more_shots(fight, actor, blows)
        throws = plan_throws(fight, actor, planned, second, hands_used(fight, actor, act))
    if not going_on:
        first += fight.dialect.attacks.begin_full_attack(fight, actor, act, second, len(rows))
    open_ = len(rows) > len(planned)
    if going_on or open_:
        first += note_attacks_used(fight, actor, act, second, len(rows))
        first += throws
    if open_ and second and not going_on:
        first.append(two_weapon_fighting.second_weapon_noted(fight, actor, second))
    first += pledged
    if act.defensively:
        first += attack_action.fight_defensively(fight, actor)
    return attack_action.deliver_planned(fight, actor, act, planned, first)


def blow_or_attempt(
    fight: Fight, actor: Combatant, act: acts.FullAttack, one: acts.Strike, row: list[Modifier], second: str
) -> Blow | Attempt:
    """Return the blow or the special attack that one strike means. Refuses what cannot be struck."""
    target = fight.combatant(one.target)
    if one.special:
        plan = fight.dialect.maneuvers.substitutes[one.special]
        kind = WHIRLWIND if act.whirlwind else "full"
        attempt = plan.prepare(fight, actor, target, one.weapon, one.item, kind)
        attempt.blow.attack_extra.extend(row)
        return attempt
    weapon = find_weapon(fight, actor, one.weapon)
    if second:
        off = is_off_hand(fight, actor, one) and not is_superior(actor)
        weapon = two_weapon_fighting.wielded_with_another(fight, weapon, off)
    if weapon.traits:
        weapon = fight.dialect.gear.hurled(fight, weapon)
    kind = WHIRLWIND if act.whirlwind else FLURRY if act.flurry else "full"
    blow = fight.dialect.attacks.prepare(
        fight, actor, target, weapon, kind, thrown=one.thrown, nonlethal=act.nonlethal
    )
    if one.stunning:
        blow.intent = replace(blow.intent, stunning=True)
    blow.attack_extra.extend(row)
    return blow


def refuse_flurry_midway(fight: Fight, actor: Combatant, act: acts.FullAttack) -> None:
    """Refuse to begin or to end a flurry in the middle of a full attack.

    srd35.full-attack.order, pf1.full-attack.
    """
    began = any(effect.id.endswith(f":{FLURRY}") for effect in actor.effects)
    if began != act.flurry:
        raise Refusal("a flurry is settled before the first attack", fight.rule("full-attack.order"))


def series_of_hands(fight: Fight, actor: Combatant, act: acts.FullAttack) -> Rows:
    """Return the modifiers of each attack that a full attack allows: those of its strikes, then the rest.

    Iterative attacks fall by 5, and come from the highest bonus down; the off hand has a series of its own,
    and either hand may begin (srd35.full-attack.order, pf1.full-attack).
    """
    second = two_weapon_fighting.second_weapon(fight, actor, act)
    main = attack_series.iterative_parts(fight, actor.sheet.base_attack)
    rapid = act.rapid_shot or (bool(actor.effects) and shoots_rapidly(actor))
    if not second and not rapid and not (actor.spent and is_open(actor)):
        return main
    if rapid:
        extra = fight.figure("feat.rapid-shot", "extra_attacks")
        main = [*([] for _ in range(extra)), *main]
    off: Rows = []
    if second:
        light, _ = lightness(fight, actor, act, second)
        hands = off_hands(fight, actor, act, second)
        refuse_twice(fight, actor, act, hands)
        main = [
            [*row, *fight.dialect.attacks.two_weapon_parts(fight, actor, light, "primary")] for row in main
        ]
        off = [
            [*row, *fight.dialect.attacks.two_weapon_parts(fight, actor, light, "off_hand")]
            for row in fight.dialect.attacks.off_hand_series(fight, actor, len(hands))
        ]
    main, off = main[main_hand_used(actor) :], off[actor.spent.get(OFF_HAND, 0) :]
    rows = []
    for one in act.strikes:
        hand = off if second and is_off_hand(fight, actor, one) else main
        if not hand:
            which = "off hand" if hand is off else "main hand"
            raise Refusal(f"{actor.id} has no attack of the {which} left", fight.rule("full-attack.order"))
        rows.append(hand.pop(0))
    return [*rows, *main, *off]


def hands_used(fight: Fight, combatant: Combatant, act: acts.FullAttack) -> list[bool]:
    """Return of each strike of a full attack whether it is one of the off hand."""
    return [is_off_hand(fight, combatant, one) for one in act.strikes]


def is_off_hand(fight: Fight, combatant: Combatant, one: acts.Strike) -> bool:
    """Say whether a strike is one of the off hand: it says so, or its weapon is held there."""
    return one.off_hand or find_weapon(fight, combatant, one.weapon).off_hand


def lightness(fight: Fight, actor: Combatant, act: acts.FullAttack, second: str) -> tuple[bool, bool]:
    """Say whether the weapon of the off hand (of several, every one) is light, and whether any is thrown."""
    thrown = any(two_weapon_fighting.is_throw(fight, actor, one) for one in act.strikes)
    found = (find_weapon(fight, actor, name) for name in off_hands(fight, actor, act, second))
    return all(two_weapon_fighting.is_light(fight, weapon, thrown) for weapon in found), thrown


def off_hands(fight: Fight, actor: Combatant, act: acts.FullAttack, second: str) -> tuple[str, ...]:
    """Return the names of the weapons in the off hands: one, or with more arms one in each of the others."""
    if not many_arms.many_armed(actor):
        return (second,)
    firsts = (one for one in act.strikes if not one.special and not is_off_hand(fight, actor, one))
    first = next((find_weapon(fight, actor, one.weapon).name for one in firsts), "")
    return many_arms.off_hand_weapons(
        actor, first or next((one for one in actor.held if one != second), ""), second
    )


def refuse_twice(fight: Fight, actor: Combatant, act: acts.FullAttack, hands: tuple[str, ...]) -> None:
    """Refuse to strike twice with one of several off hands, or with more weapons than there are arms for."""
    if len(hands) < 2:
        return
    rule = fight.rule(many_arms.TOPIC)
    off = [find_weapon(fight, actor, one.weapon).name for one in act.strikes if one.off_hand]
    for name in hands:
        if off.count(name) > 1:
            raise Refusal(f"the {name} has an off hand of its own and strikes once with it", rule)
    held = [one for one in actor.sheet.weapons if one.name in actor.held]
    if sum(weapon.hands for weapon in held) > many_arms.arms_of(actor):
        arms = many_arms.arms_of(actor)
        raise Refusal(f"{actor.id} has {arms} arms, too few for all that it holds", rule)


def note_attacks_used(
    fight: Fight, actor: Combatant, act: acts.FullAttack, second: str, left: int
) -> Iterator[ActionSpent]:
    """Tell how many attacks of the series this part uses, so that a later part goes on from there."""
    off = sum(bool(second) and is_off_hand(fight, actor, one) for one in act.strikes)
    what = f"{len(act.strikes)} of {counted(left, 'attack')}"
    limbs = Counter(f"{LIMB}{weapon.name}" for weapon in struck_with(fight, actor, act) if weapon is not None)
    for kind, amount in ((ATTACKS, len(act.strikes) - off), (OFF_HAND, off), *limbs.items()):
        if amount:
            cites = fight.rules("full-attack.order")
            yield ActionSpent(who=actor.id, kind=kind, what=what, amount=amount, cites=cites)


def refuse_another_way(fight: Fight, actor: Combatant, act: acts.FullAttack) -> None:
    """Refuse to begin something in the middle of a full attack that is settled before its first attack."""
    check_turn(fight, actor)
    refuse_flurry_midway(fight, actor, act)
    refuse_hands_after_limbs(fight, actor, act)
    late = next((name for said, name in settled_first(act) if said), "")
    new = any(one.off_hand for one in act.strikes) and not any(
        effect.stat == two_weapon_fighting.SECOND for effect in actor.effects
    )
    if late or new:
        what = late or "the use of the off hand"
        raise Refusal(f"{what} is settled before the first attack", fight.rule("full-attack.order"))


def settled_first(act: acts.FullAttack) -> tuple[tuple[object, str], ...]:
    """Return what a full attack may say only as it begins, each with what it is called."""
    return (
        (act.power, "Power Attack"),
        (act.expertise, "Combat Expertise"),
        (act.defensively, "fighting defensively"),
        (act.rapid_shot, "Rapid Shot"),
        (act.whirlwind, "Whirlwind Attack"),
        (act.second, "the second weapon"),
    )


def rapid_shot(fight: Fight, combatant: Combatant, until: Until) -> EffectGained:
    """Return the penalty that pays for one shot more, on all attacks until then (srd35.feat.rapid-shot).

    pf1.feat.rapid-shot.
    """
    part = fight.modifier("feat.rapid-shot", "attack", kind="penalty", source="Rapid Shot")
    return EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:rapid-shot",
        stat="attack",
        modifier=part,
        until=until,
        cites=(part.rule,),
    )


def shoots_rapidly(combatant: Combatant) -> bool:
    """Say whether an open full attack was begun with Rapid Shot."""
    return any(effect.id.endswith(":rapid-shot") for effect in combatant.effects)


def refuse_no_shot(fight: Fight, combatant: Combatant, blows: Sequence[Blow]) -> None:
    """Refuse Rapid Shot to those who have it not, and where nothing is shot or thrown."""
    rule = refuse_without(fight, combatant, RAPID)
    if any(blow.melee for blow in blows):
        raise Refusal("Rapid Shot takes ranged weapons, and no melee attack beside them", rule)
