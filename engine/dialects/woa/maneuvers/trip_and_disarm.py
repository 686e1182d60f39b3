"""Implement trip, disarm, sunder, feint and improvised maneuvers."""

from functools import partial

from affray.engine.dialects.woa.damage.damage import damage_bonus
from affray.engine.dialects.woa.gear.objects import Object, effect_on, is_broken, is_damaged, sturdiness
from affray.engine.dialects.woa.maneuvers.maneuver_check import (
    at_mercy,
    attempt_maneuver,
    can_defender_answer,
    find_item_of_target,
    free_hands,
    guard_by_base_attack,
    maneuver_blow,
    provoke_by_failure,
    refuse_by_size,
    spend_maneuver_action,
    strength_bonus,
    weapon_in_hand,
)
from affray.engine.dialects.woa.maneuvers.maneuvers_as_attacks import (
    is_immune_to_tripping,
    refuse_instead,
    stability,
)
from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import FELLED
from affray.engine.dialects.woa.opportunity.reaction_budget import swift_cost
from affray.engine.dialects.woa.senses.concealment import unseen
from affray.engine.dialects.woa.table_cells import table_modifier
from affray.engine.dialects.woa.turns.swift_actions import refuse_swift
from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.actions import check_turn
from affray.engine.modifiers import Tally, effect_parts
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import Attempt, Side
from affray.engine.rules.classes.abilities import ability_now, score_now
from affray.engine.rules.classes.checks import check, check_parts, skill_parts
from affray.engine.rules.classes.sheets import (
    has_feat,
    has_trait,
    is_mindless,
    size_step,
    wielded_in_two_hands,
)
from affray.engine.rules.conditions.conditions import condition_parts
from affray.engine.rules.gear.hands import held_weapons, lose
from affray.engine.rules.gear.objects import carry_over, is_held
from affray.engine.rules.gear.others_things import take_from_other
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.maneuvers.opposed_checks import can_trip, roll_opposed
from affray.engine.rules.mounted.riding import separate_from_mount
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.places import sees
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import ConditionGained, DamagePart, EffectGained, ItemStruck, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- Disarm: an opponent's item is knocked away, taken from its hands, or snatched off its body
#
# woa.disarm.*

LOCKED = "locked gauntlet"


