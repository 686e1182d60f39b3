"""Disarm: opposed attack rolls for what an opponent holds, or wears (srd35.disarm.*, srd35.grab.*)."""

from affray.engine.dialects.srd35.maneuvers.opposed_checks import attack_roll_of, beats_opposed
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt, Side, Substitute
from affray.engine.rules.classes.ability_modifiers import has_feat, has_trait
from affray.engine.rules.gear.chosen_weapon import choose_weapon
from affray.engine.rules.gear.held_weapons import held_weapons, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.maneuvers.attempts import melee_attempt, provoke_from_target, still_possible
from affray.engine.rules.maneuvers.disarmed import defending_roll, melee_weapon, take_item
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

OPPOSED = "disarm.opposed-rolls"  # srd35.disarm.opposed-rolls


def disarm(fight: Fight, act: acts.Disarm) -> Steps[None]:
    """Disarm an opponent, or snatch what it wears, as a standard action, in place of an attack."""
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
    """Return the attempt to disarm. Refuses what cannot be reached, held fast or found.

    Spiked gauntlets hold everything; well secured items come off the pinned only.
    """
    rule = fight.rule("srd35.disarm.attack")
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot disarm itself", rule)
    with_ = find_weapon(fight, attacker, weapon)
    blow = melee_attempt(fight, attacker, target, with_, kind, rule)
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
        if secured == "well" and not pinned_by(target, attacker):
            raise Refusal(
                f"the {item} sits too well unless {target.id} is pinned",
                fight.rule("srd35.grab.well-secured"),
            )
    return Attempt(blow, item, secured, fight.declaration)


def pinned_by(combatant: Combatant, by: Combatant) -> bool:
    """Say whether a combatant is pinned by another."""
    return "pinned" in combatant.conditions and combatant.conditions["pinned"].source == by.id


def carry_out_disarm(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Provoke, oppose attack rolls, and let the weapon change its place; a failure may be answered.

    An attack of opportunity that hurts spoils the attempt.
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
    guard = melee_weapon(target, item) or unarmed(fight, target)
    ready = [one for one in held_weapons(target) if strikes_in_melee(one)]
    if ready and melee_weapon(target, item) is None:
        question = f"with which weapon does {target.id} guard the {item}?"
        guard = yield from choose_weapon(target.id, question, ready, fight.rule(OPPOSED))
    mine, theirs, cites = opposed_rolls(fight, attempt, guard, worn)
    yield from fight.dialect.maneuvers.before_contest(fight, attacker, target)
    contest = yield from beats_opposed(fight, "disarm", mine, theirs, fight.rule(OPPOSED), *cites)
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
    """Return both opposed attack rolls, with what the item and its fastening do to them."""
    blow, item = attempt.blow, attempt.item
    attacker, target = blow.attacker, blow.target
    wielded = melee_weapon(target, item)
    mine = attack_roll_of(fight, blow, OPPOSED)
    theirs = attack_roll_of(fight, defending_roll(fight, target, attacker, guard), OPPOSED)
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
    elif "locked gauntlet" in wielded.traits:
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
    """Return the bonus of a weapon made to disarm, also to keep hold of it (srd35.weapons.special-key)."""
    return [
        fight.modifier("srd35.weapons.special-key", trait, kind="handling", source=f"{weapon.name}: {trait}")
        for trait in weapon.traits
        if trait in ("disarm+2", "disarm+4")
    ]


def disarm_back(fight: Fight, combatant: Combatant, failed: Blow, item: str) -> Steps[None]:
    """Let the one who kept its weapon try to disarm the attacker: no provoking, no further answer."""
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
        attack_roll_of(fight, blow, OPPOSED),
        attack_roll_of(fight, defending_roll(fight, target, combatant, theirs), OPPOSED),
    )
    one.parts += disarming_bonus(fight, mine)
    other.parts += disarming_bonus(fight, theirs)
    contest = yield from beats_opposed(
        fight,
        "counter-disarm",
        one,
        other,
        rule,
        fight.rule(OPPOSED),
    )
    if contest.won:
        cites = fight.rules("srd35.disarm.success", "srd35.disarm.attack")
        yield from take_item(fight, blow, theirs.name, *cites)


DISARM = Substitute(disarm_attempt, carry_out_disarm)
