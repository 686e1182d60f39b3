"""Check plans of declared actions, and whether the acts of a turn keep to them (woa.declare.*)."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.dialects.woa.classes import special_abilities, turned_undead
from affray.engine.dialects.woa.gear import draw_and_sheathe
from affray.engine.dialects.woa.grapple import grapple_checks
from affray.engine.dialects.woa.magic import concentration
from affray.engine.dialects.woa.position.size import has_low_posture, lies
from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.grid.battlefield import Square
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import Allowance
from affray.engine.rules.classes.checks import check
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.conditions.conditions import STILL, bars_all_action
from affray.engine.rules.gear.hands import held_weapons, melee_band, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.magic.concentration import CONCENTRATING, named_spell
from affray.engine.rules.mounted.riding import find_rider_and_mount, is_guided
from affray.engine.rules.turns.actions import mental_allowance, spending
from affray.engine.rules.turns.delay_and_ready import (
    about_to_be_interrupted,
    aimed_at_actor,
    anybody_ready,
    out_of_turn,
    readied_for,
    refuse_ready,
    stop_if_impossible,
)
from affray.engine.steps import Choice, Refusal, Steps, onward, unknown_word
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.flow import ActionSpent, ActReadied, PlanMade, ReadyEnded, RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

# --- The names of acts in a plan, and the types of action they may be declared as

Meant = tuple[str, tuple[str, ...]]
"""The name of an act in a plan and the types of action it may be; a free type needs no plan."""

PLAN_WORDS_ON_THE_FLY = ("free",)

#: Acts by their names in a plan, with the types of action they may be declared as.
PLAN_WORDS_TYPES: dict[str, tuple[str, ...]] = {
    "touch": ("standard", "full-round"),
    "maintain": ("standard",),
    "dismiss": ("standard",),
    "redirect": ("move",),
    "turn-undead": ("standard",),
    "activate": ("standard", "full-round", "move"),
    "drink": ("standard",),
    "administer": ("full-round",),
    "read": ("full-round",),
    "draw-stowed": ("full-round",),
    "draw-hidden": ("standard", "move"),
    "handle": ("move",),
    "handle-long": ("full-round",),
    "grab-item": ("move",),
    "shield": ("move",),
    "hurl": ("move",),
    "use-feat": ("standard", "move", "full-round"),
    "use-skill": ("standard", "move", "full-round"),
    "use-ability": ("standard", "move", "full-round"),
}


Planned = tuple[str, str, str]
"""One declared action: type, name, target ("" if it has none)."""

NOTHING: Planned = ("none", "nothing", "")
AFTER = "after"
#: The types of action that may be declared, by the tag of the act.
DECLARED_ACTIONS_TYPES: dict[str, tuple[str, ...]] = {
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
    **PLAN_WORDS_TYPES,
}
#: Acts that may be declared in a plan but need not be.
DECLARED_ACTIONS_ON_THE_FLY = frozenset(
    {"draw", "drop", "speak", "cast", "use-ability", "use-feat", "use-skill"}
)
#: Types of action that must be declared; swift and free ones are chosen on the fly.
BUDGETED = frozenset({"standard", "move", "full-round", "grapple"})
#: Budgeted types with a rule for each; attempts in a grapple follow the rules of grapples.
TIMED = BUDGETED - {"grapple"}
#: Conditions that grant extra move actions, with the topics of their rules; they add up.
EXTRA_MOVES = {"hasted": "woa.spell.haste-extra-move", "ki move": "woa.class.monk-ki-extra-move"}
#: Combat maneuvers that take a standard action each.
MANEUVERS = ("trip", "disarm", "sunder", "push", "stunt")


def allowance(fight: Fight, combatant: Combatant) -> Allowance:
    """Return the actions of a round: a standard and a move action, two moves, or a full-round action.

    woa.round.action-budget, woa.round.move-for-standard, woa.restricted-activity.allowed. Swift actions cost
    combat reactions and are not counted here (woa.action-type.swift-cost).
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
    """Return the actions of a staggered combatant: the printed number of standard or of move actions."""
    topic = "woa.condition.staggered"
    standard, move = (int(part.split()[0]) for part in str(fight.figure(topic, "actions")).split(" or "))
    return Allowance(
        standard, move, max(standard, move), bool(fight.figure(topic, "full_round")), 0, 1, topic
    )


