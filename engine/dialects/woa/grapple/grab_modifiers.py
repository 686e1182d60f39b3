"""Implement the effects of holding and being held: penalties, limbs, speed, reactions (woa.grab.*)."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from affray.engine.dialects.woa.grapple.grapple_checks import (
    GRABBED,
    GRABBING,
    OTHER_ARM,
    WEAPON_ARM,
    end_hold,
    escape_kind,
    get_held_limbs,
    get_holders_of_combatant,
    hands_on,
    holding,
    throw_kind,
)
from affray.engine.dialects.woa.table_cells import table_modifier
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.fight.memory import per_scene
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.lines_and_cover import can_be_put
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.places import distance
from affray.engine.modifiers import effect_parts
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import Side
from affray.engine.rules.attacks.attack_roll import build_blow
from affray.engine.rules.classes.abilities import ability_now, lowered
from affray.engine.rules.classes.checks import skill_parts
from affray.engine.rules.classes.sheets import ability, sizes_larger, wielded_in_two_hands
from affray.engine.rules.gear.hands import bears_shield, choose_weapon, natural_weapons
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.maneuvers.opposed_checks import roll_opposed, side_of
from affray.engine.rules.movement.movement import displaced
from affray.engine.rules.position.places import occupants
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, Until
from affray.events.facts.flow import ActionSpent, Rolled, RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

HANDS = 2
#: The table of penalties covers this many sizes either way.
MOST_SIZES = 3
#: Checks that depend on freedom of movement.
BODILY = (
    "strength",
    "dexterity",
    "acrobatics",
    "athletics",
    "escape artist",
    "climb",
    "jump",
    "swim",
    "tumble",
)


@per_scene("combatant.id")
def hold_penalties(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return the penalties of every hold that a combatant has or is in; they add up.

    woa.grab.combat-penalties-scope, woa.grab.multiple-penalties-sum
    """
    if GRABBING not in combatant.conditions and GRABBED not in combatant.conditions:
        return []
    made: list[Modifier] = []
    for other in holding(fight, combatant):
        made += hold_penalty(fight, sizes_larger(combatant, other), "grabber", f"holds {other.id}")
    for other in get_holders_of_combatant(fight, combatant):
        made += hold_penalty(fight, sizes_larger(other, combatant), "grabbed", f"held by {other.id}")
    return made


def hold_penalty(fight: Fight, steps: int, column: str, source: str) -> list[Modifier]:
    """Return the penalty of one hold, by how many sizes larger the holder is."""
    steps = max(-MOST_SIZES, min(MOST_SIZES, steps))
    topic = "woa.grab.combat-penalties-scope"
    return table_modifier(fight, topic, f"larger={steps}", column, kind="penalty", source=source)


def holds_on_attack(fight: Fight, blow: Blow, detail: str) -> list[Modifier]:
    """Return the penalties of holds on an attack roll."""
    return hold_penalties(fight, blow.attacker)


def holds_on_check(fight: Fight, combatant: Combatant, name: str, detail: str) -> list[Modifier]:
    """Return the penalties of holds on a check that depends on freedom of movement."""
    return hold_penalties(fight, combatant) if name in BODILY else []


def seized_arms(fight: Fight, combatant: Combatant) -> set[str]:
    """Return the arms that a combatant cannot use because they are held."""
    return (
        get_held_limbs(fight, combatant) & {WEAPON_ARM, OTHER_ARM}
        if GRABBED in combatant.conditions
        else set()
    )


def hands_free_in_grab(fight: Fight, combatant: Combatant) -> int:
    """Return how many of two hands hold nothing and are not held.

    The weapon is in the weapon arm, a shield or a second item in the other; two hands on a weapon take both
    (woa.grab.free-hand).
    """
    arms = {WEAPON_ARM, OTHER_ARM} - seized_arms(fight, combatant)
    weapons = {weapon.name: weapon for weapon in combatant.sheet.weapons}
    for item in combatant.held:
        weapon = weapons.get(item)
        if weapon is not None and wielded_in_two_hands(weapon):
            arms.clear()
        arms.discard(WEAPON_ARM if item == combatant.held[0] else OTHER_ARM)
    if bears_shield(combatant):
        arms.discard(OTHER_ARM)
    return max(0, len(arms) - sum(hands_on(combatant, other.id) for other in holding(fight, combatant)))


