"""Disarm, sunder and feint."""

from affray.engine.dialects.srd35.classes import abilities
from affray.engine.dialects.srd35.gear import Sturdiness, sturdiness
from affray.engine.dialects.srd35.grapple.restraints import cut_free
from affray.engine.dialects.srd35.maneuvers.bull_rush_and_trip import attack_roll_of, beats_opposed
from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Blow, Intent
from affray.engine.record.chapters import Attempt, Side, Substitute
from affray.engine.rules.classes.abilities import lowered
from affray.engine.rules.classes.checks import skill_parts
from affray.engine.rules.classes.sheets import ability, has_feat, has_trait
from affray.engine.rules.gear.handling import is_locked
from affray.engine.rules.gear.hands import held_weapons, lose
from affray.engine.rules.gear.objects import Durability, batter, is_held, item_struck, roll_blow_at_item
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.grapple import is_pinning
from affray.engine.rules.maneuvers.opposed_checks import (
    arms_of,
    choose_guard,
    defending_roll,
    melee_weapon,
    misled,
    penalty_by_kind,
    refuse_to_mislead,
    side_of,
    take_item,
)
from affray.engine.rules.maneuvers.trample import melee_attempt, provoke_from_target, still_possible
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- Disarm: opposed attack rolls for a held, or worn, item (srd35.disarm.*, srd35.grab.*)

DISARM_OPPOSED = "disarm.opposed-rolls"  # srd35.disarm.opposed-rolls


def disarm(fight: Fight, act: acts.Disarm) -> Steps[None]:
    """Disarm an opponent, or grab a worn item, as a standard action, in place of an attack."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    attempt = disarm_attempt(fight, actor, target, act.weapon, act.item, "attack", act.secured)
    yield spending(
        fight, actor, "standard", "disarm", *fight.rules("srd35.disarm.attack", "srd35.aoo.substitutes")
    )
    yield from carry_out_disarm(fight, attempt)


def disarm_attempt(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    weapon: str,
    item: str,
    kind: str,
    secured: str = "normal",
) -> Attempt:
    """Return the attempt to disarm. Refuses items that are out of reach, held fast or missing.

    Spiked gauntlets hold everything; well secured items can only be taken from the pinned.
    """
    rule = fight.rule("srd35.disarm.attack")
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot disarm itself", rule)
    with_ = find_weapon(fight, attacker, weapon)
    blow = melee_attempt(fight, attacker, target, with_, kind, rule)
    # Asked for each attack of opportunity, to find what might replace it: inlined in place of `arms_of`.
    held = [one.name for one in held_weapons(target) if one.wield not in ("natural", "unarmed")]
    if not item and not held:
        raise Refusal(f"{target.id} holds nothing to be disarmed of", rule)
    item = item or held[0]
    fast = any("cannot be disarmed" in one.traits for one in held_weapons(target) if one.name == item)
    if item in target.held and (fast or has_trait(target, "spiked gauntlet")):
        raise Refusal(f"{target.id} wears spiked gauntlets", fight.rule("srd35.disarm.spiked-gauntlet"))
    if item not in target.held:
        if target.items.get(item) in ("dropped", "broken", "gone"):
            raise Refusal(f"{target.id} has no {item} any more", fight.rule("srd35.grab.item"))
        if secured == "well" and not is_pinning(attacker, target):
            raise Refusal(
                f"the {item} is too well secured unless {target.id} is pinned",
                fight.rule("srd35.grab.well-secured"),
            )
    return Attempt(blow, item, secured, fight.declaration)


def carry_out_disarm(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Provoke, oppose attack rolls, and move the weapon; a failure may be answered.

    An attack of opportunity that deals damage ruins the attempt.
    """
    blow, item = attempt.blow, attempt.item
    attacker, target = blow.attacker, blow.target
    if not (yield from still_possible(fight, attempt)):
        return False
    practised = has_feat(attacker, "improved disarm")
    if not practised:
        opening = yield from provoke_from_target(
            fight,
            attempt,
            "tries to disarm",
            f"disarm:{attempt.name}",
            fight.rule("srd35.disarm.aoo"),
            *fight.dialect.turns.table_rules(fight, "varies", "Disarm"),
        )
        if opening.hurt or is_down(fight, attacker):
            spoiled = fight.rules("srd35.disarm.aoo", "srd35.disarm.aoo-damage-spoils")
            yield RuleApplied(who=attacker.id, what="hurt, the attempt to disarm fails", cites=spoiled)
            return False
        if not opening.goes_on:
            return False
    worn = item not in target.held
    guard = melee_weapon(target, item)
    if guard is None:
        guard = yield from choose_guard(fight, target, item, fight.rule(DISARM_OPPOSED))
    mine, theirs, cites = opposed_rolls(fight, attempt, guard, worn)
    yield from fight.dialect.maneuvers.before_contest(fight, attacker, target)
    contest = yield from beats_opposed(fight, "disarm", mine, theirs, fight.rule(DISARM_OPPOSED), *cites)
    if contest.won:
        how = "srd35.grab.item" if worn else "srd35.disarm.success"
        yield from take_item(fight, blow, item, *fight.rules(how, "srd35.disarm.attack"))
        return True
    if worn:
        yield RuleApplied(
            who=target.id,
            what="a failed snatch allows no disarm in return",
            cites=fight.rules("srd35.grab.no-counter"),
        )
    elif melee_weapon(target, item) is None:
        not_in_return = fight.rules("srd35.disarm.non-melee-item")
        yield RuleApplied(who=target.id, what=f"the {item} allows no disarm in return", cites=not_in_return)
    elif not practised:
        yield from disarm_back(fight, target, blow, item)
    return False