#: The five types of action, which a plan may name.
TYPES_TOPIC: Final = "woa.action-type.enumeration"


def refuse_plan(fight: Fight, actor: Combatant, act: acts.Plan) -> None:
    """Refuse a plan that is malformed or exceeds what the round allows."""
    if "grappling" in actor.conditions:
        refuse_activities(fight, actor, act)
        return
    allowed = allowance(fight, actor)
    rule = fight.rule(allowed.topic)
    counts = {"standard": 0, "move": 0, "full-round": 0}
    for intent in act.actions:
        if intent.type not in fight.figure(TYPES_TOPIC):
            reason = f"{actor.id} is in no grapple, and {intent.type!r} is no type of action outside of one"
            raise Refusal(reason, fight.rule(TYPES_TOPIC))
        freely = intent.type not in BUDGETED and intent.what in DECLARED_ACTIONS_ON_THE_FLY
        types = DECLARED_ACTIONS_TYPES.get(intent.what, ())
        if not freely and intent.type not in types:
            rule = fight.rule("woa.declare.required-types")
            if not types:
                raise unknown_word("action to declare", intent.what, DECLARED_ACTIONS_TYPES, rule)
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
            f"{actor.id} can take no other action with a full-round action"
            if allowed.full
            else f"{actor.id} cannot take a full-round action this round"
        )
        raise Refusal(reason, rule)
    if standard > allowed.standard or move > allowed.move or standard + move > allowed.total:
        declared = f"{counted(standard, 'standard action')} and {counted(move, 'move action')}"
        most = f"{counted(allowed.total, 'action')}, {allowed.standard} of them standard"
        raise Refusal(f"{actor.id} declares {declared}, but this round allows {most}", rule)
    if act.after == actor.id:
        raise Refusal(f"{actor.id} cannot wait for itself", fight.rule("woa.delay.rule"))
    if act.after:
        fight.combatant(act.after, fight.rule("woa.delay.rule"))


def refuse_activities(fight: Fight, actor: Combatant, act: acts.Plan) -> None:
    """Refuse a grappler's plan unless it is a single activity of a grapple.

    woa.grapple.activity.one-action
    """
    known = [name for row in fight.figure("woa.grapple.activity.list") for name in row["declared"]]
    for intent in act.actions:
        if intent.type != "grapple" or intent.what not in known:
            rule = fight.rule("woa.grapple.activity.list")
            raise unknown_word("activity in a grapple", intent.what, known, rule)
    if len(act.actions) > 1 or act.after:
        raise Refusal(
            f"{actor.id} is grappling and can declare one activity a round",
            fight.rule("woa.grapple.activity.one-action"),
        )