def disarm(fight: Fight, act: acts.Disarm) -> Steps[None]:
    """Disarm an opponent, or snatch what it wears, as a standard action (woa.disarm.action)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, actor, str(fight.figure("woa.disarm.action", "action")))
    planned = disarm_attempt(
        fight, actor, target, act.weapon, act.item, "attack", secured=act.secured, both_hands=act.both_hands
    )
    yield spend_maneuver_action(fight, actor, "disarm", "woa.disarm.action", "woa.disarm.overview")
    yield from carry_out_disarm(fight, planned)


def disarm_attempt(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    weapon: str,
    item: str,
    kind: str,
    *,
    secured: str = "normal",
    both_hands: bool = False,
) -> Attempt:
    """Return the attempt to disarm. Refuse by size, missing items, and items too well secured.

    An empty weapon name means the weapon in hand; `both_hands` needs two empty ones (woa.disarm.size-limit,
    .attack-bonus, .snatch-secured, .two-hands-attacker).
    """
    refuse_by_size(fight, attacker, target, "disarm")
    refuse_instead(fight, attacker, target, "disarm", kind, "woa.disarm.action")
    item = find_item_of_target(fight, target, item, "woa.disarm.overview")
    with_ = unarmed(fight, attacker) if both_hands else find_weapon(fight, attacker, weapon)
    if both_hands and free_hands(attacker) < 2:
        reason = f"{attacker.id} does not have both hands free"
        raise Refusal(reason, fight.rule("woa.disarm.two-hands-attacker"))
    held = is_held(target, item)
    if not held and secured == "well" and "pinned" not in target.conditions:
        reason = f"the {item} is too well secured unless {target.id} is pinned"
        raise Refusal(reason, fight.rule("woa.disarm.snatch-secured"))
    blow = maneuver_blow(fight, attacker, target, "disarm", weapon=with_, kind=kind, strength=False)
    if both_hands:
        blow.attack_extra += table_modifier(
            fight,
            "woa.disarm.two-hands-attacker",
            "hands=both",
            "check",
            kind="hands",
            source="with both hands",
        )
    blow.defense_extra += (
        what_secures_in_hand(fight, target, item) if held else fastening(fight, item, secured)
    )
    return Attempt(blow, item, secured, fight.declaration)


def what_secures_in_hand(fight: Fight, target: Combatant, item: str) -> list[Modifier]:
    """Return the modifiers that keep an item in hand: both hands on it, a locked gauntlet."""
    weapon = weapon_in_hand(target, item)
    if weapon is None:
        return []
    parts = []
    if wielded_in_two_hands(weapon):
        topic, source = "woa.disarm.two-hands-defender", "held in both hands"
        parts.append(fight.modifier(topic, "ac_bonus", kind="circumstance", source=source))
    if LOCKED in weapon.traits:
        parts.append(
            fight.modifier("woa.disarm.locked-gauntlet", "ac_bonus", kind="circumstance", source=LOCKED)
        )
    return parts


def fastening(fight: Fight, item: str, secured: str) -> list[Modifier]:
    """Return the modifiers of how firmly a worn item is fastened (option `secured_item_ac`).

    woa.disarm.snatch-worn-ac, .snatch-secured
    """
    parts = []
    if secured != "poorly" and not (secured == "well" and fight.option("secured_item_ac") == "plus-four"):
        parts.append(
            fight.modifier(
                "woa.disarm.snatch-worn-ac", "ac_bonus", kind="circumstance", source=f"the {item} is worn"
            )
        )
    if secured == "well":
        source = f"well secured (secured_item_ac: {fight.option('secured_item_ac')})"
        topic = "woa.disarm.snatch-secured"
        parts.append(fight.modifier(topic, "additional_ac_bonus", kind="circumstance", source=source))
    return parts


def carry_out_disarm(fight: Fight, planned: Attempt) -> Steps[bool]:
    """Make the check against what guards the item; it changes place, or the defender strikes back.

    Bare hands provoke first, and the damage taken is subtracted from the check (woa.disarm.unarmed-aoo,
    -penalty).
    """
    blow, item = planned.blow, planned.item
    held = is_held(blow.target, item)
    bare = without_grip(fight, blow, item) if held else None
    topics = ["woa.disarm.attack-bonus"]
    if held:
        if not at_mercy(fight, blow.target):
            yield from guard_by_base_attack(fight, blow, item, "woa.disarm.ac-proficient")
    else:
        topics += ["woa.disarm.snatch-worn"]
        if strength_bonus(fight, blow.target):
            topics += ["woa.disarm.snatch-no-strength", "woa.maneuver.ac-special"]
    result = yield from attempt_maneuver(
        fight,
        blow,
        *topics,
        opening="woa.disarm.unarmed-aoo",
        spoiling="woa.disarm.unarmed-aoo-penalty",
        again=partial(refuse_or_snatch, fight, planned, bare),
    )
    if result is None:
        return False
    if not result.won:
        yield from provoke_by_failure(fight, blow, "woa.disarm.failure")
        return False
    yield from take_item(fight, blow, item, is_held(blow.target, item))
    return True


def without_grip(fight: Fight, blow: Blow, item: str) -> list[Modifier]:
    """Return the modifiers against a disarm except those of the grip on the item."""
    grip = what_secures_in_hand(fight, blow.target, item)
    return [part for part in blow.defense_extra if part not in grip]


def refuse_or_snatch(fight: Fight, planned: Attempt, bare: list[Modifier] | None) -> None:
    """Refuse to take an item that is gone; an item put away since is snatched as a worn one.

    `bare` are the modifiers against it without its grip or fastening, None for an item worn from the start;
    that one is out of reach once it is drawn (woa.disarm.snatch-worn-ac).
    """
    blow, item = planned.blow, planned.item
    find_item_of_target(fight, blow.target, item, "woa.disarm.overview")
    held = is_held(blow.target, item)
    if bare is None and held:
        raise Refusal(f"{blow.target.id} holds the {item} now", fight.rule("woa.disarm.snatch-worn"))
    if bare is not None and not held:
        blow.defense_extra[:] = [*bare, *fastening(fight, item, planned.secured)]
        blow.cites += fight.rules("woa.disarm.snatch-worn", "woa.disarm.snatch-no-strength")


def take_item(fight: Fight, blow: Blow, item: str, held: bool) -> Steps[None]:
    """Move an item into the bare hand, or to the ground unless an empty hand catches it."""
    attacker, target = blow.attacker, blow.target
    if blow.weapon.wield == "unarmed":
        cites = fight.rules("woa.disarm.success-unarmed" if held else "woa.disarm.snatch-worn")
    else:
        caught = held and (yield from catches(fight, blow, item))
        if not caught:
            cites = fight.rules("woa.disarm.success-armed" if held else "woa.disarm.snatch-worn")
            yield from lose(fight, target, item, "dropped", cites)
            return
        cites = fight.rules("woa.disarm.success-catch")
    yield from lose(fight, target, item, "gone", cites)
    yield from take_from_other(fight, attacker, target, item, cites)


def catches(fight: Fight, blow: Blow, item: str) -> Steps[bool]:
    """Return whether the disarmer catches the item in its empty hand: by skill or by Improved Disarm.

    woa.disarm.success-catch: the other hand holds a light or one-handed weapon.
    """
    attacker = blow.attacker
    if blow.weapon.wield == "natural" or not free_hands(attacker):
        return False
    rule = fight.rule("woa.disarm.success-catch")
    question = f"does {attacker.id} catch the {item} in its empty hand?"
    if (yield Choice(attacker.id, "catch", question, ("catch", "let fall"), rule)) != "catch":
        return False
    if has_feat(attacker, "improved disarm"):
        return True
    skill = "sleight of hand"
    dc = fight.figure("woa.disarm.success-catch", "sleight_of_hand_dc")
    parts = skill_parts(fight, attacker, skill, "dex", rule)
    return (yield from check(fight, attacker, skill, parts, dc, rule, why=f"to catch the {item}"))


# --- Feint: an opponent misled about the next attack, and witnesses warned (woa.feint.*)

HUMANOIDS = ("humanoid", "monstrous humanoid")
ANIMAL = 2
ABILITIES = {"acrobatics": "dex", "bluff": "cha", "intimidate": "cha", "insight": "wis"}
WARNED = "feint"
"""The stat of the effect on combatants that have seen an opponent feint."""


def feint(fight: Fight, act: acts.Feint) -> Steps[None]:
    """Mislead an opponent in melee, as a move action or, with Improved Feint, a swift one.

    After a success the next attack, within the round, ignores shield, dodge and Dexterity bonuses
    (woa.feint.action-cost, .improved-feint, .check, .success).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    quick = has_feat(actor, "improved feint")
    rule = fight.rule("woa.feint.action-cost")
    if quick:
        check_turn(fight, actor)
        refuse_swift(fight, actor, "swift")
    else:
        refuse_unless_allowed(fight, actor, "move")
    refuse_target(fight, actor, target)
    if quick:
        yield from pay_for_swift_feint(fight, actor)
    else:
        yield spending(fight, actor, "move", "feint", rule)
    won = yield from oppose_feint(fight, actor, target)
    if won:
        cites = fight.rules("woa.feint.success")
        yield EffectGained(
            who=actor.id,
            id=f"{fight.declaration}:feint",
            stat="denies-dexterity",
            modifier=Modifier(0, "feint", "feint", cites[0]),
            until=Until("round-end", "", fight.state.round),
            against=target.id,
            uses=1,
            cites=cites,
        )
    yield from warn_witnesses(fight, actor, target, resisted=not won)


