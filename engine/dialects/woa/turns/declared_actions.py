"""Declared actions: what a plan may hold, and whether an act of the turn keeps to it (woa.declare.*)."""

from typing import Any

from msgspec.structs import replace

from affray.engine.dialects.woa.turns import plan_words
from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.record.turns import Allowance
from affray.engine.rules.conditions.condition_rules import bars_all_action
from affray.engine.rules.mounted.rider_and_mount import is_guided
from affray.engine.rules.turns.allowance import mental_allowance
from affray.engine.steps import Refusal, unknown_word
from affray.events.facts import acts
from affray.events.facts.flow import PlanMade
from affray.events.wording import counted
from affray.projections.state import Combatant

Planned = tuple[str, str, str]
"""One declared action: type, what, at whom ("" for nobody in particular)."""

NOTHING: Planned = ("none", "nothing", "")
AFTER = "after"
#: The types of action that may be declared, by the tag of the act.
TYPES: dict[str, tuple[str, ...]] = {
    "attack": ("standard",),
    "total-defense": ("standard",),
    "ready": ("standard",),
    "refocus": ("standard",),
    "stabilize": ("standard",),
    "trip": ("standard",),
    "disarm": ("standard",),
    "sunder": ("standard",),
    "push": ("standard",),
    "stunt": ("standard",),
    "overrun": ("standard", "full-round"),
    "feint": ("move",),
    "burst": ("standard",),
    "treat": ("standard",),
    "rouse": ("standard",),
    "called-shot": ("full-round", "standard"),
    "get-free": ("full-round",),
    "break-free": ("full-round",),
    "cast": ("standard", "full-round", "move"),
    "full-attack": ("full-round",),
    "charge": ("full-round",),
    "run": ("full-round",),
    "move": ("move",),
    "stand": ("move",),
    "mount": ("move",),
    "dismount": ("move",),
    "guide": ("move",),
    "hide": ("move",),
    "seek": ("move",),
    "draw": ("move",),
    "sheathe": ("move",),
    "clamber": ("move",),
    "shake-off": ("standard",),
    "load": ("move", "full-round"),
    "speak": ("full-round",),
    "skirmish": ("standard",),
    "split": ("standard",),
    "grapple": ("standard", "move", "full-round"),
    "grab": ("standard", "move"),
    "escape": ("move", "full-round"),
    "drag": ("move",),
    "squeeze": ("standard",),
    "throw": ("standard", "full-round"),
    **plan_words.TYPES,
}
#: What may be declared along with a plan but need not be.
ON_THE_FLY = frozenset({"draw", "drop", "speak", "cast", "use-ability", "use-feat", "use-skill"})
#: Types of action that must be declared; swift and free ones are chosen on the fly.
BUDGETED = frozenset({"standard", "move", "full-round", "grapple"})
#: Those of them that have a rule of their own; what is tried in a grapple has those of the grapple.
TIMED = BUDGETED - {"grapple"}
#: What gives move actions on top of the others, with the topics of the rules; they add up.
EXTRA_MOVES = {"hasted": "woa.spell.haste-extra-move", "ki move": "woa.class.monk-ki-extra-move"}
#: Combat maneuvers that take a standard action each.
MANEUVERS = ("trip", "disarm", "sunder", "push", "stunt")


def allowance(fight: Fight, combatant: Combatant) -> Allowance:
    """Return what a round allows: a standard and a move action, two moves, or a full-round one.

    woa.round.action-budget, woa.round.move-for-standard, woa.restricted-activity.allowed. Swift actions
    are paid for with combat reactions and not counted here (woa.action-type.swift-cost).
    """
    held = {rule.actions: rule.topic for rule in (rule_of(fight, name) for name in combatant.conditions)}
    if "none" in held:
        return Allowance(0, 0, 0, False, 0, 0, held["none"])
    if "mental" in held:
        return mental_allowance(combatant, held["mental"])
    if "grappling" in combatant.conditions:
        return Allowance(1, 0, 1, False, 0, 0, "woa.grapple.activity.one-action")
    if "move" in held:
        moves = int(str(fight.figure(held["move"], "actions")).split()[0])
        return Allowance(0, moves, moves, False, 0, 1, held["move"])
    if "staggered" in combatant.conditions:
        return staggered(fight)
    if "single" in held:
        return Allowance(1, 1, 1, False, 0, 1, "woa.restricted-activity.allowed")
    if "sprawling" in combatant.conditions:
        return Allowance(1, 1, 1, False, 0, 1, "woa.posture.stand-free-acrobatics")
    usual = Allowance(1, 2, 2, True, 0, 1, "woa.round.action-budget", swap="woa.round.move-for-standard")
    for condition, topic in EXTRA_MOVES.items():
        if condition in combatant.conditions:
            more = usual.extra + fight.figure(topic, "extra_move_actions")
            usual = replace(usual, extra=more, extra_topic=topic)
    return usual


def staggered(fight: Fight) -> Allowance:
    """Return what a staggered combatant may do: so many standard or so many move actions."""
    topic = "woa.condition.staggered"
    standard, move = (int(part.split()[0]) for part in str(fight.figure(topic, "actions")).split(" or "))
    return Allowance(
        standard, move, max(standard, move), bool(fight.figure(topic, "full_round")), 0, 1, topic
    )