def make_plan_fact(fight: Fight, actor: Combatant, act: acts.Plan) -> PlanMade:
    """Return the fact of a plan; an empty plan declares doing nothing.

    woa.action-type.move, woa.action-type.standard
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
    """Return the declared actions not yet carried out, with their positions in the plan."""
    done = combatant.spent.get("planned", 0)
    return [(at, one) for at, one in enumerate(combatant.plan) if not done >> at & 1 and one[0] in BUDGETED]


def name_of(act: acts.Act) -> str:
    """Return the name under which an act is declared: its tag, or the activity of a grapple."""
    if isinstance(act, acts.Grapple) and act.what != "start":
        return "escape-artist" if act.skill and act.what == "escape" else act.what
    if isinstance(act, acts.Grab) and act.what != "start":
        return act.what
    return str(act.__struct_config__.tag)


def target_of(act: acts.Act) -> str:
    """Return the target of an act, "" if it has none."""
    if isinstance(act, acts.FullAttack):
        return act.strikes[0].target if act.strikes else ""
    if isinstance(act, acts.Cast | acts.Touch | acts.Activate):
        return act.targets[0] if act.targets else ""
    return str(getattr(act, "target", ""))


def undeclared(fight: Fight) -> list[Combatant]:
    """Return the combatants that can act and have not declared yet, in order of entry."""
    return [
        one
        for one in fight.state.combatants.values()
        if not one.plan
        and not is_guided(fight, one)
        and not is_down(fight, one)
        and not any(bars_all_action(fight, one, name) for name in one.conditions)
    ]


# --- Names in a plan and types of action of acts, where the tag does not determine them
# A potion is drunk or given, a scroll read; a weapon drawn from a scabbard or from a pack; a charge is used
# as part of the casting or by itself.


def intent_of_cast(fight: Fight, actor: Combatant, act: acts.Cast) -> Meant:
    """Return the intent of casting: the spell's casting time decides.

    A special ability may be declared as a use.
    """
    spell = named_spell(actor, act.spell)
    kind = spell.casting if spell is not None else "standard"
    used = spell is not None and spell.ability and any(what == "use-ability" for _, what, _ in actor.plan)
    return "use-ability" if used else "cast", ("full-round" if kind == "one-round" else kind,)


def intent_of_touch(fight: Fight, actor: Combatant, act: acts.Touch) -> Meant:
    """Return the intent of a touch; in the round of casting it is part of the casting."""
    if actor.spent.get("charge"):
        return "touch", PLAN_WORDS_ON_THE_FLY
    return "touch", ("full-round" if len(act.targets) > 1 else "standard",)


def intent_of_dismissal(fight: Fight, actor: Combatant, act: acts.Dismiss) -> Meant:
    """Return the intent of dismissing a spell; ceasing to concentrate is free."""
    kept = actor.conditions.get(CONCENTRATING)
    return (
        "dismiss",
        PLAN_WORDS_ON_THE_FLY
        if kept is not None and kept.source == act.spell
        else PLAN_WORDS_TYPES["dismiss"],
    )


def intent_of_device(fight: Fight, actor: Combatant, act: acts.Activate) -> Meant:
    """Return the intent of using a device, which depends on its kind."""
    item = named_spell(actor, act.item)
    if item is None:
        return "activate", PLAN_WORDS_TYPES["activate"]
    if item.item == "potion":
        name = "drink" if not act.targets or act.targets == (actor.id,) else "administer"
        return name, PLAN_WORDS_TYPES[name]
    if item.item == "scroll":
        return "read", PLAN_WORDS_TYPES["read"]
    return "activate", ("full-round" if item.casting == "one-round" else item.casting,)


def intent_of_drawing(fight: Fight, actor: Combatant, act: acts.Draw) -> Meant:
    """Return the intent of drawing a weapon, which depends on where it is stowed."""
    name, kind, _ = draw_and_sheathe.way_of_drawing(fight, actor, act.item)
    if name == "draw-hidden":
        return name, PLAN_WORDS_TYPES[name]
    return name, PLAN_WORDS_ON_THE_FLY if kind in ("free", "merged") else (kind,)


def intent_of_handling(fight: Fight, actor: Combatant, act: acts.Handle) -> Meant:
    """Return the intent of handling an item; handling that distracts from the fight has a separate name."""
    if act.what.endswith("-shield"):
        return "shield", PLAN_WORDS_ON_THE_FLY if draw_and_sheathe.shield_is_free(
            fight, actor, act
        ) else PLAN_WORDS_TYPES["shield"]
    if act.what == "grab":
        return "grab-item", PLAN_WORDS_TYPES["grab-item"]
    if act.what == "retrieve":
        long = draw_and_sheathe.get_taking_mode(fight, actor, act)[0] == "full-round"
    else:
        long = act.what in draw_and_sheathe.LONG
    name = "handle-long" if long else "handle"
    return name, PLAN_WORDS_TYPES[name]


def intent_of_use(fight: Fight, actor: Combatant, act: acts.Act) -> Meant:
    """Return the intent of a use: the type under which it was declared, or free if it was not declared."""
    name = str(act.__struct_config__.tag)
    done = actor.spent.get("planned", 0)
    declared = any(
        what == name and kind in PLAN_WORDS_TYPES[name] and not done >> at & 1
        for at, (kind, what, _) in enumerate(actor.plan)
    )
    return name, PLAN_WORDS_TYPES[name] if declared else PLAN_WORDS_ON_THE_FLY


def intent_of_one_type(fight: Fight, actor: Combatant, act: acts.Act) -> Meant:
    """Return the intent of an act that has one set of types only."""
    name = str(act.__struct_config__.tag)
    return name, PLAN_WORDS_TYPES[name]


def intent_of_drop(fight: Fight, actor: Combatant, act: acts.Drop) -> Meant:
    """Return the intent of dropping something, which is free, or of hurling it, which is not."""
    return (
        ("hurl", PLAN_WORDS_TYPES["hurl"])
        if draw_and_sheathe.is_hurled(actor, act)
        else ("drop", PLAN_WORDS_ON_THE_FLY)
    )


def intent_on_the_fly(fight: Fight, actor: Combatant, act: acts.Act) -> Meant:
    """Return the intent of an act that is always free and needs no declaration."""
    return str(act.__struct_config__.tag), PLAN_WORDS_ON_THE_FLY


MEANT: dict[type[acts.Act], Callable[[Fight, Combatant, Any], Meant]] = {
    acts.Cast: intent_of_cast,
    acts.Touch: intent_of_touch,
    acts.Maintain: intent_of_one_type,
    acts.Dismiss: intent_of_dismissal,
    acts.Redirect: intent_of_one_type,
    acts.TurnUndead: intent_of_one_type,
    acts.Activate: intent_of_device,
    acts.Draw: intent_of_drawing,
    acts.Drop: intent_of_drop,
    acts.Grip: intent_on_the_fly,
    acts.Handle: intent_of_handling,
    acts.UseFeat: intent_of_use,
    acts.UseSkill: intent_of_use,
    acts.UseAbility: intent_of_use,
}

_SENTENCE = re.compile(r"\w[^.!?]*")


def is_long(fight: Fight, act: acts.Speak) -> bool:
    """Return whether a speech is longer than a sentence or two (woa.speak.long)."""
    most: int = fight.figure("woa.speak.long", "sentences")
    return len(_SENTENCE.findall(act.words)) > most


# --- Checking that an act of the turn keeps to the declared plan
#
# woa.declare.start-of-round, woa.resolve.invalidated-action

#: Acts similar enough to replace one another when a plan has become impossible.
ALIKE = frozenset({"attack", "full-attack", "charge", "cast", "called-shot", *MANEUVERS})

KEEP_TO_PLAN_ANSWERS = ("similar action", "move only", "nothing")


def keeping(fight: Fight, act: acts.Act, acting: Steps[None]) -> Steps[None]:
    """Carry out an act and hold its actor to the declared plan.

    An act that the plan does not name is refused, unless a declared action has become impossible: then the
    game master decides whether a similar action, only a move, or nothing replaces it, and the plan is
    rewritten. Without a plan (a fight joined in the middle of a round) every act is allowed
    (woa.resolve.invalidated-action).
    """
    undeclared = UNDECLARED.get(type(act))
    return (
        acting if undeclared is not None and undeclared(fight, act) else carry_out_planned(fight, act, acting)
    )


def carry_out_planned(fight: Fight, act: acts.Act, acting: Steps[None]) -> Steps[None]:
    """Carry out an act if the plan of its actor names it (woa.declare.start-of-round)."""
    actor = fight.combatant(act.actor)
    # Acts are refused before their first step, so all checks here come before it too.
    first = next(acting, None)
    if first is None:
        return
    declared = any(kind in BUDGETED for kind in types_of_action(fight, actor, act))
    if (
        actor.plan
        and declared
        and fight.readied != actor.id
        and not (yield from use_up_planned(fight, actor, act))
    ):
        return
    yield from onward(acting, first)


def use_up_planned(fight: Fight, actor: Combatant, act: acts.Act) -> Steps[bool]:
    """Use up the declared action that an act carries out; return whether there is one."""
    what, target = name_in_plan(fight, actor, act), target_of(act)
    index = get_position_in_plan(actor, types_of_action(fight, actor, act), what, target)
    if index is None:
        broken = next((at for at, one in unused_plans(actor) if is_impossible(fight, actor, one)), None)
        moving = is_movement(what)
        if broken is None or not may_replace(what):
            told = ", ".join(f"{one[1]} {one[2]}".strip() for _, one in unused_plans(actor)) or "nothing more"
            raise Refusal(f"{actor.id} has declared {told}", fight.rule("woa.declare.start-of-round"))
        options = (
            (KEEP_TO_PLAN_ANSWERS[1], KEEP_TO_PLAN_ANSWERS[0], KEEP_TO_PLAN_ANSWERS[2])
            if moving
            else KEEP_TO_PLAN_ANSWERS
        )
        lost = actor.plan[broken]
        rule = fight.rule("woa.resolve.invalidated-action")
        question = f"{actor.id} declared {lost[1]} {lost[2]}, which is impossible now: what may it do?"
        answer = yield Choice("", "invalidated", question, options, rule)
        new = {
            KEEP_TO_PLAN_ANSWERS[0]: (lost[0], lost[1], ""),
            KEEP_TO_PLAN_ANSWERS[1]: ("move", "move", ""),
        }.get(answer, NOTHING)
        if answer == KEEP_TO_PLAN_ANSWERS[0] and not moving:
            new = (types_of_action(fight, actor, act)[0], what, "")
        elif answer == KEEP_TO_PLAN_ANSWERS[1] and moving:
            new = ("move", what, "")
        plan = (*actor.plan[:broken], new, *actor.plan[broken + 1 :])
        yield PlanMade(who=actor.id, actions=plan, cites=(rule,))
        index = get_position_in_plan(actor, types_of_action(fight, actor, act), what, target)
        if index is None:
            yield RuleApplied(who=actor.id, what=f"the game master allows: {answer}", cites=(rule,))
            return False
    yield ActionSpent(
        who=actor.id,
        kind="planned",
        what=f"{what} {target}".strip(),
        amount=1 << index,
        cites=(fight.rule("woa.declare.start-of-round"),),
    )
    return True


def is_movement(what: str) -> bool:
    """Return whether an act can be declared only as a move action."""
    return DECLARED_ACTIONS_TYPES.get(what) == ("move",)


def may_replace(what: str) -> bool:
    """Return whether an act may replace a declared one that has become impossible: a move, or a
    similar act.
    """
    return is_movement(what) or what in ALIKE


def get_position_in_plan(combatant: Combatant, types: tuple[str, ...], what: str, target: str) -> int | None:
    """Return the position of the declared action that an act carries out, None if there is none."""
    for at, (type_, named, aim) in unused_plans(combatant):
        if type_ in types and named == what and aim in ("", target):
            return at
    return None


def types_of_action(fight: Fight, actor: Combatant, act: acts.Act) -> tuple[str, ...]:
    """Return the types of action that an act may be; for a spell its casting time decides.

    In a grapple it is the declared type; a move after leaving a grapple need not be declared.
    """
    if "grappling" in actor.conditions and not isinstance(act, acts.Grapple):
        return ("grapple",)
    if actor.spent.get(grapple_checks.RELEASED) and DECLARED_ACTIONS_TYPES.get(name_of(act)) == ("move",):
        return ("free",)
    meant = MEANT.get(type(act))
    if meant is not None:
        return meant(fight, actor, act)[1]
    if isinstance(act, acts.Grapple):
        return grapple_checks.grapple_kinds(fight, actor, act)
    if isinstance(act, acts.Grab):
        return grapple_checks.grab_kinds(fight, actor, act)
    if isinstance(act, acts.Stand) and act.how == "quickly":
        return ("free",)
    if isinstance(act, acts.Hide) and not act.path:
        return ("free",)
    if isinstance(act, acts.Overrun):
        return ("full-round",) if act.charge or act.whole else ("standard",)
    return DECLARED_ACTIONS_TYPES[name_of(act)]


def name_in_plan(fight: Fight, actor: Combatant, act: acts.Act) -> str:
    """Return the name that an act currently has in a plan: its tag or its intent."""
    meant = MEANT.get(type(act))
    return name_of(act) if meant is None else meant(fight, actor, act)[0]


def is_impossible(fight: Fight, combatant: Combatant, planned: Planned) -> bool:
    """Return whether a declared action can no longer be carried out.

    This is so if its target is down or gone, if an attack has no target within reach or range and no move
    remains to approach one, or if a combatant that declared standing up is already on its feet.
    """
    type_, what, aim = planned
    if type_ == "grapple":
        return "grappling" not in combatant.conditions
    if combatant.conditions and turned_undead.makes_impossible(fight, combatant, what, aim):
        return True
    if what == "stand":
        return not lies(combatant) and not has_low_posture(combatant)
    target = fight.state.combatants.get(aim)
    if target is None:
        return False
    if is_down(fight, target) and what not in ("stabilize", "treat", "rouse", "administer"):
        return True
    if what in ("attack", "full-attack", *MANEUVERS):
        coming = any(one[0] == "move" for _, one in unused_plans(combatant))
        return not coming and not any_reaches(
            combatant, target, held_weapons(combatant) or [unarmed(fight, combatant)]
        )
    return False


def any_reaches(combatant: Combatant, target: Combatant, weapons: list[Weapon]) -> bool:
    """Return whether any of the weapons reaches the target or shoots far enough."""
    feet = distance(combatant, target)
    for weapon in weapons:
        least, most = melee_band(combatant, weapon)
        if (strikes_in_melee(weapon) and least <= feet <= most) or weapon.range:
            return True
    return False


def is_movement_of_mount(fight: Fight, act: acts.Move | acts.Run) -> bool:
    """Return whether a movement is that of a mount with its rider, by the mount's action."""
    return find_rider_and_mount(fight, fight.combatant(act.actor)) is not None


