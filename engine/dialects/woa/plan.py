"""Declared actions: what a plan may hold, and whether an act of the turn keeps to it (woa.declare.*)."""

from collections.abc import Callable
from typing import Any

from affray.engine.dialects.woa.lying import keeps_low, lies
from affray.engine.fight import Fight
from affray.engine.rules.budget import Allowance
from affray.engine.rules.conditions import is_down, rule_of
from affray.engine.rules.place import distance
from affray.engine.rules.weapons import held_weapons, melee_band, strikes_in_melee, unarmed
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, PlanMade, RuleApplied
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
    "cast": ("standard", "full-round"),
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
    "load": ("move", "full-round"),
}
#: Types of action that must be declared; swift and free ones are chosen on the fly.
BUDGETED = frozenset({"standard", "move", "full-round"})
#: Combat maneuvers that take a standard action each.
MANEUVERS = ("trip", "disarm", "sunder", "push", "stunt")
#: Acts that are alike enough to stand in for one another when a plan has become impossible.
ALIKE = frozenset({"attack", "full-attack", "charge", "cast", *MANEUVERS})
ANSWERS = ("similar action", "move only", "nothing")


def allowance(fight: Fight, who: Combatant) -> Allowance:
    """Return what a round allows: a standard and a move action, two moves, or a full-round one.

    woa.round.action-budget, woa.round.move-for-standard, woa.restricted-activity.allowed. Swift actions
    are paid for with combat reactions and not counted here (woa.action-type.swift-cost).
    """
    for name in who.conditions:
        rule = rule_of(fight, name)
        if rule.actions == "none":
            return Allowance(0, 0, 0, False, 0, 0, rule.topic)
        if rule.actions == "single":
            return Allowance(1, 1, 1, False, 0, 1, "restricted-activity.allowed")
        if rule.actions == "move":
            return Allowance(0, 1, 1, False, 0, 1, rule.topic)
    if "sprawling" in who.conditions:
        return Allowance(1, 1, 1, False, 0, 1, "posture.stand-free-acrobatics")
    return Allowance(1, 2, 2, True, 0, 1, "round.action-budget")


def refuse_plan(fight: Fight, who: Combatant, act: acts.Plan) -> None:
    """Refuse a plan that is no plan or more than a round allows."""
    allowed = allowance(fight, who)
    rule = fight.rule(allowed.topic)
    counts = {"standard": 0, "move": 0, "full-round": 0}
    for intent in act.actions:
        if intent.type not in TYPES.get(intent.what, ()):
            raise Refusal(
                f"{intent.what!r} is no {intent.type} action to declare", fight.rule("declare.required-types")
            )
        if intent.target and intent.target not in fight.state.combatants:
            raise Refusal(f"there is no {intent.target!r}", fight.rule("declare.start-of-round"))
        counts[intent.type] += 1
    standard, move, full = counts["standard"], counts["move"], counts["full-round"]
    if full > (1 if allowed.full else 0) or (full and standard + move):
        raise Refusal("a full-round action is the whole round's effort, when one is allowed", rule)
    if standard > allowed.standard or move > allowed.move or standard + move > allowed.total:
        raise Refusal("a round allows a standard and a move action, or what is left of that", rule)
    if act.after and (act.after not in fight.state.combatants or act.after == who.id):
        raise Refusal(f"nobody {act.after!r} to wait for", fight.rule("delay.rule"))


def made(fight: Fight, who: Combatant, act: acts.Plan) -> PlanMade:
    """Return the fact of a plan; an empty one is a plan to do nothing."""
    actions: list[Planned] = [(one.type, one.what, one.target) for one in act.actions] or [NOTHING]
    cites = fight.rules("declare.start-of-round", "declare.required-types")
    if act.after:
        actions.append((AFTER, "delay", act.after))
        cites = (*cites, fight.rule("delay.rule"))
    return PlanMade(who=who.id, actions=tuple(actions), cites=cites)


def keeping(resolver: Callable[[Fight, Any], Steps[None]]) -> Callable[[Fight, Any], Steps[None]]:
    """Return a resolver that holds its actor to the declared plan.

    An act that the plan does not name is refused, unless a declared action has become impossible: then
    the game master says whether a similar action, only a move, or nothing replaces it, and the plan is
    written anew (woa.resolve.invalidated-action). Without a plan (a fight joined in the middle of a round)
    nothing is held against anybody.
    """

    def run(fight: Fight, act: Any) -> Steps[None]:
        who = fight.combatant(act.actor)
        steps = resolver(fight, act)
        # The resolver refuses before its first step, and so must everything here.
        first = next(steps, None)
        if first is None:
            return
        declared = any(kind in BUDGETED for kind in kinds(fight, who, act))
        if who.plan and declared and fight.readied != who.id:
            kept = yield from keep(fight, who, act)
            if not kept:
                return
        sent = yield first
        while True:
            try:
                step = steps.send(sent)
            except StopIteration:
                return
            sent = yield step

    return run


