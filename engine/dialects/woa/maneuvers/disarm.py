"""Disarm: what an opponent holds knocked or taken from its hands, or snatched off its body (woa.disarm.*)."""

from functools import partial

from affray.engine.dialects.woa.maneuvers.item_targets import (
    free_hands,
    guard_by_base_attack,
    named_item,
    weapon_in_hand,
)
from affray.engine.dialects.woa.maneuvers.maneuver_check import (
    at_mercy,
    attempt_maneuver,
    maneuver_blow,
    provoke_by_failure,
    refuse_by_size,
    spend_maneuver_action,
    strength_bonus,
)
from affray.engine.dialects.woa.maneuvers.maneuvers_as_attacks import refuse_instead
from affray.engine.dialects.woa.table_cells import table_modifier
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.classes.ability_modifiers import has_feat, wielded_in_two_hands
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.gear.item_hardness import is_held
from affray.engine.rules.gear.let_go import lose
from affray.engine.rules.gear.others_things import taken_from
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

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
    """Return the attempt to disarm. Refuses by size, what is not there, and what sits too well.

    With an empty weapon name it is made with what is in hand, `both_hands` needs two empty ones
    (woa.disarm.size-limit, .attack-bonus, .snatch-secured, .two-hands-attacker).
    """
    refuse_by_size(fight, attacker, target, "disarm")
    refuse_instead(fight, attacker, target, "disarm", kind, "woa.disarm.action")
    item = named_item(fight, target, item, "woa.disarm.overview")
    with_ = unarmed(fight, attacker) if both_hands else find_weapon(fight, attacker, weapon)
    if both_hands and free_hands(attacker) < 2:
        reason = f"{attacker.id} does not have both hands free"
        raise Refusal(reason, fight.rule("woa.disarm.two-hands-attacker"))
    held = is_held(target, item)
    if not held and secured == "well" and "pinned" not in target.conditions:
        reason = f"the {item} sits too well unless {target.id} is pinned"
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
    """Return what keeps an item in hand: both hands on it, a locked gauntlet."""
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
    """Return how firmly a worn item sits; option `secured_item_ac` says what very well adds.

    woa.disarm.snatch-worn-ac, .snatch-secured.
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
    """Make the check with what guards the item; it changes its place, or the defender strikes back.

    Bare hands provoke first, and what that costs is taken off the check (woa.disarm.unarmed-aoo, -penalty).
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
    """Return what counts against a disarm besides how the item is held."""
    grip = what_secures_in_hand(fight, blow.target, item)
    return [part for part in blow.defense_extra if part not in grip]


def refuse_or_snatch(fight: Fight, planned: Attempt, bare: list[Modifier] | None) -> None:
    """Refuse to take what is gone; what was put away meanwhile is worn now, and snatched as such.

    `bare` is what counts against it besides its grip or how firmly it sits, None for what was worn from the
    first; that is out of reach once it is drawn (woa.disarm.snatch-worn-ac).
    """
    blow, item = planned.blow, planned.item
    named_item(fight, blow.target, item, "woa.disarm.overview")
    held = is_held(blow.target, item)
    if bare is None and held:
        raise Refusal(f"{blow.target.id} holds the {item} now", fight.rule("woa.disarm.snatch-worn"))
    if bare is not None and not held:
        blow.defense_extra[:] = [*bare, *fastening(fight, item, planned.secured)]
        blow.cites += fight.rules("woa.disarm.snatch-worn", "woa.disarm.snatch-no-strength")


def take_item(fight: Fight, blow: Blow, item: str, held: bool) -> Steps[None]:
    """Let an item pass into the bare hand, or fall to the ground unless an empty hand catches it."""
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
    yield from taken_from(fight, attacker, target, item, cites)


def catches(fight: Fight, blow: Blow, item: str) -> Steps[bool]:
    """Say whether the disarmer catches the item in its empty hand: by skill or by Improved Disarm.

    woa.disarm.success-catch: beside a light or one-handed weapon.
    """
    attacker = blow.attacker
    if wielded_in_two_hands(blow.weapon) or blow.weapon.wield == "natural" or not free_hands(attacker):
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
