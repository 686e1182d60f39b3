"""The full attack, attack by attack: series of both hands, extra attacks, and going on or breaking off.

A full attack may be declared whole or in parts. Each part strikes with the next attacks of the series;
between them there is room for a 5-foot step, and after the very first attack the rest may be given up for
a move action (srd35.full-attack.order, .step, .decide).
"""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from affray.engine.dialects.srd35.attacks import many_arms, two_weapon_fighting
from affray.engine.dialects.srd35.attacks.cleave import WHIRLWIND
from affray.engine.dialects.srd35.attacks.multiweapon_mastery import is_superior
from affray.engine.dialects.srd35.classes.combat_feats import refuse_without
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.attacks import attack_action, attack_series
from affray.engine.rules.attacks import two_weapon_fighting as shared_two_weapon_fighting
from affray.engine.rules.attacks.attack_series import refuse_too_many
from affray.engine.rules.gear.loading import refuse_more_shots
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.maneuvers.special_attacks import substitute
from affray.engine.rules.turns.action_budget import (
    ATTACKS,
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
#: The kind of a blow that is one of a flurry.
FLURRY = "flurry"
Rows = list[list[Modifier]]


def full_attack_in_parts(fight: Fight, actor: Combatant, act: acts.FullAttack) -> Steps[None]:
    """Return the steps of the attacks of a full attack, or of some, in the order declared. Refuses at once.

    A target that is dead is passed over (srd35.attack-action.multiple).
    """
    rule = fight.rule("srd35.attack-action.multiple")
    going_on = bool(actor.spent) and is_open(actor)
    if going_on:
        refuse_another_way(fight, actor, act)
    else:
        refuse_unless_allowed(fight, actor, "full-round")
    if act.whirlwind:
        act = whirlwind_strikes(fight, actor, act)
    if not act.strikes:
        raise Refusal("a full attack names no target", rule)
    second = two_weapon_fighting.second_weapon(fight, actor, act)
    rows = fight.dialect.attacks.attack_series(fight, actor, act)
    refuse_too_many(actor, len(rows), act, rule)
    planned: list[Blow | Attempt] = []
    blows = []
    for one, row in zip(act.strikes, rows, strict=False):
        meant = blow_or_attempt(fight, actor, act, one, row, second)
        planned.append(meant)
        blows.append(meant.blow if isinstance(meant, Attempt) else meant)
    refuse_more_shots(fight, actor, blows)
    pledged = fight.dialect.attacks.declared_feats(fight, actor, act, blows)
    if act.rapid_shot:
        refuse_no_shot(fight, actor, blows)
    first: list[Any] = []
    if not going_on:
        cites = rules_of_full_attack(fight, actor, act, len(rows))
        first.append(ActionSpent(who=actor.id, kind="full-round", what="full attack", cites=cites))
        if act.rapid_shot:
            first.append(rapid_shot(fight, actor))
        if second:
            first += two_weapon_fighting.table_rules_told(
                fight, actor, second, *lightness(fight, actor, act, second)
            )
    open_ = len(rows) > len(planned)
    if going_on or open_:
        first += note_attacks_used(fight, actor, act, second, len(rows))
    if open_ and second and not going_on:
        first.append(two_weapon_fighting.second_weapon_noted(fight, actor, second))
    first += pledged
    if act.defensively:
        first += attack_action.fight_defensively(fight, actor)
    return attack_action.deliver_planned(fight, actor, act, planned, first)


def rules_of_full_attack(
    fight: Fight, actor: Combatant, act: acts.FullAttack, attacks: int
) -> tuple[str, ...]:
    """Return the rules that a full attack rests on: its order where there is one, its step, its specials."""
    topics = ["srd35.attack-action.multiple", "srd35.action.full-round"]
    if attacks > 1:
        topics.append("srd35.full-attack.order")
    if actor.spent.get("step"):
        topics.append("srd35.full-attack.step")
    if act.whirlwind:
        topics.append("srd35.feat.whirlwind-attack")
    for one in act.strikes:
        if one.special:
            topics.append("srd35.actions-table.notes")
            break
    return fight.rules(*topics)


def blow_or_attempt(
    fight: Fight, actor: Combatant, act: acts.FullAttack, one: acts.Strike, row: list[Modifier], second: str
) -> Blow | Attempt:
    """Return the blow or the special attack that one strike means. Refuses what cannot be struck."""
    target = fight.combatant(one.target)
    if one.special:
        attempt = substitute(fight, one.special).prepare(fight, actor, target, one.weapon, one.item, "full")
        attempt.blow.attack_extra.extend(row)
        return attempt
    weapon = find_weapon(fight, actor, one.weapon)
    if second:
        off = is_off_hand(fight, actor, one) and not is_superior(actor)
        weapon = shared_two_weapon_fighting.wielded_with_another(fight, actor, weapon, off)
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


def series_of_hands(fight: Fight, actor: Combatant, act: acts.FullAttack) -> Rows:
    """Return the modifiers of each attack that a full attack allows: those of its strikes, then the rest.

    Iterative attacks fall by 5, and come from the highest bonus down; the off hand has a series of its own,
    and either hand may begin (srd35.full-attack.order).
    """
    if act.whirlwind:
        return [[] for _ in act.strikes]
    second = two_weapon_fighting.second_weapon(fight, actor, act)
    main = attack_series.iterative_parts(fight, actor.sheet.base_attack)
    rapid = act.rapid_shot or (bool(actor.effects) and shoots_rapidly(actor))
    if not second and not rapid and not (actor.spent and is_open(actor)):
        return main
    if rapid:
        extra = fight.figure("srd35.feat.rapid-shot", "extra_attacks")
        main = [*([] for _ in range(extra)), *main]
    off: Rows = []
    if second:
        light, _ = lightness(fight, actor, act, second)
        hands = off_hands(fight, actor, act, second)
        refuse_twice(fight, actor, act, hands)
        main = [
            [*row, *two_weapon_fighting.two_weapon_penalties(fight, actor, light, "primary")] for row in main
        ]
        off = [
            [*row, *two_weapon_fighting.two_weapon_penalties(fight, actor, light, "off_hand")]
            for row in two_weapon_fighting.off_hand_series(fight, actor, len(hands))
        ]
    main, off = main[actor.spent.get(ATTACKS, 0) :], off[actor.spent.get(OFF_HAND, 0) :]
    rows = []
    for one in act.strikes:
        hand = off if second and is_off_hand(fight, actor, one) else main
        if not hand:
            which = "off hand" if hand is off else "main hand"
            raise Refusal(
                f"{actor.id} has no attack of the {which} left", fight.rule("srd35.full-attack.order")
            )
        rows.append(hand.pop(0))
    return [*rows, *main, *off]


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
    rule = fight.rule("srd35.feat.multiattack")
    off = [find_weapon(fight, actor, one.weapon).name for one in act.strikes if one.off_hand]
    for name in hands:
        if off.count(name) > 1:
            raise Refusal(f"the {name} strikes once, with an off hand of its own", rule)
    held = [one for one in actor.sheet.weapons if one.name in actor.held]
    if sum(weapon.hands for weapon in held) > many_arms.arms_of(actor):
        raise Refusal(f"{actor.id} has not the arms for all that it holds", rule)


def note_attacks_used(
    fight: Fight, actor: Combatant, act: acts.FullAttack, second: str, left: int
) -> Iterator[ActionSpent]:
    """Tell how many attacks of the series this part uses, so that a later part goes on from there."""
    off = sum(bool(second) and is_off_hand(fight, actor, one) for one in act.strikes)
    what = f"{len(act.strikes)} of {counted(left, 'attack')}"
    for kind, amount in ((ATTACKS, len(act.strikes) - off), (OFF_HAND, off)):
        if amount:
            cites = fight.rules("srd35.full-attack.order")
            yield ActionSpent(who=actor.id, kind=kind, what=what, amount=amount, cites=cites)


def refuse_another_way(fight: Fight, actor: Combatant, act: acts.FullAttack) -> None:
    """Refuse to begin something in the middle of a full attack that is settled before its first attack."""
    check_turn(fight, actor)
    late = act.power or act.expertise or act.defensively or act.rapid_shot or act.whirlwind or act.second
    new = any(one.off_hand for one in act.strikes) and not any(
        effect.stat == two_weapon_fighting.SECOND for effect in actor.effects
    )
    if late or new:
        raise Refusal("that is settled before the first attack", fight.rule("srd35.full-attack.order"))


def rapid_shot(fight: Fight, combatant: Combatant) -> EffectGained:
    """Return the penalty on all attacks of the round that pays for one shot more (srd35.feat.rapid-shot)."""
    part = fight.modifier("srd35.feat.rapid-shot", "attack", kind="penalty", source="Rapid Shot")
    return EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:rapid-shot",
        stat="attack",
        modifier=part,
        until=Until("turn-start", combatant.id, fight.state.round + 1),
        cites=(part.rule,),
    )