def refuse_target(fight: Fight, attacker: Combatant, target: Combatant) -> None:
    """Refuse targets that are not opponents in melee, and those without a mind to mislead.

    woa.feint.nonhumanoid
    """
    rule = fight.rule("woa.feint.action-cost")
    if target.side == attacker.side or is_down(fight, target):
        raise Refusal(f"{target.id} is not an opponent that can be misled", rule)
    if not (threatens(fight, attacker, target) or threatens(fight, target, attacker)):
        raise Refusal(f"{attacker.id} and {target.id} are not in melee", rule)
    if is_mindless(target):
        raise Refusal(f"{target.id} has no mind to mislead", fight.rule("woa.feint.nonhumanoid"))


def pay_for_swift_feint(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Spend a swift action and the combat reaction that it costs (woa.feint.improved-feint)."""
    cites = fight.rules("woa.feint.improved-feint", "woa.action-type.swift-timing")
    yield ActionSpent(who=combatant.id, kind="swift", what="feint", cites=cites)
    yield swift_cost(
        fight, combatant, *fight.rules("woa.action-type.swift-cost", "woa.reaction.swift-immediate-cost")
    )


def oppose_feint(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[bool]:
    """Roll the opposed checks; the feinter must roll higher. The best skill of each is the first option."""
    rule = fight.rule("woa.feint.check")
    strange = penalty_by_kind(fight, target)
    skills, guards = (fight.figure("woa.feint.check", side) for side in ("attacker", "defender"))
    ways = {str(name): bluff_parts(fight, attacker, str(name).lower()) for name in skills}
    mine = yield from choose_check(
        fight, attacker, "feint", f"{attacker.id} feints at {target.id}: by which skill?", ways
    )
    answers = {str(name): resisting_parts(fight, target, str(name)) for name in guards}
    question = f"{attacker.id} feints: how does {target.id} resist?"
    theirs = yield from choose_check(fight, target, "resist", question, answers)
    ready = warning_bonus(fight, target, attacker)
    one, other = Side(attacker, [*mine, *strange]), Side(target, [*theirs, *ready])
    return (
        yield from roll_opposed(
            fight, "feint", one, other, rule, *rules_behind(strange), *rules_behind(ready)
        )
    ) > 0


def rules_behind(parts: list[Modifier]) -> list[str]:
    """Return the rules of modifiers."""
    return [part.rule for part in parts]


def choose_check(
    fight: Fight, combatant: Combatant, name: str, question: str, ways: dict[str, list[Modifier]]
) -> Steps[list[Modifier]]:
    """Ask which of several checks a combatant makes, the best first; return its parts."""

    def sum_of(way: str) -> int:
        tally: Tally = fight.stack(ways[way])
        return tally.total

    options = tuple(sorted(ways, key=lambda way: -sum_of(way)))
    return ways[(yield Choice(combatant.id, name, question, options, fight.rule("woa.feint.check")))]


def bluff_parts(fight: Fight, combatant: Combatant, skill: str) -> list[Modifier]:
    """Return the parts of the feinter's check with a skill."""
    parts = skill_parts(fight, combatant, skill, ABILITIES[skill], fight.rule("woa.feint.check"))
    return check_parts(fight, combatant, skill, parts)


def resisting_parts(fight: Fight, combatant: Combatant, way: str) -> list[Modifier]:
    """Return the parts of the check to resist: by Insight, or base attack bonus and Wisdom."""
    rule = fight.rule("woa.feint.check")
    if way.lower() in ABILITIES:
        skill = way.lower()
        own = skill_parts(fight, combatant, skill, ABILITIES[skill], rule)
        return check_parts(fight, combatant, skill, own)
    base = Modifier(combatant.sheet.base_attack, "base", "base attack bonus", rule)
    wisdom = Modifier(ability_now(fight, combatant, "wis"), "ability", "Wisdom", rule)
    return check_parts(fight, combatant, "insight", (base, wisdom))


def penalty_by_kind(fight: Fight, target: Combatant) -> list[Modifier]:
    """Return the penalty for feinting at a nonhumanoid, or one with an animal's mind.

    The option `feint_successive` decides whether the two add up (woa.feint.nonhumanoid).
    """
    mind = score_now(fight, target, "int")
    beast = mind is not None and mind <= ANIMAL
    strange = target.sheet.kind not in HUMANOIDS
    rows = []
    if strange and not (beast and fight.option("feint_successive") == "supersedes"):
        rows.append("non-humanoid")
    if beast:
        rows.append(f"animal Intelligence (1 or {ANIMAL})")
    topic = "woa.feint.nonhumanoid"
    names = rows or ["humanoid"]
    parts = [fight.modifier(topic, f"target={row}", "penalty", kind="penalty", source=row) for row in names]
    return [part for part in parts if part.value]


def warning_bonus(fight: Fight, target: Combatant, by: Combatant) -> list[Modifier]:
    """Return the bonus for having seen this feinter feint.

    The larger of two counts, or both add up (option `feint_successive`; woa.feint.successive).
    """
    if not target.effects:
        return []
    found = list(effect_parts(target, WARNED, by.id))
    if fight.option("feint_successive") == "supersedes":
        found = sorted(found, key=lambda part: -part.value)[:1]
    return found


def warn_witnesses(fight: Fight, attacker: Combatant, target: Combatant, *, resisted: bool) -> Steps[None]:
    """Warn every opponent that sees a feint against this feinter until the encounter ends.

    woa.feint.successive
    """
    for one in fight.enemies(attacker):
        if is_down(fight, one) or unseen(fight, one, attacker) or not sees(fight, one, attacker):
            continue
        row = (
            "successfully resisted a feint"
            if resisted and one is target
            else "witnessed a feint (even if fooled)"
        )
        source = f"has {row.split(' (')[0]} of {attacker.id}"
        if any(effect.modifier.source == source for effect in one.effects):
            continue
        topic = "woa.feint.successive"
        bonus = fight.modifier(topic, f"opponent={row}", "bonus", kind="circumstance", source=source)
        yield EffectGained(
            who=one.id,
            id=f"{fight.declaration}:{one.id}:{WARNED}",
            stat=WARNED,
            modifier=bonus,
            until=Until(),
            against=attacker.id,
            cites=(bonus.rule,),
        )


# --- Improvised maneuvers, resolved like the most similar one (woa.maneuver.improvised.*)

LIKE = "woa.maneuver.improvised.closest-match"
GENERAL = "none of them"
#: The modifiers for special circumstances that the game master may choose.
CIRCUMSTANCES = ("0", "-2", "+2", "-4", "+4")
#: Maneuvers whose page also covers comparable stunts.
COMPARABLE = frozenset({"trip", "push"})


def stunt(fight: Fight, act: acts.Stunt) -> Steps[None]:
    """Try a maneuver that no rule names, as a standard action.

    The game master decides which maneuver it is most like, or that another rule governs it, and the modifier
    for circumstances. A stunt unlike all of these is a melee attack roll, unarmed or with a weapon, against
    the AC for maneuvers (woa.maneuver.improvised.closest-match, .mapping-examples, .default).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, actor, "standard")
    refuse_other_rule(fight, act)
    if target is actor:
        raise Refusal(
            f"{actor.id} cannot try a stunt on itself", fight.rule("woa.maneuver.improvised.default")
        )
    weapon = find_weapon(fight, actor, act.weapon) if act.weapon else None
    blow = maneuver_blow(fight, actor, target, "stunt", weapon=weapon)
    yield spend_maneuver_action(fight, actor, "stunt")
    like = yield from choose_similar_maneuver(fight, act)
    planned: Attempt | None = None
    if like != GENERAL:
        planned = yield from plan_stunt_as(fight, act, like)
        if planned is None:
            return
        blow = planned.blow
    blow.attack_extra += yield from circumstances(fight, act)
    if planned is not None and is_target_left_standing(fight, act, like):
        yield from check_stunt(fight, act, blow, "woa.maneuver.improvised.mapping-examples")
    elif planned is not None:
        yield from fight.dialect.maneuvers.substitutes[like].carry_out(fight, planned)
    else:
        yield from check_stunt(fight, act, blow, "woa.maneuver.improvised.default")


def example_of(fight: Fight, act: acts.Stunt) -> JsonObject | None:
    """Return the rule's example for a stunt, None if there is none."""
    rows: list[JsonObject] = fight.figure("woa.maneuver.improvised.mapping-examples")
    return next((row for row in rows if row["stunt"] == act.what), None)


def is_target_left_standing(fight: Fight, act: acts.Stunt, like: str) -> bool:
    """Return whether a stunt like a trip leaves its target on its feet: a shove to the side."""
    example = example_of(fight, act)
    return like == "trip" and example is not None and "without" in example.get("note", "")


def refuse_other_rule(fight: Fight, act: acts.Stunt) -> None:
    """Refuse stunts governed by another rule, such as taking a wand by Sleight of Hand.

    woa.maneuver.improvised.not-a-maneuver
    """
    topic = "woa.maneuver.improvised.not-a-maneuver"
    for row in fight.figure(topic):
        if act.what == row["stunt"]:
            raise Refusal(f"to {act.what} is not a maneuver but {row['resolve_as']}", fight.rule(topic))


def choose_similar_maneuver(fight: Fight, act: acts.Stunt) -> Steps[str]:
    """Ask the game master which maneuver a stunt is most like; the rule's example is the first option.

    woa.maneuver.push.equivalents, woa.maneuver.trip.equivalents
    """
    known = [row["maneuver"] for row in fight.figure("woa.maneuver.list")]
    names = [name for name in known if name in fight.dialect.maneuvers.substitutes]
    example = example_of(fight, act)
    usual = next((name for name in example["resolve_as"] if name in names), GENERAL) if example else GENERAL
    options = (usual, *(name for name in (GENERAL, *names) if name != usual))
    question = f"{act.actor} tries {act.what or 'a stunt'} with {act.target}: which maneuver is it most like?"
    answer = str((yield Choice("", "like", question, options, fight.rule(LIKE))))
    topics = [LIKE, "woa.maneuver.list"]
    if example:
        topics.append("woa.maneuver.improvised.mapping-examples")
    if answer in COMPARABLE:
        topics.append(f"maneuver.{answer}.equivalents")
    what = f"{act.what or 'the stunt'} is resolved like a maneuver: {answer}"
    yield RuleApplied(who=act.actor, what=what, cites=fight.rules(*topics))
    return answer


def plan_stunt_as(fight: Fight, act: acts.Stunt, like: str) -> Steps[Attempt | None]:
    """Return the attempt at the maneuver that a stunt resembles, None if its rules forbid it."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    plan = fight.dialect.maneuvers.substitutes[like]
    try:
        return plan.prepare(fight, actor, target, act.weapon, "", "attack")
    except Refusal as refusal:
        what = f"the stunt comes to nothing: {refusal.reason}"
        yield RuleApplied(who=actor.id, what=what, cites=(refusal.rule,))
        return None


def circumstances(fight: Fight, act: acts.Stunt) -> Steps[list[Modifier]]:
    """Ask the game master for a modifier due to special circumstances."""
    rule = fight.rule(LIKE)
    question = f"do special circumstances change {act.actor}'s roll?"
    value = int((yield Choice("", "circumstances", question, CIRCUMSTANCES, rule)))
    return [Modifier(value, "circumstance", "special circumstances", rule)] if value else []


def check_stunt(fight: Fight, act: acts.Stunt, blow: Blow, topic: str) -> Steps[None]:
    """Make the check of a stunt by the rule on `topic`; the game master decides the effect of a success."""
    attacker: Combatant = blow.attacker
    result = yield from attempt_maneuver(fight, blow, topic)
    if result is None:
        return
    if result.won:
        what = f"succeeds: {act.what or 'the stunt'}"
        yield RuleApplied(who=attacker.id, what=what, cites=fight.rules(topic))
        return
    yield from provoke_by_failure(fight, blow)


# --- Sunder: striking an item that an opponent holds or wears (woa.maneuver.sunder.*)

SOFT = "cloth"


def sunder(fight: Fight, act: acts.Sunder) -> Steps[None]:
    """Strike at an item that an opponent holds or wears, as a standard action.

    woa.maneuver.sunder.action-cost
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, actor, "standard")
    planned = sunder_attempt(fight, actor, target, act.weapon, act.item, "attack", act.secured)
    thing = struck_object(fight, target, planned.item, act)
    yield spend_maneuver_action(
        fight, actor, "sunder", "woa.maneuver.sunder.action-cost", "woa.maneuver.sunder.definition"
    )
    yield from strike_at(fight, planned, thing)