def opposed_rolls(
    fight: Fight, attempt: Attempt, guard: Weapon, worn: bool
) -> tuple[Side, Side, tuple[str, ...]]:
    """Return both opposed attack rolls, with the modifiers of the item and its fastening."""
    blow, item = attempt.blow, attempt.item
    attacker, target = blow.attacker, blow.target
    wielded = melee_weapon(target, item)
    mine = attack_roll_of(fight, blow, DISARM_OPPOSED)
    theirs = attack_roll_of(fight, defending_roll(fight, target, attacker, guard), DISARM_OPPOSED)
    topics: list[str] = []
    mine.parts += disarming_bonus(fight, blow.weapon)
    theirs.parts += disarming_bonus(fight, wielded) if wielded is not None else []
    if has_feat(attacker, "improved disarm"):
        mine.parts.append(
            fight.modifier("srd35.feat.improved-disarm", "check", kind="feat", source="Improved Disarm")
        )
    if wielded is None:
        penalty = fight.modifier(
            "srd35.disarm.non-melee-penalty",
            "defender",
            kind="penalty",
            source=f"the {item} is no melee weapon",
        )
        theirs.parts.append(penalty)
        topics += ["srd35.disarm.non-melee-item", "srd35.disarm.non-melee-penalty"]
    elif is_locked(target, wielded):
        theirs.parts.append(
            fight.modifier(
                "srd35.disarm.locked-gauntlet", "defender", kind="circumstance", source="locked gauntlet"
            )
        )
    if worn:
        topics += ["srd35.grab.item", "srd35.sunder.snatch-instead"]
    if worn and attempt.secured == "poorly":
        mine.parts.append(
            fight.modifier(
                "srd35.grab.poorly-secured", "attacker", kind="circumstance", source="poorly secured"
            )
        )
    if worn and attempt.secured == "well":
        theirs.parts.append(
            fight.modifier("srd35.grab.well-secured", "defender", kind="circumstance", source="well secured")
        )
        topics.append("srd35.grapple.pinning-disarm")
    return mine, theirs, fight.rules(*topics) if topics else ()


def disarming_bonus(fight: Fight, weapon: Weapon) -> list[Modifier]:
    """Return the bonus of a weapon made to disarm, also for keeping hold of it
    (srd35.weapons.special-key).
    """
    return [
        fight.modifier("srd35.weapons.special-key", trait, kind="handling", source=f"{weapon.name}: {trait}")
        for trait in weapon.traits
        if trait in ("disarm+2", "disarm+4")
    ]


def disarm_back(fight: Fight, combatant: Combatant, failed: Blow, item: str) -> Steps[None]:
    """Let a target that kept its weapon try to disarm the attacker: no provoking, no further answer."""
    target = failed.attacker
    mine = melee_weapon(combatant, item)
    theirs = melee_weapon(target, failed.weapon.name)
    if mine is None or theirs is None or theirs.wield == "natural" or is_down(fight, combatant):
        return
    rule = fight.rule("srd35.disarm.counter")
    id = combatant.id
    question = f"{target.id} failed to disarm {id}: does {id} try to disarm {target.id} in return?"
    if (yield Choice(combatant.id, "counter-disarm", question, ("try", "decline"), rule)) != "try":
        return
    blow = defending_roll(fight, combatant, target, mine)
    one, other = (
        attack_roll_of(fight, blow, DISARM_OPPOSED),
        attack_roll_of(fight, defending_roll(fight, target, combatant, theirs), DISARM_OPPOSED),
    )
    one.parts += disarming_bonus(fight, mine)
    other.parts += disarming_bonus(fight, theirs)
    contest = yield from beats_opposed(
        fight,
        "counter-disarm",
        one,
        other,
        rule,
        fight.rule(DISARM_OPPOSED),
    )
    if contest.won:
        cites = fight.rules("srd35.disarm.success", "srd35.disarm.attack")
        yield from take_item(fight, blow, theirs.name, *cites)