def improved_feint(fight: Fight, act: acts.Feint) -> bool:
    """Return whether a feint is made on the fly (woa.feint.improved-feint)."""
    return has_feat(fight.combatant(act.actor), "improved feint")


UNDECLARED: Mapping[type[acts.Act], Callable[[Fight, Any], bool]] = {
    acts.Attack: lambda fight, act: bool(act.take),
    acts.Charge: lambda fight, act: bool(fight.combatant(act.actor).mount),
    acts.Move: is_movement_of_mount,
    acts.Run: is_movement_of_mount,
    acts.Mount: lambda fight, act: bool(act.fast),
    acts.Dismount: lambda fight, act: bool(act.fast),
    acts.Guide: lambda fight, act: act.what != "control",
    acts.Speak: lambda fight, act: not is_long(fight, act),
    acts.Feint: improved_feint,
    acts.UseAbility: special_abilities.uses_known_ability,
}
"""Tests for acts that need no declaring: out of combat, on the fly, or by a mount's action."""


# --- Staying ready: what breaks the concentration on a trigger, and long watches (woa.ready.*)

WATCHING = "readying"
"""The condition of having an act ready and watching for its trigger."""


def check_readied(fight: Fight, combatant: Combatant, damage: int) -> Steps[None]:
    """Check the concentration of a combatant attacked while readying; failure ends the readied state.

    The DC is 10 + the damage taken, 0 for an attack that missed (woa.ready.concentration-broken).
    """
    if combatant.readied is None or WATCHING not in combatant.conditions or is_down(fight, combatant):
        return
    topic = "woa.ready.concentration-broken"
    dc = fight.formula(topic, "dc") + damage
    yield from check_watch(fight, combatant, topic, dc, "attacked while readying")