def keep(fight: Fight, who: Combatant, act: Any) -> Steps[bool]:
    """Use up the declared action that an act carries out; return whether there is one."""
    what, target = name_of(act), target_of(act)
    index = find(who, kinds(fight, who, act), what, target)
    if index is None:
        broken = next((at for at, one in unused(who) if impossible(fight, who, one)), None)
        moving = TYPES.get(what) == ("move",)
        if broken is None or not (moving or what in ALIKE):
            told = ", ".join(f"{one[1]} {one[2]}".strip() for _, one in unused(who)) or "nothing more"
            raise Refusal(f"{who.id} has declared {told}", fight.rule("declare.start-of-round"))
        options = (ANSWERS[1], ANSWERS[0], ANSWERS[2]) if moving else ANSWERS
        lost = who.plan[broken]
        rule = fight.rule("resolve.invalidated-action")
        question = f"{who.id} declared {lost[1]} {lost[2]}, which is impossible now: what may it do?"
        answer = yield Choice("", "invalidated", question, options, rule)
        new = {ANSWERS[0]: (lost[0], lost[1], ""), ANSWERS[1]: ("move", "move", "")}.get(answer, NOTHING)
        if answer == ANSWERS[0] and not moving:
            new = (kinds(fight, who, act)[0], what, "")
        elif answer == ANSWERS[1] and moving:
            new = ("move", what, "")
        plan = (*who.plan[:broken], new, *who.plan[broken + 1 :])
        yield PlanMade(who=who.id, actions=plan, cites=(rule,))
        index = find(who, kinds(fight, who, act), what, target)
        if index is None:
            yield RuleApplied(who=who.id, what=f"the game master allows: {answer}", cites=(rule,))
            return False
    yield ActionSpent(
        who=who.id,
        kind="planned",
        what=f"{what} {target}".strip(),
        amount=1 << index,
        cites=(fight.rule("declare.start-of-round"),),
    )
    return True


def unused(who: Combatant) -> list[tuple[int, Planned]]:
    """Return the declared actions not yet carried out, with their places in the plan."""
    done = who.spent.get("planned", 0)
    return [
        (at, one) for at, one in enumerate(who.plan) if not done >> at & 1 and one[0] not in (AFTER, "none")
    ]


def find(who: Combatant, types: tuple[str, ...], what: str, target: str) -> int | None:
    """Return the place of the declared action that an act carries out, None without one."""
    for at, (type_, named, aim) in unused(who):
        if type_ in types and named == what and aim in ("", target):
            return at
    return None


def kinds(fight: Fight, who: Combatant, act: Any) -> tuple[str, ...]:
    """Return the types of action that an act may be; a spell's own casting time decides."""
    if isinstance(act, acts.Cast):
        spell = next((one for one in who.sheet.spells if one.name == act.spell), None)
        return (spell.casting,) if spell is not None else ("standard",)
    if isinstance(act, acts.Overrun):
        return ("full-round",) if act.charge or act.whole else ("standard",)
    if isinstance(act, acts.Stand) and act.how == "quickly":
        return ("free",)
    if isinstance(act, acts.Hide) and not act.path:
        return ("free",)
    return TYPES[name_of(act)]


def name_of(act: Any) -> str:
    """Return the tag of an act."""
    return str(act.__struct_config__.tag)


def target_of(act: Any) -> str:
    """Return whom an act is aimed at, "" for nobody."""
    if isinstance(act, acts.FullAttack):
        return act.strikes[0].target if act.strikes else ""
    if isinstance(act, acts.Cast):
        return act.targets[0] if act.targets else ""
    return str(getattr(act, "target", ""))


def impossible(fight: Fight, who: Combatant, planned: Planned) -> bool:
    """Say whether a declared action can no longer be carried out.

    Its target is down or gone; an attack has nobody within reach or range and no move is left to come
    near; somebody wants to get up who stands.
    """
    _, what, aim = planned
    if what == "stand":
        return not lies(who) and not keeps_low(who)
    target = fight.state.combatants.get(aim)
    if target is None:
        return False
    if is_down(fight, target) and what != "stabilize":
        return True
    if what in ("attack", "full-attack", *MANEUVERS):
        coming = any(one[0] == "move" for _, one in unused(who)) and what != "full-attack"
        return not coming and not reaches(who, target, held_weapons(who) or [unarmed(fight, who)])
    return False


def reaches(who: Combatant, target: Combatant, weapons: list[Any]) -> bool:
    """Say whether any of the weapons strikes, or shoots as far as, the target."""
    feet = distance(who, target)
    for weapon in weapons:
        least, most = melee_band(who, weapon)
        if (strikes_in_melee(weapon) and least <= feet <= most) or (weapon.range and feet >= 0):
            return True
    return False