DISARM = Substitute(disarm_attempt, carry_out_disarm)


# --- Feint: Bluff against Sense Motive for one blow without the target's Dexterity

HUMANOIDS = ("humanoid", "monstrous humanoid")


def feint(fight: Fight, act: acts.Feint) -> Steps[None]:
    """Mislead an opponent: a standard action, a move action with Improved Feint, which does not provoke.

    If Bluff beats Sense Motive and base attack bonus, the feinter's next melee attack on the target, until
    the end of its next turn, denies the target its Dexterity bonus (srd35.feint.*).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("srd35.feint.action")
    quick = has_feat(actor, "improved feint")
    kind = str(fight.figure("srd35.feint.improved", "action_with_feat")) if quick else "standard"
    nonhumanoid = fight.rule("srd35.feint.nonhumanoid")
    refuse_to_mislead(fight, actor, target, rule, nonhumanoid)
    learned = fight.rules("srd35.feint.improved", "srd35.feat.improved-feint") if quick else ()
    yield spending(fight, actor, kind, "feint", rule, fight.rule("srd35.skill.bluff-feint"), *learned)
    yield RuleApplied(who=actor.id, what="a feint does not provoke", cites=fight.rules("srd35.feint.no-aoo"))
    strange = penalty_by_kind(fight, target, nonhumanoid, "int_1_2", HUMANOIDS)
    bluff = [
        *skill_parts(fight, actor, "bluff", "cha", rule),
        *abilities.check_bonus_against(fight, actor, target, "bluff"),
        *strange,
    ]
    sense = [
        *skill_parts(fight, target, "sense motive", "wis", rule),
        *abilities.check_bonus_against(fight, target, actor, "sense motive"),
        Modifier(target.sheet.base_attack, "base", "base attack bonus", rule),
    ]
    contest = yield from beats_opposed(
        fight,
        "feint",
        side_of(fight, actor, "bluff", bluff),
        side_of(fight, target, "sense motive", sense),
        rule,
        *(part.rule for part in strange),
    )
    if contest.won:
        yield misled(fight, actor, target, fight.rule("srd35.feint.effect"))


# --- Sunder: attacks on a held, carried or worn item (srd35.sunder.*, srd35.object.*)

SUNDER_OPPOSED = "srd35.sunder.opposed-rolls"


def sunder(fight: Fight, act: acts.Sunder) -> Steps[None]:
    """Attack an opponent's weapon, shield or other item: a standard action."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    given = Sturdiness(act.size, act.hardness, act.hp, ()) if act.hp > 0 else None
    attempt = sunder_attempt(fight, actor, target, act.weapon, act.item, "attack")
    thing = what_is_struck(fight, target, attempt.item, given)
    yield spending(
        fight,
        actor,
        "standard",
        "sunder",
        *fight.rules("srd35.sunder.attack", "srd35.actions-table.standard"),
    )
    yield from strike_at(fight, attempt, thing)