def shoots_rapidly(combatant: Combatant) -> bool:
    """Say whether an open full attack was begun with Rapid Shot."""
    return any(effect.id.endswith(":rapid-shot") for effect in combatant.effects)


def refuse_no_shot(fight: Fight, combatant: Combatant, blows: list[Blow]) -> None:
    """Refuse Rapid Shot to those who have it not, and where nothing is shot or thrown."""
    rule = refuse_without(fight, combatant, RAPID)
    if any(blow.melee for blow in blows):
        raise Refusal("Rapid Shot is for ranged weapons", rule)


def whirlwind_strikes(fight: Fight, actor: Combatant, act: acts.FullAttack) -> acts.FullAttack:
    """Return the one strike at each opponent in reach that Whirlwind Attack makes of a full attack.

    Nothing else is struck, nobody twice, and no feat gives another attack (srd35.feat.whirlwind-attack).
    """
    rule = refuse_without(fight, actor, "whirlwind attack")
    weapon = act.strikes[0].weapon if act.strikes else ""
    found = []
    for enemy in fight.enemies(actor):
        if "dead" in enemy.conditions:
            continue
        try:
            blow = fight.dialect.attacks.prepare(
                fight, actor, enemy, find_weapon(fight, actor, weapon), WHIRLWIND
            )
        except Refusal:
            continue
        if blow.melee:
            found.append(acts.Strike(enemy.id, weapon))
    named = {one.target for one in act.strikes}
    if act.rapid_shot or act.second or any(one.special or one.off_hand for one in act.strikes):
        raise Refusal("Whirlwind Attack forgoes every extra attack", rule)
    if len(named) < len(act.strikes) or not named <= {one.target for one in found}:
        raise Refusal("Whirlwind Attack strikes once at each opponent in reach", rule)
    if not found:
        raise Refusal("no opponent is in reach", rule)
    return replace(act, strikes=act.strikes or tuple(found))