def plan_sunder(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to sunder in place of an attack: a weapon or shield listed in the table."""
    planned = sunder_attempt(fight, attacker, target, weapon, item, kind, "normal")
    struck_object(fight, target, planned.item, None)
    return planned


def sunder_attempt(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str, secured: str
) -> Attempt:
    """Return the attempt to sunder. Refuse by size, worn armor, and items out of reach of harm.

    The option `sunder_size_limit` also limits the gear of larger creatures (woa.maneuver.sunder.size-limits,
    .well-secured-items, .ac-worn-item).
    """
    topic = "woa.maneuver.sunder.size-limits"
    refuse_by_size(fight, attacker, target, "sunder")
    refuse_instead(fight, attacker, target, "sunder", kind, "woa.maneuver.sunder.action-cost")
    larger = size_step(target) - size_step(attacker)
    if fight.option("sunder_size_limit") == "two-larger" and larger > fight.figure(topic, "max_smaller"):
        reason = f"{target.id} is too big for {attacker.id} to sunder (sunder_size_limit: two-larger)"
        raise Refusal(reason, fight.rule(topic))
    item = find_item_of_target(fight, target, item, "woa.maneuver.sunder.definition")
    refuse_secured(fight, target, item, secured)
    with_ = find_weapon(fight, attacker, weapon)
    blow = maneuver_blow(fight, attacker, target, "sunder", weapon=with_, kind=kind, strength=False)
    return Attempt(blow, item, secured, fight.declaration)


def refuse_secured(fight: Fight, target: Combatant, item: str, secured: str) -> None:
    """Refuse worn armor, items too well secured, and items shielded by armor unless the wearer is pinned."""
    rule = fight.rule("woa.maneuver.sunder.well-secured-items")
    if any(part.kind == "armor" and (part.source or "armor") == item for part in target.sheet.armor):
        raise Refusal(f"{target.id} wears the {item}: worn armor cannot be sundered", rule)
    if secured == "well":
        raise Refusal(f"the {item} is too well secured to be sundered", rule)
    if secured == "armored" and "pinned" not in target.conditions:
        raise Refusal(f"armor shields the {item} unless {target.id} is pinned", rule)


def struck_object(fight: Fight, target: Combatant, item: str, act: acts.Sunder | None) -> Object:
    """Return the sturdiness of the object: from the table, or as declared.

    Refuse unknown objects, and declarations that contradict the table for a held item.
    """
    thing = sturdiness(fight, target, item)
    if act is not None and thing is not None and is_held(target, item):
        said = (act.hardness or thing.hardness, act.hp or thing.hp, act.material or thing.material)
        if said != (thing.hardness, thing.hp, thing.material):
            reason = (
                f"the {item} is of {thing.material}, with hardness {thing.hardness} and "
                f"{counted(thing.hp, 'hit point')}"
            )
            raise Refusal(reason, fight.rule("woa.object.durability-source"))
    if act is not None and act.hp > 0 and (thing is None or not is_held(target, item)):
        return Object(act.hardness, act.hp, act.material or SOFT, ())
    if thing is None:
        raise Refusal(
            f"no table lists the {item}: give its hardness and hit points",
            fight.rule("woa.object.durability-source"),
        )
    return thing


def carry_out_sunder(fight: Fight, planned: Attempt) -> Steps[bool]:
    """Make the attempt in place of an attack."""
    return (
        yield from strike_at(fight, planned, struck_object(fight, planned.blow.target, planned.item, None))
    )


def strike_at(fight: Fight, planned: Attempt, thing: Object) -> Steps[bool]:
    """Make the check against what guards the item; a success harms it, a failure provokes nothing.

    Bare hands provoke only if they attack a weapon (woa.maneuver.sunder.unarmed-aoo, .failure).
    """
    blow, item = planned.blow, planned.item
    attacker, target = blow.attacker, blow.target
    topics = ["woa.maneuver.sunder.attack-bonus"]
    unguarded = list(blow.defense_extra)
    if not is_held(target, item):
        if strength_bonus(fight, target):
            topics += ["woa.maneuver.sunder.ac-worn-item", "woa.maneuver.ac-special"]
    elif not at_mercy(fight, target):
        yield from guard_by_base_attack(fight, blow, item, "woa.maneuver.sunder.ac-bab-option")

    def refuse_or_strike_worn() -> None:
        find_item_of_target(fight, target, item, "woa.maneuver.sunder.definition")
        if not is_held(target, item):  # put away: worn items are not guarded
            blow.defense_extra[:] = unguarded
            blow.cites.append(fight.rule("woa.maneuver.sunder.ac-worn-item"))

    opening = "woa.maneuver.sunder.unarmed-aoo" if weapon_in_hand(target, item) is not None else ""
    result = yield from attempt_maneuver(fight, blow, *topics, opening=opening, again=refuse_or_strike_worn)
    if result is None:
        return False
    if not result.won:
        what = f"the {item} takes no harm, and nothing is provoked"
        yield RuleApplied(who=attacker.id, what=what, cites=fight.rules("woa.maneuver.sunder.failure"))
        return False
    yield from damage_object(fight, blow, item, thing)
    return True


def damage_object(fight: Fight, blow: Blow, item: str, thing: Object) -> Steps[None]:
    """Roll the weapon's damage; the part the material lets through damages the item, broken at 0.

    woa.maneuver.sunder.success, woa.object.state.damaged, .broken,
    woa.maneuver.sunder.improved-sunder-overflow
    """
    attacker, target, weapon = blow.attacker, blow.target, blow.weapon
    effect = yield from effect_on(fight, weapon, thing)
    parts = [*damage_bonus(fight, blow), *condition_parts(fight, attacker, "damage")]
    tally = fight.stack([*parts, *effect_parts(attacker, "damage", target.id)])
    rolled = yield Roll(attacker.id, "damage", weapon.damage)
    total = max(fight.figure("woa.damage.minimum-1", "minimum_on_hit"), rolled.total + tally.total)
    through = {"full damage": total, "half damage": total // 2}.get(effect, 0)
    before = max(0, thing.hp - target.resources.get(f"damage to {item}", 0))
    beyond = max(0, through - thing.hardness) - before
    dealt = min(before, max(0, through - thing.hardness))
    topics = ["woa.maneuver.sunder.success"]
    if effect != "full damage":
        topics.append("woa.maneuver.sunder.ineffective-weapons")
    left = before - dealt
    broken = dealt and is_broken(fight, left)
    if dealt and not broken and is_damaged(fight, left, thing.hp):
        topics.append("woa.object.state.damaged")
    yield ItemStruck(
        attacker=attacker.id,
        bearer=target.id,
        item=item,
        weapon=weapon.name,
        dice=(DamagePart(weapon.damage, rolled.key, rolled.total, weapon.damage_type, weapon.name),),
        modifiers=tally.parts,
        total=total,
        hardness=thing.hardness,
        dealt=dealt,
        left=left,
        cites=(*thing.cites, *fight.rules(*topics)),
    )
    if broken:
        held = is_held(target, item)
        yield from lose(fight, target, item, "broken", fight.rules("woa.object.state.broken"))
        if held and beyond > 0 and has_feat(attacker, "improved sunder"):
            rule = fight.rule("woa.maneuver.sunder.improved-sunder-overflow")
            yield from carry_over(fight, blow, item, beyond, rule)


# --- Trip: an opponent knocked to the ground, a rider out of the saddle (woa.maneuver.trip.*)

DEFENSE = "woa.maneuver.trip.unhorse-ride-defense"
#: Traits of a mount for its saddle, with the row of the rule; any other saddle is ordinary.
SADDLES = {"bareback": "none", "military saddle": "military"}


def trip(fight: Fight, act: acts.Trip) -> Steps[None]:
    """Trip an opponent as a standard action (woa.maneuver.trip.action-cost)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, actor, "standard")
    attempt_ = plan_trip(fight, actor, target, act.weapon, "", "attack")
    yield spend_maneuver_action(
        fight, actor, "trip", "woa.maneuver.trip.action-cost", "woa.maneuver.trip.definition"
    )
    yield from carry_out_trip(fight, attempt_)


