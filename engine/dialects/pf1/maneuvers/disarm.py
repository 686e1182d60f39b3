"""Disarm: what an opponent holds falls to the ground, or what the attacker held (pf1.disarm)."""

from collections.abc import Iterator
from typing import Any, Final

from affray.engine.dialects.pf1.classes.fighter import guarded_weapon
from affray.engine.dialects.pf1.maneuvers.maneuver_check import Check, attempt_maneuver, maneuver_blow
from affray.engine.dialects.pf1.maneuvers.maneuver_feats import GREATER, has_greater
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt, Substitute
from affray.engine.rules.gear.hands import hands_left
from affray.engine.rules.gear.let_go import lose
from affray.engine.rules.gear.others_things import taken_from
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: The eight ways, as a d8 counts them: from the north clockwise.
WAYS: Final = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))


def disarm(fight: Fight, act: acts.Disarm) -> Steps[None]:
    """Disarm an opponent with the one attack of a standard action (pf1.disarm, pf1.maneuver.modes)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    attempt = plan_disarm(fight, actor, target, act.weapon, act.item, "attack")
    yield spending(fight, actor, "standard", "disarm", *fight.rules("pf1.disarm", "pf1.maneuver.modes"))
    yield from carry_out_disarm(fight, attempt)


def plan_disarm(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to disarm. Refuses what the target does not hold."""
    with_ = find_weapon(fight, attacker, weapon)
    blow = maneuver_blow(fight, attacker, target, "disarm", with_, kind)
    held = items_held(target)
    if not held:
        raise Refusal(f"{target.id} holds nothing to be disarmed of", fight.rule("pf1.disarm"))
    if item and item not in held:
        raise Refusal(f"{target.id} holds no {item}", fight.rule("pf1.disarm"))
    blow.attack_extra += handling(fight, with_)
    blow.defense_extra += guarded_weapon(fight, target, item or held[0])
    return Attempt(blow, item or held[0], name=fight.declaration)


def items_held(combatant: Combatant) -> list[str]:
    """Return what a combatant has in hand, without what is part of it."""
    part_of_it = {one.name for one in combatant.sheet.weapons if one.wield in ("natural", "unarmed")}
    return [name for name in combatant.held if name not in part_of_it]


def handling(fight: Fight, weapon: Weapon) -> list[Modifier]:
    """Return what an attempt with bare hands costs, and what a weapon made for it gives.

    pf1.disarm, pf1.weapons.trip-disarm-quality.
    """
    if weapon.wield == "unarmed":
        return [fight.modifier("pf1.disarm", "unarmed", kind="penalty", source="unarmed")]
    if "disarm" not in weapon.traits:
        return []
    topic, source = "pf1.weapons.trip-disarm-quality", f"{weapon.name}: disarm"
    return [fight.modifier(topic, "disarm", kind="untyped", source=source)]


def carry_out_disarm(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Make the attempt: the target loses the item, by far what is in its other hand too.

    Who fails by far drops the weapon that it used (pf1.disarm).
    """
    blow = attempt.blow
    check = yield from attempt_maneuver(fight, attempt, "pf1.disarm")
    if check is None:
        return False
    if check.won:
        yield from take_away(fight, attempt, check)
        return True
    if -check.margin >= fight.figure("pf1.disarm", "fumble") and blow.weapon.name in blow.attacker.held:
        yield from lose(fight, blow.attacker, blow.weapon.name, "dropped", fight.rules("pf1.disarm"))
    return False


def take_away(fight: Fight, attempt: Attempt, check: Check) -> Steps[None]:
    """Have the target lose the item that is meant, and by a wide margin one more."""
    blow, item = attempt.blow, attempt.item
    others = [name for name in items_held(blow.target) if name != item]
    if (yield from takes_it(fight, blow, item)):
        yield from lose(fight, blow.target, item, "gone", fight.rules("pf1.disarm"))
        yield from taken_from(fight, blow.attacker, blow.target, item, fight.rules("pf1.disarm"))
    else:
        yield from fall_down(fight, blow, item)
    if others and check.margin >= fight.figure("pf1.disarm", "both_hands"):
        yield from fall_down(fight, blow, others[0])


def takes_it(fight: Fight, blow: Blow, item: str) -> Steps[bool]:
    """Ask who disarmed with the bare hand, and has one free, whether to take the item."""
    if blow.weapon.wield != "unarmed" or hands_left(blow.attacker, "") < 1:
        return False
    question = f"does {blow.attacker.id} take the {item}?"
    answer = yield Choice(
        blow.attacker.id, "take item", question, ("take", "leave"), fight.rule("pf1.disarm")
    )
    return bool(answer == "take")


def fall_down(fight: Fight, blow: Blow, item: str) -> Steps[None]:
    """Have an item fall to the ground, or by Greater Disarm fly off in a random direction."""
    if not has_greater(fight, blow.attacker, "disarm"):
        yield from lose(fight, blow.target, item, "dropped", fight.rules("pf1.disarm"))
        return
    rolled = yield Roll(blow.attacker.id, "direction", "1d8")
    feet = int(fight.figure(GREATER, "disarm_ft"))
    at = landing(fight, blow.target, WAYS[rolled.total - 1], feet)
    yield from lost_at(fight, blow.target, item, at)


def landing(fight: Fight, holder: Combatant, way: Square, feet: int) -> Square:
    """Return where an item lands that flies off so many feet: a wall stops it before."""
    here = holder.at
    for _ in range(0, feet, SQUARE_FT):
        there = (here[0] + way[0], here[1] + way[1])
        if obstructed(fight.field, here, there, 1):
            break
        here = there
    return here


def lost_at(fight: Fight, holder: Combatant, item: str, at: Square) -> Iterator[Any]:
    """Return that an item is lost to its holder and lies at a square (pf1.feat.maneuver-greater)."""
    return iter(lose(fight, holder, item, "dropped", fight.rules("pf1.disarm", GREATER), at))


DISARM = Substitute(plan_disarm, carry_out_disarm, "pf1.maneuver.modes", ("pf1.disarm",))