def refuse_arm(fight: Fight, grappler: Combatant, weapon: Weapon) -> None:
    """Refuse any attack with a weapon whose arm is not free (woa.grab.occupied-limbs)."""
    if not arm_free(fight, grappler, weapon):
        reason = f"{grappler.id} has no arm free for the {weapon.name}"
        raise Refusal(reason, fight.rule("woa.grab.occupied-limbs"))


def arm_free(fight: Fight, grappler: Combatant, weapon: Weapon) -> bool:
    """Return whether every arm that a weapon needs is free of holds, the combatant's own and those on it."""
    if weapon.wield in ("natural", "unarmed") or not grappler.conditions.keys() & {GRABBED, GRABBING}:
        return True
    arms = seized_arms(fight, grappler)
    busy = sum(hands_on(grappler, other.id) for other in holding(fight, grappler))
    second = weapon.off_hand or (weapon.name in grappler.held and weapon.name != grappler.held[0])
    arm = OTHER_ARM if second else WEAPON_ARM
    return not (arm in arms or (wielded_in_two_hands(weapon) and bool(arms or busy)) or busy >= HANDS)


def speed_divisor(fight: Fight, combatant: Combatant) -> Fraction:
    """Return the divisor of speed for being held, 1 or more.

    2 for each holder of the same size, twice that for each size larger, half for each smaller
    (woa.grab.restricted-movement, option `grabbed_speed`).
    """
    topic = "woa.grab.restricted-movement"
    each: list[Fraction] = []
    for one in get_holders_of_combatant(fight, combatant):
        steps = sizes_larger(one, combatant)
        if steps < 0 and fight.option("grabbed_speed") == "smaller-ignored":
            continue
        double = fight.figure(topic, "larger_by_1_factor")
        factor = Fraction(fight.figure(topic, "larger_by_2_factor")) if steps > 1 else Fraction(1)
        each.append(factor * Fraction(double) ** (steps - HANDS if steps > 1 else steps))
    each.sort(reverse=True)
    first: int = fight.figure(topic, "same_size_divisor")
    more: int = fight.figure(topic, "each_additional_same_size")
    return max(Fraction(1), first * sum(each[:1], Fraction(0)) + more * sum(each[1:], Fraction(0)))


def speed_under_holds(fight: Fight, combatant: Combatant, feet: int) -> int:
    """Return the speed in feet under holds and the weight of holders (woa.grab.encumbrance)."""
    if "weighed down" in combatant.conditions:
        rows = fight.figure("woa.speed.by-race")
        feet = next((row["encumbered_ft"] for row in rows if row["speed_ft"] == feet), feet)
    return int(feet / speed_divisor(fight, combatant)) if GRABBED in combatant.conditions else feet


def is_dodging_barred(fight: Fight, combatant: Combatant) -> bool:
    """Return whether holding or being held rules out dodging (woa.grab.dodge-block)."""
    free = bool(fight.figure("woa.grab.dodge-block", "dodge"))
    return not free and (GRABBING in combatant.conditions or GRABBED in combatant.conditions)


def is_arm_free_to_block(fight: Fight, combatant: Combatant, arm: str) -> bool:
    """Return whether the shield arm or the weapon arm is free to block (woa.grab.dodge-block)."""
    busy = (
        sum(hands_on(combatant, other.id) for other in holding(fight, combatant))
        if GRABBING in combatant.conditions
        else 0
    )
    return arm not in seized_arms(fight, combatant) and busy < HANDS


