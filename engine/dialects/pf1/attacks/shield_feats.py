"""Shields as weapons, and the feats of those who use them (pf1.feat.shield-feats)."""

from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.pf1.gear.shields import lower_shields
from affray.engine.dialects.pf1.maneuvers.bull_rush import NAME, Push, follow, line, push_straight
from affray.engine.dialects.pf1.maneuvers.forced_movement import forced_feet
from affray.engine.dialects.pf1.maneuvers.maneuver_check import Check, refuse_immovable
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.attacks.attack_roll import sums_of_blow
from affray.engine.rules.classes.combat_feats import is_printed_among
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.engine.rules.conditions.condition_rules import falls_prone
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.gear.worn_items import SHIELD, shields_struck_with
from affray.engine.rules.maneuvers.bull_rush import is_walled_off
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.rules.turns.prohibitions import permit
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC: Final = "pf1.feat.shield-feats"
#: The trait of a shield that is struck with.
BASH: Final = "shield bash"
SLAM, MASTER, FOCUS = "shield slam", "shield master", "Shield Focus"


def lower_bashing_shield(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Take its bonus from the shield that was struck with, until its bearer's next turn.

    Improved Shield Bash keeps it.
    """
    attacker, rule = blow.attacker, fight.rule(TOPIC)
    names = shields_struck_with(blow)
    if masters(fight, attacker, "improved shield bash"):
        if names:
            yield RuleApplied(who=attacker.id, what=f"keeps the guard of the {names[0]}", cites=(rule,))
        return
    yield from lower_shields(fight, attacker, names, TOPIC)


def focus_on_shield(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class, the shield's raised by Shield Focus where the sheet leaves it out."""
    if is_printed_among(blow.target.sheet.armor, FOCUS):
        return parts
    topic = fight.rule(TOPIC)
    more = int(fight.figure(TOPIC, "focus"))
    return tuple(
        Modifier(part.value + more, part.kind, f"{part.source}, {FOCUS}", topic, part.denied)
        if part.kind == SHIELD
        else part
        for part in parts
    )


def masters_shield(fight: Fight, actor: Combatant, act: acts.FullAttack, *given: object) -> bool:
    """Say whether somebody masters the shield that it may strike with in a full attack."""
    return masters(fight, actor, MASTER)


def spare_shield(
    fight: Fight, actor: Combatant, act: acts.FullAttack, rows: list[list[Modifier]]
) -> list[list[Modifier]]:
    """Return the modifiers of each attack of a full attack, a shield's without the penalty of two weapons."""
    rule, said = fight.rule("pf1.two-weapon"), f"Shield Master ({fight.rule(TOPIC)})"
    bashes = {number for number, strike in enumerate(act.strikes) if is_bash(fight, actor, strike)}
    return [
        [replace(part, denied=said) if number in bashes and part.rule == rule else part for part in row]
        for number, row in enumerate(rows)
    ]


def is_bash(fight: Fight, actor: Combatant, strike: acts.Strike) -> bool:
    """Say whether a strike is one with a shield."""
    return not strike.special and BASH in find_weapon(fight, actor, strike.weapon).traits


def slam(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After a hit with the shield, bull rush the target with the attack roll as the check, free.

    It provokes nothing; whom a wall stops falls prone, and the attacker may go along.
    """
    attacker, target, rule = blow.attacker, blow.target, fight.rule(TOPIC)
    if not masters(fight, attacker, SLAM) or "dead" in target.conditions:
        return
    try:
        refuse_immovable(fight, attacker, target, NAME, blow.weapon)
    except Refusal as refused:
        yield RuleApplied(who=target.id, what=refused.reason, cites=(refused.rule, rule))
        return
    check = yield from rush_with_roll(fight, blow, rule)
    if not check.won:
        return
    start = target.at
    push = yield from push_straight(fight, attacker, target, check)
    way, there = push.way, (target.at[0] + push.way[0], target.at[1] + push.way[1])
    short = forced_feet(line(start, way, target.at)) < push.feet
    if short and is_walled_off(fight, target, there) and "prone" not in target.conditions:
        yield from falls_prone(target, f"slammed by {attacker.id}", (rule,))
    yield from go_along(fight, attacker, push)


def rush_with_roll(fight: Fight, blow: Blow, rule: str) -> Steps[Check]:
    """Compare the roll of a hit with the target's CMD against a bull rush; a natural 20 succeeds."""
    attacker, target, outcome = blow.attacker, blow.target, blow.outcome
    intent = Intent("slam", maneuver=NAME, against=f"CMD against {NAME}")
    against = sums_of_blow(fight, Blow(attacker, target, blow.weapon, True, blow.distance, intent)).against
    won = outcome.total >= against.total or outcome.natural == fight.figure("attack.natural-20", "face")
    margin = outcome.total - against.total
    told = f"{outcome.total} of the attack roll against CMD {against.total}: "
    what = f"shield slam, {told}{'pushed' if won else 'stands'}"
    yield RuleApplied(who=target.id, what=what, cites=(rule, *fight.rules("pf1.cmd"), *against.cites))
    return Check(won, max(0, margin) if won else min(0, margin))


def go_along(fight: Fight, attacker: Combatant, push: Push) -> Steps[None]:
    """Ask the attacker whether it goes along: by a 5-foot step if that is enough or all it has, or a move."""
    ahead = (attacker.at[0] + push.way[0], attacker.at[1] + push.way[1])
    act, near = acts.Step(actor=attacker.id, to=ahead), push.squares == 1
    own_turn = fight.state.active == attacker.id
    if push.squares and own_turn and (near or not may_move(fight, attacker)) and is_possible(fight, act):
        question = f"does {attacker.id} go along by a 5-foot step?"
        if (yield Choice(attacker.id, "follow", question, ("follow", "stay"), fight.rule(TOPIC))) == "follow":
            yield from fight.dialect.acts[acts.Step](fight, act)
        return
    yield from follow(fight, attacker, push.way, push.squares, None)


def may_move(fight: Fight, attacker: Combatant) -> bool:
    """Say whether an attacker has a move action left."""
    try:
        refuse_unless_allowed(fight, attacker, "move")
    except Refusal:
        return False
    return True


def is_possible(fight: Fight, act: acts.Step) -> bool:
    """Say whether a 5-foot step could be taken now: its steps are asked for the first, and not taken."""
    try:
        permit(fight, act)
        next(fight.dialect.acts[acts.Step](fight, act), None)
    except Refusal:
        return False
    return True
