"""Whether an act of the turn keeps to the declared plan.

woa.declare.start-of-round, woa.resolve.invalidated-action
"""

from collections.abc import Callable, Mapping
from typing import Any

from affray.engine.dialects.woa.classes import special_abilities, turned_undead
from affray.engine.dialects.woa.grapple import action_types
from affray.engine.dialects.woa.position.prone import keeps_low, lies
from affray.engine.dialects.woa.turns import declared_intents
from affray.engine.dialects.woa.turns.declared_actions import (
    BUDGETED,
    MANEUVERS,
    NOTHING,
    TYPES,
    Planned,
    name_of,
    target_of,
    unused_plans,
)
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.held_weapons import held_weapons, melee_band, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.mounted.rider_and_mount import pair_of
from affray.engine.rules.position.place import distance
from affray.engine.steps import Choice, Refusal, Steps, onward
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, PlanMade, RuleApplied
from affray.projections.state import Combatant

#: Acts that are alike enough to stand in for one another when a plan has become impossible.
ALIKE = frozenset({"attack", "full-attack", "charge", "cast", "called-shot", *MANEUVERS})

ANSWERS = ("similar action", "move only", "nothing")


def keeping(fight: Fight, act: Any, acting: Steps[None]) -> Steps[None]:
    """Carry out an act and hold its actor to the declared plan.

    An act that the plan does not name is refused, unless a declared action has become impossible: then
    the game master says whether a similar action, only a move, or nothing replaces it, and the plan is
    written anew (woa.resolve.invalidated-action). Without a plan (a fight joined in the middle of a round)
    nothing is held against anybody.
    """
    undeclared = UNDECLARED.get(type(act))
    return (
        acting if undeclared is not None and undeclared(fight, act) else carry_out_planned(fight, act, acting)
    )


def carry_out_planned(fight: Fight, act: Any, acting: Steps[None]) -> Steps[None]:
    """Carry out an act if the plan of its actor names it (woa.declare.start-of-round)."""
    actor = fight.combatant(act.actor)
    # An act is refused before its first step, and so must everything here be.
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


def use_up_planned(fight: Fight, actor: Combatant, act: Any) -> Steps[bool]:
    """Use up the declared action that an act carries out; return whether there is one."""
    what, target = name_in_plan(fight, actor, act), target_of(act)
    index = place_in_plan(actor, types_of_action(fight, actor, act), what, target)
    if index is None:
        broken = next((at for at, one in unused_plans(actor) if is_impossible(fight, actor, one)), None)
        moving = is_movement(what)
        if broken is None or not may_replace(what):
            told = ", ".join(f"{one[1]} {one[2]}".strip() for _, one in unused_plans(actor)) or "nothing more"
            raise Refusal(f"{actor.id} has declared {told}", fight.rule("woa.declare.start-of-round"))
        options = (ANSWERS[1], ANSWERS[0], ANSWERS[2]) if moving else ANSWERS
        lost = actor.plan[broken]
        rule = fight.rule("woa.resolve.invalidated-action")
        question = f"{actor.id} declared {lost[1]} {lost[2]}, which is impossible now: what may it do?"
        answer = yield Choice("", "invalidated", question, options, rule)
        new = {ANSWERS[0]: (lost[0], lost[1], ""), ANSWERS[1]: ("move", "move", "")}.get(answer, NOTHING)
        if answer == ANSWERS[0] and not moving:
            new = (types_of_action(fight, actor, act)[0], what, "")
        elif answer == ANSWERS[1] and moving:
            new = ("move", what, "")
        plan = (*actor.plan[:broken], new, *actor.plan[broken + 1 :])
        yield PlanMade(who=actor.id, actions=plan, cites=(rule,))
        index = place_in_plan(actor, types_of_action(fight, actor, act), what, target)
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
    """Say whether an act is declared as a move action and never as anything else."""
    return TYPES.get(what) == ("move",)