def held_target(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalties of holds to the AC of an attack's target (woa.grab.combat-penalties-scope)."""
    return hold_penalties(fight, blow.target)


# --- Strength checks in a grab: getting free, holding on, letting go (woa.grab.*)

#: The effect on a holder struck by its victim: a penalty to hold on.
GRIP = "grip"
#: The kinds of modifiers with a separate rule in a check to get free.
TELLING = ("hand", "both hands", GRIP)


def strength_check_parts(fight: Fight, combatant: Combatant, topic: str) -> Side:
    """Return a Strength check with the modifiers of conditions, holds and feats."""
    parts = [Modifier(ability(combatant.sheet, "str"), "ability", "Strength", fight.rule(topic))]
    return side_of(fight, combatant, "strength", [*parts, *lowered(fight, combatant, "str")])


def strongest(fight: Fight, among: Sequence[Combatant]) -> Combatant:
    """Return the strongest of several combatants, the first if equal."""
    return max(among, key=lambda one: ability_now(fight, one, "str"))


def escape_grab(fight: Fight, act: acts.Grab) -> Steps[None]:
    """Try to escape from one holder, as a move action, or from several, as a full-round action.

    One check must beat each holder's own check (woa.grab.escape-one, .escape-many).
    """
    grappler = fight.combatant(act.actor)
    topic = escape_kind(act)
    rule = fight.rule(topic)
    holders = [fight.combatant(id) for id in act.targets or (act.target,)]
    for one in holders:
        if one not in get_holders_of_combatant(fight, grappler):
            raise Refusal(f"{one.id} does not hold {grappler.id}", rule)
    kind = str(fight.figure(topic, "action"))
    yield spending(fight, grappler, kind, "get free", rule)
    rolled: Rolled | None = None
    for number, one in enumerate(holders):
        if one not in get_holders_of_combatant(fight, grappler):
            continue
        mine = escape_check(fight, grappler, act.skill, topic, helped=not number)
        theirs = holding_check(fight, one, grappler, topic)
        if rolled is None:
            rolled = yield Roll(grappler.id, "escape")
        cites = [rule, *(part.rule for part in (*mine.parts, *theirs.parts) if part.kind in TELLING)]
        if act.skill:
            cites.append(fight.rule("woa.maneuver.grab.escape-with-escape-artist"))
        beaten = yield from roll_opposed(fight, "escape", mine, theirs, *cites, rolled=rolled)
        if beaten > 0:
            yield from end_hold(fight, one, grappler, "gets free", rule)


def escape_check(fight: Fight, combatant: Combatant, skill: bool, topic: str, helped: bool) -> Side:
    """Return the check to get free: Strength or Escape Artist, with a bonus for a free hand.

    The hand helps against one holder only (woa.grab.escape-free-hand,
    woa.maneuver.grab.escape-with-escape-artist).
    """
    if skill:
        rule = fight.rule("woa.maneuver.grab.escape-with-escape-artist")
        parts = skill_parts(fight, combatant, "escape artist", "dex", rule)
        return side_of(fight, combatant, "escape artist", parts)
    mine = strength_check_parts(fight, combatant, topic)
    if helped and hands_free_in_grab(fight, combatant):
        mine.parts.append(
            fight.modifier("woa.grab.escape-free-hand", "bonus", kind="hand", source="a hand to pry with")
        )
    return mine


def holding_check(fight: Fight, combatant: Combatant, victim: Combatant, topic: str) -> Side:
    """Return the check of a holder to keep its hold: a bonus for both hands, a penalty for damage.

    All damage dealt by the victim in this round and the last is one penalty.

    woa.grab.escape-both-hands, woa.grab.escape-strike
    """
    side = strength_check_parts(fight, combatant, topic)
    if hands_on(combatant, victim.id) >= HANDS:
        side.parts += table_modifier(
            fight, "woa.grab.escape-both-hands", "check=hold", "bonus", kind="both hands", source="both hands"
        )
    if struck := list(effect_parts(combatant, GRIP, victim.id)):
        side.parts.append(replace(struck[0], value=sum(part.value for part in struck)))
    return side


def weaken_grip(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After the victim hits its holder, weaken the holder's grip for this round and the next.

    woa.grab.escape-strike
    """
    attacker, holder = blow.attacker, blow.target
    if holder not in get_holders_of_combatant(fight, attacker):
        return
    hurt = before[0] - holder.hp
    if hurt <= 0:
        return
    rule = fight.rule("woa.grab.escape-strike")
    yield EffectGained(
        who=holder.id,
        id=f"{fight.declaration}:{GRIP}:{attacker.id}:{len(holder.effects)}",
        stat=GRIP,
        modifier=Modifier(-hurt, "grip", f"struck by {attacker.id}", rule),
        until=Until("round-end", "", fight.state.round + 1),
        against=attacker.id,
        cites=(rule,),
    )


def release_grab(fight: Fight, act: acts.Grab) -> Steps[None]:
    """Let go of a victim: a free action (woa.grab.release)."""
    grappler, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("woa.grab.release")
    check_turn(fight, grappler)
    if target not in holding(fight, grappler):
        raise Refusal(f"{grappler.id} does not hold {target.id}", rule)
    kind = str(fight.figure("woa.grab.release", "action"))
    yield ActionSpent(who=grappler.id, kind=kind, what="let go", cites=(rule,))
    yield from end_hold(fight, grappler, target, "lets go", rule)


def falls_off(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End the holds of a holder that has just fallen."""
    for target in holding(fight, combatant):
        rule = fight.rule("woa.grab.success")
        yield from end_hold(fight, combatant, target, f"{combatant.id} is down", rule)


def end_holds_out_of_reach(fight: Fight) -> Steps[None]:
    """At the end of a round, end the holds of combatants out of reach of their victims."""
    rule = fight.rule("woa.grab.success")
    for combatant in list(fight.state.combatants.values()):
        if GRABBING not in combatant.conditions:
            continue
        for target in holding(fight, combatant):
            if distance(combatant, target) > max(combatant.reach, SQUARE_FT):
                yield from end_hold(fight, combatant, target, "out of reach", rule)


# --- Squeezing and throwing held opponents (woa.grab.squeeze, woa.grab.throw)


def squeeze(fight: Fight, act: acts.Grab) -> Steps[None]:
    """Crush all smaller opponents held, as a standard action (woa.grab.squeeze, .squeeze-optional)."""
    grappler = fight.combatant(act.actor)
    topic = "woa.grab.squeeze"
    rule = fight.rule(topic)
    kind = str(fight.figure(topic, "action"))
    refuse_unless_allowed(fight, grappler, kind)
    held = [one for one in holding(fight, grappler) if sizes_larger(grappler, one) >= 1]
    if not held:
        raise Refusal(f"{grappler.id} holds no opponent smaller than itself", rule)
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
        question = f"{grappler.id} squeezes {one.id}: does it have a further effect?"
        answer = yield Choice("", "squeeze", question, ("nothing more", "suffocation"), optional)
        if answer == "suffocation" and "suffocating" not in one.conditions:
            yield ConditionGained(who=one.id, condition="suffocating", source=grappler.id, cites=(optional,))


def throw(fight: Fight, act: acts.Grab) -> Steps[None]:
    """Throw a held victim: a win by 10 throws it, a lesser win keeps the hold, a loss ends it.

    Size counts, and both hands; helpless victims cannot resist (woa.grab.throw, .throw-helpless; option
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
    """Return a Strength check for a throw: the larger one adds its size, the holder both hands."""
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
    """Move a thrown victim through the air to a square."""
    rule = fight.rule("woa.grab.throw")
    yield from end_hold(fight, grappler, target, "thrown", rule)
    yield displaced(target, (at,), "thrown", rule)