def plan_sunder(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to sunder in place of another attack, if option `sunder_as_attack` allows it."""
    if fight.option("sunder_as_attack") != "melee-attack":
        raise Refusal("sundering is a separate standard action", fight.rule("srd35.actions-table.standard"))
    attempt = sunder_attempt(fight, attacker, target, weapon, item, kind)
    what_is_struck(fight, target, attempt.item, None)
    return attempt


def sunder_attempt(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to sunder. Refuses piercing weapons, worn armor and targets out of reach."""
    rule = fight.rule("srd35.sunder.attack")
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot sunder what it holds itself", rule)
    with_ = find_weapon(fight, attacker, weapon)
    if with_.damage_type not in fight.figure("srd35.sunder.attack", "weapon_types"):
        raise Refusal(f"the {with_.name} neither slashes nor bludgeons", rule)
    blow = melee_attempt(fight, attacker, target, with_, kind, rule)
    armor = any(bonus.kind == "armor" and (bonus.source or "armor") == item for bonus in target.sheet.armor)
    if armor and target.items.get(item) != "doffed":
        raise Refusal("armor that is worn cannot be sundered", fight.rule("srd35.sunder.no-worn-armor"))
    item = item or next((one.name for one in arms_of(target)), "")
    if not item or target.items.get(item) in ("dropped", "broken", "gone"):
        raise Refusal(f"{target.id} has no {item or 'weapon in hand'} to strike at", rule)
    return Attempt(blow, item, name=fight.declaration)


def what_is_struck(fight: Fight, target: Combatant, item: str, given: Sturdiness | None) -> Sturdiness:
    """Return the object's sturdiness: by the table, or as declared. Refuses unknown objects."""
    if given is not None and not is_held(target, item):
        return given
    found = sturdiness(fight, target, item)
    if found is None:
        raise Refusal(
            f"the hardness and hit points of the {item} are in no table: declare them",
            fight.rule("srd35.object.hardness"),
        )
    return found


def carry_out_sunder(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Make the attempt in place of another attack, which one reading allows."""
    blow = attempt.blow
    yield RuleApplied(
        who=blow.attacker.id,
        what="sunder in place of an attack (sunder_as_attack: melee-attack)",
        cites=fight.rules("srd35.aoo.substitutes", "srd35.sunder.attack"),
    )
    thing = what_is_struck(fight, blow.target, attempt.item, None)
    return (yield from strike_at(fight, attempt, thing))


def strike_at(fight: Fight, attempt: Attempt, thing: Sturdiness) -> Steps[bool]:
    """Provoke; oppose attack rolls for held items, or hit the AC of carried ones; damage the object.

    The attack of opportunity does not ruin the attempt.
    """
    blow, item = attempt.blow, attempt.item
    attacker, target = blow.attacker, blow.target
    if not (yield from still_possible(fight, attempt)):
        return False
    held = is_held(target, item)
    practised = has_feat(attacker, "improved sunder")
    if not practised:
        opening = yield from provoke_from_target(
            fight,
            attempt,
            f"strikes at the {item}",
            f"sunder:{attempt.name}",
            fight.rule("srd35.sunder.aoo" if held else "srd35.sunder.carried-aoo"),
        )
        if not opening.goes_on:
            return False
    if practised:
        feat = fight.modifier("srd35.feat.improved-sunder", "check", kind="feat", source="Improved Sunder")
        blow.attack_extra.append(feat)
    yield from fight.dialect.maneuvers.before_contest(fight, attacker, target)
    reached = (
        (yield from beats_defender(fight, blow, item))
        if held
        else (yield from reaches_item(fight, blow, item, thing))
    )
    if not reached:
        yield RuleApplied(
            who=attacker.id, what=f"the {item} takes no harm", cites=fight.rules("srd35.sunder.fail")
        )
        return False
    yield from damage_object(fight, blow, item, thing)
    return True


def beats_defender(fight: Fight, blow: Blow, item: str) -> Steps[bool]:
    """Oppose the attack rolls of both weapons; a shield is defended with the weapon in hand."""
    attacker, target = blow.attacker, blow.target
    guard = next((one for one in held_weapons(target) if one.name == item), None)
    if guard is None:
        guard = yield from choose_guard(fight, target, item, fight.rule(SUNDER_OPPOSED))
    against = Blow(target, attacker, guard, True, distance(attacker, target), Intent("sunder"))
    contest = yield from beats_opposed(
        fight,
        "sunder",
        attack_roll_of(fight, blow, SUNDER_OPPOSED),
        attack_roll_of(fight, against, SUNDER_OPPOSED),
        fight.rule(SUNDER_OPPOSED),
    )
    return contest.won


def reaches_item(fight: Fight, blow: Blow, item: str, thing: Sturdiness) -> Steps[bool]:
    """Roll to hit a carried or worn object: AC 10 + its size + its bearer's Dexterity."""
    target = blow.target
    rule = fight.rule("srd35.sunder.carried-object")
    defense = [
        Modifier(fight.formula("srd35.sunder.carried-object", "ac"), "base", "base", rule),
        fight.modifier("srd35.size.attack-ac-table", thing.size.capitalize(), kind="size", source=thing.size),
        Modifier(ability(target.sheet, "dex"), "ability", f"Dexterity of {target.id}", rule),
        *lowered(fight, target, "dex"),
    ]
    return (yield from roll_blow_at_item(fight, blow, item, defense, rule, fight.rule("srd35.object.ac")))


def damage_object(fight: Fight, blow: Blow, item: str, thing: Sturdiness) -> Steps[None]:
    """Roll the weapon's damage; what passes hardness comes off the object, which breaks at 0.

    There are no critical hits against an object, and no nonlethal damage (srd35.object.immunities).
    """
    found = yield from batter(fight, blow, item, Durability(thing.hardness, thing.hp, ()))
    struck = item_struck(blow, item, found, found.dealt, *thing.cites, *fight.rules("srd35.sunder.success"))
    yield struck
    if not struck.left:
        yield from cut_free(fight, blow.target, item)
        broken = tuple(dict.fromkeys((*struck.cites, fight.rule("srd35.object.hardness"))))
        yield from lose(fight, blow.target, item, "broken", broken)


SUNDER = Substitute(plan_sunder, carry_out_sunder)