def may_replace(what: str) -> bool:
    """Say whether an act may stand in for a declared one that has become impossible: a move, or one alike."""
    return is_movement(what) or what in ALIKE


def place_in_plan(combatant: Combatant, types: tuple[str, ...], what: str, target: str) -> int | None:
    """Return the place of the declared action that an act carries out, None without one."""
    for at, (type_, named, aim) in unused_plans(combatant):
        if type_ in types and named == what and aim in ("", target):
            return at
    return None


def types_of_action(fight: Fight, actor: Combatant, act: Any) -> tuple[str, ...]:
    """Return the types of action that an act may be; a spell's own casting time decides.

    In a grapple it is what was declared of it; a move after leaving one need not be declared.
    """
    if "grappling" in actor.conditions and not isinstance(act, acts.Grapple):
        return ("grapple",)
    if actor.spent.get(action_types.RELEASED) and TYPES.get(name_of(act)) == ("move",):
        return ("free",)
    meant = declared_intents.MEANT.get(type(act))
    if meant is not None:
        return meant(fight, actor, act)[1]
    if isinstance(act, acts.Grapple):
        return action_types.grapple_kinds(fight, actor, act)
    if isinstance(act, acts.Grab):
        return action_types.grab_kinds(fight, actor, act)
    if isinstance(act, acts.Stand) and act.how == "quickly":
        return ("free",)
    if isinstance(act, acts.Hide) and not act.path:
        return ("free",)
    if isinstance(act, acts.Overrun):
        return ("full-round",) if act.charge or act.whole else ("standard",)
    return TYPES[name_of(act)]


def name_in_plan(fight: Fight, actor: Combatant, act: Any) -> str:
    """Return the name that an act has in a plan: its tag, or what is meant by it just now."""
    meant = declared_intents.MEANT.get(type(act))
    return name_of(act) if meant is None else meant(fight, actor, act)[0]


def is_impossible(fight: Fight, combatant: Combatant, planned: Planned) -> bool:
    """Say whether a declared action can no longer be carried out.

    Its target is down or gone; an attack has nobody within reach or range and no move is left to come
    near; somebody wants to get up who stands.
    """
    type_, what, aim = planned
    if type_ == "grapple":
        return "grappling" not in combatant.conditions
    if combatant.conditions and turned_undead.makes_impossible(fight, combatant, what, aim):
        return True
    if what == "stand":
        return not lies(combatant) and not keeps_low(combatant)
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


def any_reaches(combatant: Combatant, target: Combatant, weapons: list[Any]) -> bool:
    """Say whether any of the weapons strikes, or shoots as far as, the target."""
    feet = distance(combatant, target)
    for weapon in weapons:
        least, most = melee_band(combatant, weapon)
        if (strikes_in_melee(weapon) and least <= feet <= most) or weapon.range:
            return True
    return False


def by_mount(fight: Fight, act: acts.Move | acts.Run) -> bool:
    """Say whether a movement is that of a mount with its rider, by the mount's own action."""
    return pair_of(fight, fight.combatant(act.actor)) is not None


def improved_feint(fight: Fight, act: acts.Feint) -> bool:
    """Say whether a feint is made on the fly (woa.feint.improved-feint)."""
    return has_feat(fight.combatant(act.actor), "improved feint")


UNDECLARED: Mapping[type[acts.Act], Callable[[Fight, Any], bool]] = {
    acts.Attack: lambda fight, act: bool(act.take),
    acts.Charge: lambda fight, act: bool(fight.combatant(act.actor).mount),
    acts.Move: by_mount,
    acts.Run: by_mount,
    acts.Mount: lambda fight, act: bool(act.fast),
    acts.Dismount: lambda fight, act: bool(act.fast),
    acts.Guide: lambda fight, act: act.what != "control",
    acts.Speak: lambda fight, act: not declared_intents.is_long(fight, act),
    acts.Feint: improved_feint,
    acts.UseAbility: special_abilities.uses_known_ability,
}
"""Which acts of a kind need no declaring: out of combat, on the fly, or by the action of a mount."""
