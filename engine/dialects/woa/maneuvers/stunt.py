"""Other maneuvers: what no rule names, resolved like what it is most like (woa.maneuver.improvised.*)."""

from typing import Any

from affray.engine.dialects.woa.maneuvers.maneuver_check import (
    attempt_maneuver,
    maneuver_blow,
    provoke_by_failure,
    spend_maneuver_action,
)
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

LIKE = "woa.maneuver.improvised.closest-match"
GENERAL = "none of them"
#: What the game master may find that special circumstances do to the roll.
CIRCUMSTANCES = ("0", "-2", "+2", "-4", "+4")
#: Maneuvers whose page says that it serves for comparable stunts too.
COMPARABLE = frozenset({"trip", "push"})


def stunt(fight: Fight, act: acts.Stunt) -> Steps[None]:
    """Try something with an opponent that no rule names, as a standard action.

    The game master says which maneuver it is most like, or that another rule governs it, and what
    circumstances do to the roll. One that is like none is a melee attack roll, unarmed or with a weapon,
    against the AC for maneuvers (woa.maneuver.improvised.closest-match, .mapping-examples, .default).
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
    like = yield from likened(fight, act)
    planned: Attempt | None = None
    if like != GENERAL:
        planned = yield from planned_as(fight, act, like)
        if planned is None:
            return
        blow = planned.blow
    blow.attack_extra += yield from circumstances(fight, act)
    if planned is not None and leaves_standing(fight, act, like):
        yield from check_plainly(fight, act, blow, "woa.maneuver.improvised.mapping-examples")
    elif planned is not None:
        yield from fight.dialect.maneuvers.substitutes[like].carry_out(fight, planned)
    else:
        yield from check_plainly(fight, act, blow, "woa.maneuver.improvised.default")


def example_of(fight: Fight, act: acts.Stunt) -> dict[str, Any] | None:
    """Return the example of the rule that a stunt is, None if it is none."""
    rows: list[dict[str, Any]] = fight.figure("woa.maneuver.improvised.mapping-examples")
    return next((row for row in rows if row["stunt"] == act.what), None)


def leaves_standing(fight: Fight, act: acts.Stunt, like: str) -> bool:
    """Say whether a stunt like a trip leaves its target on its feet: a shove to the side."""
    example = example_of(fight, act)
    return like == "trip" and example is not None and "without" in example.get("note", "")


def refuse_other_rule(fight: Fight, act: acts.Stunt) -> None:
    """Refuse what another rule governs, such as taking a wand by Sleight of Hand.

    woa.maneuver.improvised.not-a-maneuver.
    """
    topic = "woa.maneuver.improvised.not-a-maneuver"
    for row in fight.figure(topic):
        if act.what == row["stunt"]:
            raise Refusal(f"to {act.what} is no maneuver but {row['resolve_as']}", fight.rule(topic))


def likened(fight: Fight, act: acts.Stunt) -> Steps[str]:
    """Ask the game master which maneuver a stunt is most like; the examples of the rule lead the way.

    woa.maneuver.push.equivalents, woa.maneuver.trip.equivalents.
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


def planned_as(fight: Fight, act: acts.Stunt, like: str) -> Steps[Attempt | None]:
    """Return the attempt at the maneuver that a stunt is like, None if its rules forbid it."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    plan = fight.dialect.maneuvers.substitutes[like]
    try:
        return plan.prepare(fight, actor, target, act.weapon, "", "attack")
    except Refusal as refusal:
        what = f"the stunt comes to nothing: {refusal.reason}"
        yield RuleApplied(who=actor.id, what=what, cites=(refusal.rule,))
        return None


def circumstances(fight: Fight, act: acts.Stunt) -> Steps[list[Modifier]]:
    """Ask the game master what special circumstances do to the roll."""
    rule = fight.rule(LIKE)
    question = f"do special circumstances change {act.actor}'s roll?"
    value = int((yield Choice("", "circumstances", question, CIRCUMSTANCES, rule)))
    return [Modifier(value, "circumstance", "special circumstances", rule)] if value else []


def check_plainly(fight: Fight, act: acts.Stunt, blow: Blow, topic: str) -> Steps[None]:
    """Make the check of a stunt by the rule on `topic`; the game master says what a success brings."""
    attacker: Combatant = blow.attacker
    result = yield from attempt_maneuver(fight, blow, topic)
    if result is None:
        return
    if result.won:
        what = f"succeeds: {act.what or 'the stunt'}"
        yield RuleApplied(who=attacker.id, what=what, cites=fight.rules(topic))
        return
    yield from provoke_by_failure(fight, blow)