def shake_readied(fight: Fight, blow: Blow) -> Steps[None]:
    """Check the readiness of the target of an attack or maneuver that did no damage.

    woa.ready.concentration-broken
    """
    return check_readied(fight, blow.target, 0)


def check_watch(fight: Fight, combatant: Combatant, topic: str, dc: int, why: str) -> Steps[None]:
    """Make a concentration check to stay ready; failure ends the readied state."""
    rule = fight.rule(topic)
    bonus = concentration.concentration_parts(fight, combatant)
    if not (yield from check(fight, combatant, "concentration", bonus, dc, rule, why=why)):
        yield ReadyEnded(who=combatant.id, how="lapsed", cites=(rule,))


def check_long_watch(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Ask the game master whether staying ready for this long takes a check.

    The DC is that of a distraction without damage (woa.ready.extended-watch).
    """
    topic = "woa.ready.extended-watch"
    question = f"{combatant.id} has been ready for rounds: does that take a concentration check?"
    answer = yield Choice("", "extended-watch", question, ("no check", "check"), fight.rule(topic))
    if answer == "check":
        dc = fight.formula("woa.ready.concentration-broken", "dc")
        yield from check_watch(fight, combatant, topic, dc, "watching for long")


def check_readied_hit(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Check the readiness of a combatant that was hit while watching for a trigger.

    woa.ready.concentration-broken
    """
    target = blow.target
    return check_readied(fight, target, before[0] - target.hp)


# --- A readied action at its trigger: taken, missed or over (woa.ready.*)

PREPARING = "preparing"
"""The condition of having declared a trigger before the combatant's turn."""

MISSED = "missed trigger"
"""The condition of having missed a trigger that came before the turn; its source set off the trigger."""

KEPT = "kept ready"
"""The condition of keeping up an act readied in an earlier round; its level counts these rounds."""


def end_readiness(fight: Fight, combatant: Combatant, how: str, *topics: str) -> Steps[None]:
    """End a readied act, "triggered" or "lapsed", and the condition of keeping it up."""
    cites = fight.rules(*topics)
    yield ReadyEnded(who=combatant.id, how=how, cites=cites)
    if KEPT in combatant.conditions:
        yield ConditionLost(who=combatant.id, condition=KEPT, why=how, cites=cites)


def triggered(fight: Fight, actor: Combatant, what: str, there: Square | None = None) -> Steps[None]:
    """Let combatants with an act readied for what `actor` is about to do act first; the turn order stays.

    With `there` only those that would see the next step react, before it is taken.

    woa.ready.window, woa.ready.interrupt, woa.ready.multi-round
    """
    if not fight.memory.company[anybody_ready]:
        return
    before = about_to_be_interrupted(fight, actor)
    for combatant, plan in readied_for(fight, actor, what, there):
        if any(rule_of(fight, name).actions in STILL for name in combatant.conditions):
            continue
        if PREPARING in combatant.conditions:
            if MISSED not in combatant.conditions:
                yield too_early(fight, combatant, actor)
            continue
        tag = plan.then.__struct_config__.tag
        answer = yield Choice(
            combatant.id,
            "ready",
            f"{actor.id} {what}: does {combatant.id} take the readied {tag}?",
            ("act", "wait"),
            fight.rule("woa.ready.window"),
        )
        if answer == "act":
            yield from fight.dialect.turns.take_readied(fight, combatant, actor, plan)
    stop_if_impossible(fight, before)


def too_early(fight: Fight, combatant: Combatant, actor: Combatant) -> ConditionGained:
    """Return the fact that a declared trigger came before the readier's turn."""
    return ConditionGained(
        who=combatant.id,
        condition=MISSED,
        source=actor.id,
        until=Until("round-end", "", fight.state.round),
        cites=(fight.rule("woa.ready.missed-trigger"),),
    )


def let_readied_act(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let combatants that readied for a movement act after it."""
    yield from triggered(fight, combatant, "moves")


# --- Readied actions: declared with the round, prepared in the turn, taken at the trigger
# woa.ready.*. A trigger declared with the plan may come before the turn: then it is missed, and the turn
# offers a choice. An act not taken may be kept ready round after round.

READY_ANSWERS = ("act", "continue", "abandon")


def readiable(fight: Fight) -> tuple[tuple[str, ...], str]:
    """Return which types of action can be readied, and the rule (woa.ready.declare)."""
    topic = "woa.ready.declare"
    return tuple(fight.figure(topic, "readiable")), fight.rule(topic)


def announce(fight: Fight, actor: Combatant, act: acts.Ready) -> Steps[None]:
    """Declare a readied act and its trigger with the plan; it is ready from the combatant's turn on."""
    if actor.readied is not None:
        yield from end_readiness(fight, actor, "lapsed", "woa.ready.multi-round-cost")
    elif KEPT in actor.conditions:
        rule = fight.rule("woa.ready.multi-round")
        yield ConditionLost(who=actor.id, condition=KEPT, why="something else is readied", cites=(rule,))
    cites = fight.rules("woa.ready.declare", "woa.ready.window")
    yield ActReadied(who=actor.id, act=replace(act, actor=actor.id), cites=cites)
    until = Until("round-end", "", fight.state.round)
    yield ConditionGained(who=actor.id, condition=PREPARING, source="ready", until=until, cites=cites)


def keep_ready(fight: Fight, combatant: Combatant, index: int) -> Steps[None]:
    """Keep up an act readied in an earlier round, at the cost of this round's standard action.

    The combatant counts as having won initiative; the game master may require a check (woa.ready.multi-round,
    woa.ready.multi-round-cost, woa.ready.extended-watch).
    """
    rule = fight.rule("woa.ready.multi-round-cost")
    earlier = combatant.conditions.get(KEPT)
    rounds = earlier.level + 1 if earlier is not None else 1
    yield ActionSpent(who=combatant.id, kind="standard", what="keep ready", cites=(rule,))
    yield ActionSpent(
        who=combatant.id,
        kind="planned",
        what="ready",
        amount=1 << index,
        cites=(fight.rule("woa.declare.start-of-round"),),
    )
    yield from watch_for_trigger(fight, combatant)
    yield ConditionGained(
        who=combatant.id,
        condition=KEPT,
        source="ready",
        until=Until("round-end", "", fight.state.round + 1),
        level=rounds,
        cites=fight.rules("woa.ready.multi-round"),
    )
    if rounds > 1:
        yield from check_long_watch(fight, combatant)


def watch_for_trigger(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Watch for the trigger until the end of the round: no reactions, and a penalty to perception."""
    yield ConditionGained(
        who=combatant.id,
        condition=WATCHING,
        source="ready",
        until=Until("round-end", "", fight.state.round),
        cites=(fight.rule("woa.ready.no-reactions"),),
    )


def ready(fight: Fight, act: acts.Ready) -> Steps[None]:
    """Prepare an act for a trigger, as a standard action; no reactions this round (woa.ready.declare).

    The act declared with the plan applies. If its trigger has come, the act is taken now, kept for the
    next round, or given up with the standard action (woa.ready.missed-trigger).
    """
    actor = fight.combatant(act.actor)
    announced = PREPARING in actor.conditions and actor.readied is not None
    if not announced:
        refuse_ready(fight, actor, act)
    yield spending(fight, actor, "standard", "ready", fight.rule("woa.ready.declare"))
    if announced:
        yield ConditionLost(
            who=actor.id, condition=PREPARING, why="its turn", cites=(fight.rule("woa.ready.window"),)
        )
        if MISSED in actor.conditions and not (yield from ask_after_missed_trigger(fight, actor)):
            return
    else:
        yield ActReadied(who=actor.id, act=act, cites=fight.rules("woa.ready.declare", "woa.ready.window"))
    yield from watch_for_trigger(fight, actor)


def ask_after_missed_trigger(fight: Fight, combatant: Combatant) -> Steps[bool]:
    """Ask what to do with an act whose trigger came too early; return whether it is kept ready."""
    rule = fight.rule("woa.ready.missed-trigger")
    at, plan = combatant.conditions[MISSED].source, combatant.readied
    question = (
        f"the trigger came before {combatant.id}'s turn: act now, stay ready for the next round, or give up?"
    )
    answer = yield Choice(combatant.id, "missed", question, READY_ANSWERS, rule)
    yield ConditionLost(who=combatant.id, condition=MISSED, why=answer, cites=(rule,))
    if answer == "continue":
        return True
    yield from end_readiness(
        fight, combatant, "triggered" if answer == "act" else "lapsed", "woa.ready.missed-trigger"
    )
    if answer == "act" and plan is not None:
        yield from out_of_turn(fight, combatant, aimed_at_actor(plan, combatant.id, at))
    return False


def take_readied(fight: Fight, combatant: Combatant, actor: Combatant, plan: acts.Ready) -> Steps[None]:
    """Take a readied act before the act that triggered it; the turn order stays (woa.ready.interrupt)."""
    yield from end_readiness(fight, combatant, "triggered", *rules_of_readied(combatant, plan))
    if plan.step is not None:
        yield from step_first(fight, combatant, plan.step)
    yield from out_of_turn(fight, combatant, aimed_at_actor(plan, combatant.id, actor.id))


def rules_of_readied(combatant: Combatant, plan: acts.Ready) -> list[str]:
    """Return the topics of the rules by which a readied act is taken."""
    topics = ["woa.ready.window", "woa.ready.interrupt"]
    if KEPT in combatant.conditions:
        topics.append("woa.ready.multi-round")
    if plan.trigger.what == "casts" and isinstance(plan.then, acts.Attack):
        topics.append("woa.ready.distract-caster")
    return topics


def step_first(fight: Fight, combatant: Combatant, to: tuple[int, int]) -> Steps[None]:
    """Take the short step that belongs to a readied act, if the combatant has not moved this round.

    woa.ready.short-step
    """
    rule = fight.rule("woa.ready.short-step")
    if combatant.spent.get("feet"):
        yield RuleApplied(who=combatant.id, what="no short step: has moved this round", cites=(rule,))
        return
    yield RuleApplied(who=combatant.id, what="takes a short step with the readied act", cites=(rule,))
    yield from out_of_turn(fight, combatant, acts.Step(actor=combatant.id, to=to))


def letting_go(fight: Fight, act: acts.Drop | acts.Sheathe, acting: Steps[None]) -> Steps[None]:
    """Put a weapon away; an act readied with it is cancelled (woa.ready.multi-round-cost)."""
    yield from acting
    actor = fight.combatant(act.actor)
    plan = actor.readied
    weapon = getattr(plan.then, "weapon", "") if plan is not None else ""
    if weapon and weapon == act.item and weapon not in actor.held:
        yield from end_readiness(fight, actor, "lapsed", "woa.ready.multi-round-cost")