def plan_trip(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to trip. Refuse targets too big or small, without legs, or already prone.

    woa.maneuver.trip.size-limits, .immune-creatures, .stability-bonus
    """
    refuse_by_size(fight, attacker, target, "trip")
    refuse_instead(fight, attacker, target, "trip", kind, "woa.maneuver.trip.action-cost")
    refuse_fallen(fight, target)
    blow = maneuver_blow(
        fight, attacker, target, "trip", weapon=tripping_weapon(fight, attacker, weapon), kind=kind
    )
    blow.defense_extra += stability(fight, target, "woa.maneuver.trip.stability-bonus")
    return Attempt(blow, name=fight.declaration)


def refuse_fallen(fight: Fight, target: Combatant) -> None:
    """Refuse to trip a target that cannot fall or is already prone."""
    if is_immune_to_tripping(target):
        raise Refusal(f"{target.id} cannot be tripped", fight.rule("woa.maneuver.trip.immune-creatures"))
    if "prone" in target.conditions:
        raise Refusal(f"{target.id} is prone already", fight.rule("woa.maneuver.trip.success"))


def tripping_weapon(fight: Fight, combatant: Combatant, name: str) -> Weapon:
    """Return the weapon to trip with: the named one, a trip weapon in hand, or the bare hand.

    Refuse a named weapon that cannot trip (woa.maneuver.trip.trip-weapons).
    """
    if not name:
        return next((one for one in held_weapons(combatant) if "trip" in one.traits), None) or unarmed(
            fight, combatant
        )
    weapon = find_weapon(fight, combatant, name, can_trip)
    if not can_trip(weapon):
        reason = f"the {weapon.name} is not a trip weapon"
        raise Refusal(reason, fight.rule("woa.maneuver.trip.trip-weapons"))
    return weapon


def carry_out_trip(fight: Fight, attempt_: Attempt) -> Steps[bool]:
    """Make the check; the target falls, or strikes back unless the weapon is dropped."""
    blow = attempt_.blow
    topics = ["woa.maneuver.trip.attack-bonus"]
    if blow.weapon.wield != "unarmed":
        topics.append("woa.maneuver.trip.trip-weapons")
    again = partial(refuse_fallen, fight, blow.target)
    if blow.target.mount:
        seat = yield from choose_ride_defense(fight, blow)
        opening = "woa.maneuver.trip.unhorse-unarmed-aoo"
        check = yield from attempt_maneuver(
            fight, blow, *topics, "woa.maneuver.trip.unhorse", opening=opening, against=seat, again=again
        )
    else:
        check = yield from attempt_maneuver(fight, blow, *topics, again=again)
    if check is None:
        return False
    if check.won:
        yield from fall_tripped(fight, blow)
        return True
    if not (yield from drops_weapon(fight, attempt_)):
        yield from provoke_by_failure(fight, blow, "woa.maneuver.trip.failure")
    return False


def fall_tripped(fight: Fight, blow: Blow) -> Steps[None]:
    """Bring the target down, out of its saddle if it rides; with Improved Trip it is attacked too.

    woa.maneuver.trip.success, .improved-trip, .unhorse
    """
    attacker, target = blow.attacker, blow.target
    source = f"tripped by {attacker.id}"
    cites = fight.rules("woa.maneuver.trip.success")
    if target.mount:
        steed = fight.state.combatants[target.mount]
        pulled = fight.rules("woa.maneuver.trip.unhorse", "woa.mount.combat.unhorsing")
        yield from separate_from_mount(fight, target, steed, "is pulled", *pulled)
        cites = (*cites, pulled[0])
    yield ConditionGained(who=target.id, condition="prone", source=source, cites=cites)
    yield from fight.dialect.attacks.after_maneuver(fight, blow)
    if has_feat(attacker, "improved trip") and threatens(fight, attacker, target):
        rule = fight.rule("woa.maneuver.trip.improved-trip")
        opportunity = f"{FELLED}:{fight.declaration}:{fight.scope}"
        yield from fight.dialect.opportunity.provoke(
            fight, target, [attacker], f"is tripped by {attacker.id}", opportunity, rule
        )


def drops_weapon(fight: Fight, attempt_: Attempt) -> Steps[bool]:
    """Ask an attacker that failed with a weapon whether to drop it to avoid the counterattack.

    woa.maneuver.trip.drop-weapon
    """
    blow = attempt_.blow
    attacker, target, weapon = blow.attacker, blow.target, blow.weapon
    if weapon.name not in attacker.held or not can_defender_answer(fight, blow):
        return False
    rule = fight.rule("woa.maneuver.trip.drop-weapon")
    question = f"{attacker.id} failed to trip {target.id}: does it drop the {weapon.name} to give no opening?"
    if (yield Choice(attacker.id, "drop", question, ("keep", "drop"), rule)) != "drop":
        return False
    yield from lose(fight, attacker, weapon.name, "dropped", (rule,))
    return True


def choose_ride_defense(fight: Fight, blow: Blow) -> Steps[Tally | None]:
    """Ask a rider whether a Ride check replaces its AC; return that check, None for the AC.

    The saddle modifies either (woa.maneuver.trip.unhorse-ride-defense, .unhorse-saddle-modifier).
    """
    rider = blow.target
    steed = fight.state.combatants[rider.mount]
    saddle = saddle_parts(fight, steed)
    rule = fight.rule(DEFENSE)
    question = f"{blow.attacker.id} tries to unhorse {rider.id}: does it trust its riding or its AC?"
    asking = Choice(rider.id, "seat", question, ("Ride", "armor class"), rule)
    if at_mercy(fight, rider) or (yield asking) != "Ride":
        blow.defense_extra += saddle
        return None
    rolled = yield Roll(rider.id, "ride", "1d20")
    parts = check_parts(fight, rider, "ride", skill_parts(fight, rider, "ride", "dex", rule))
    return fight.stack([Modifier(rolled.total, "roll", "Ride check", rule), *parts, *saddle])


def saddle_parts(fight: Fight, steed: Combatant) -> list[Modifier]:
    """Return the saddle's modifier for staying in it; none for an ordinary one."""
    row = next((row for trait, row in SADDLES.items() if has_trait(steed, trait)), "ordinary")
    topic, source = "woa.maneuver.trip.unhorse-saddle-modifier", f"{row} saddle".replace("none", "no")
    part = fight.modifier(topic, f"saddle={row}", "modifier", kind="circumstance", source=source)
    return [part] if part.value else []