def refuse_plan(fight: Fight, actor: Combatant, act: acts.Plan) -> None:
    """Refuse a plan that is no plan or more than a round allows."""
    if "grappling" in actor.conditions:
        refuse_activities(fight, actor, act)
        return
    allowed = allowance(fight, actor)
    rule = fight.rule(allowed.topic)
    counts = {"standard": 0, "move": 0, "full-round": 0}
    for intent in act.actions:
        freely = intent.type not in BUDGETED and intent.what in ON_THE_FLY
        types = TYPES.get(intent.what, ())
        if not freely and intent.type not in types:
            rule = fight.rule("woa.declare.required-types")
            if not types:
                raise unknown_word("action to declare", intent.what, TYPES, rule)
            known = " or ".join(f"{one} action" for one in types)
            raise Refusal(f"{intent.what!r} is declared as a {known}, not as {intent.type!r}", rule)
        if intent.target:
            fight.combatant(intent.target, fight.rule("woa.declare.start-of-round"))
        if intent.type in counts:
            counts[intent.type] += 1
    standard, full = counts["standard"], counts["full-round"]
    move = max(0, counts["move"] - allowed.extra)
    if full > (1 if allowed.full else 0) or (full and standard + move):
        reason = (
            f"{actor.id} can take nothing beside a full-round action"
            if allowed.full
            else f"{actor.id} cannot take a full-round action this round"
        )
        raise Refusal(reason, rule)
    if standard > allowed.standard or move > allowed.move or standard + move > allowed.total:
        declared = f"{counted(standard, 'standard action')} and {counted(move, 'move action')}"
        most = f"{counted(allowed.total, 'action')}, {allowed.standard} of them standard"
        raise Refusal(f"{actor.id} declares {declared}: this round leaves it {most}", rule)
    if act.after == actor.id:
        raise Refusal(f"{actor.id} cannot wait for itself", fight.rule("woa.delay.rule"))
    if act.after:
        fight.combatant(act.after, fight.rule("woa.delay.rule"))


def refuse_activities(fight: Fight, actor: Combatant, act: acts.Plan) -> None:
    """Refuse to a grappler all but one of the activities of a grapple (woa.grapple.activity.one-action)."""
    known = [name for row in fight.figure("woa.grapple.activity.list") for name in row["declared"]]
    for intent in act.actions:
        if intent.type != "grapple" or intent.what not in known:
            rule = fight.rule("woa.grapple.activity.list")
            raise unknown_word("activity in a grapple", intent.what, known, rule)
    if len(act.actions) > 1 or act.after:
        raise Refusal(
            f"{actor.id} is grappling and tries one thing a round",
            fight.rule("woa.grapple.activity.one-action"),
        )


def plan_made(fight: Fight, actor: Combatant, act: acts.Plan) -> PlanMade:
    """Return the fact of a plan; an empty one is a plan to do nothing.

    woa.action-type.move, woa.action-type.standard.
    """
    actions: list[Planned] = [(one.type, one.what, one.target) for one in act.actions] or [NOTHING]
    topics = ["woa.declare.start-of-round", "woa.declare.required-types"]
    if "grappling" in actor.conditions:
        topics = ["woa.grapple.declaration", "woa.grapple.activity.list"]
    types = [one.type for one in act.actions]
    topics += [f"action-type.{type}" for type in dict.fromkeys(types) if type in TIMED]
    if types.count("move") > 1:
        topics += ["woa.action-type.two-moves", "woa.round.move-for-standard"]
    if set(types) - BUDGETED:
        topics.append("woa.declare.on-the-fly")
    if act.after:
        actions.append((AFTER, "delay", act.after))
        topics.append("woa.delay.rule")
    if act.after or any(one.what in ("ready", "refocus") for one in act.actions):
        topics.append("woa.special-initiative.list")
    return PlanMade(who=actor.id, actions=tuple(actions), cites=fight.rules(*topics))


def unused_plans(combatant: Combatant) -> list[tuple[int, Planned]]:
    """Return the declared actions not yet carried out, with their places in the plan."""
    done = combatant.spent.get("planned", 0)
    return [(at, one) for at, one in enumerate(combatant.plan) if not done >> at & 1 and one[0] in BUDGETED]


def name_of(act: Any) -> str:
    """Return the name under which an act is declared: its tag, or the activity of a grapple."""
    if isinstance(act, acts.Grapple) and act.what != "start":
        return "escape-artist" if act.skill and act.what == "escape" else act.what
    if isinstance(act, acts.Grab) and act.what != "start":
        return act.what
    return str(act.__struct_config__.tag)


def target_of(act: Any) -> str:
    """Return whom an act is aimed at, "" for nobody."""
    if isinstance(act, acts.FullAttack):
        return act.strikes[0].target if act.strikes else ""
    if isinstance(act, acts.Cast | acts.Touch | acts.Activate):
        return act.targets[0] if act.targets else ""
    return str(getattr(act, "target", ""))


def undeclared(fight: Fight) -> list[Combatant]:
    """Return those who can act and have not declared yet, in order of entry."""
    return [
        one
        for one in fight.state.combatants.values()
        if not one.plan
        and not is_guided(fight, one)
        and not is_down(fight, one)
        and not any(bars_all_action(fight, one, name) for name in one.conditions)
    ]
