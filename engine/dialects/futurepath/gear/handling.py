"""Smaller acts in Futurepath: free actions that count, drawing, reloading, first aid, readying, talk."""

from affray.engine.blow import Harm
from affray.engine.dialects.futurepath.contested import old_only, reading
from affray.engine.dialects.futurepath.turns.action_budget import free
from affray.engine.fight import Fight
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.conditions.condition_rules import is_down
from affray.engine.rules.damage import injury
from affray.engine.rules.damage.injury import become
from affray.engine.rules.opportunity.attacks_of_opportunity import provoke, threatening
from affray.engine.rules.position.place import next_to
from affray.engine.rules.turns import delay_and_ready as shared
from affray.engine.rules.turns.action_budget import check_turn, refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ItemChanged, ResourceSpent
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant


def drop_freely(fight: Fight, act: acts.Drop) -> Steps[None]:
    """Let go of a held item, or drop prone: free actions, which count.

    Where there is little gravity, going down takes a move action and an item stays where it is
    (futurepath.action.drop-object, .drop-prone).
    """
    who = fight.combatant(act.actor)
    check_turn(fight, who)
    floating = fight.option("gravity") == "low"
    if act.item == "prone":
        topic = "action.drop-prone"
        if "prone" in who.conditions:
            raise Refusal(f"{who.id} is prone already", fight.rule(topic))
        if floating:
            rule = fight.rule("action.drop-prone.low-gravity")
            yield spending(fight, who, "move", "drop prone", rule)
        else:
            rule = fight.rule(topic)
            yield from free(fight, who, "drop prone", rule)
        yield ConditionGained(who=who.id, condition="prone", source="by choice", cites=(rule,))
        return
    rule = fight.rule("action.drop-object")
    if act.item not in who.held:
        raise Refusal(f"{who.id} does not hold {act.item!r}", rule)
    cites = (rule, fight.rule("action.drop-object.low-gravity")) if floating else (rule,)
    yield from free(fight, who, "drop", *cites)
    yield ItemChanged(who=who.id, item=act.item, state="dropped", cites=cites)


def draw_weapon(fight: Fight, act: acts.Draw) -> Steps[None]:
    """Draw a weapon: a move action that does not provoke, or part of a move with base attack bonus +1.

    futurepath.action.manipulate-objects, futurepath.action.draw-weapon.during-movement.
    """
    who = fight.combatant(act.actor)
    check_turn(fight, who)
    topic = "action.draw-weapon.during-movement"
    moving = (
        bool(who.spent.get("feet"))
        and bool(who.spent.get("move"))
        and not who.spent.get("draw")
        and who.sheet.base_attack >= fight.figure(topic, "min_bab")
    )
    rule = fight.rule(topic if moving else "action.manipulate-objects")
    if not moving:
        refuse_unless_allowed(fight, who, "move")
    weapon = next((one for one in who.sheet.weapons if one.name == act.item), None)
    if weapon is None or who.items.get(act.item) in ("dropped", "broken", "gone"):
        raise Refusal(f"{who.id} has no {act.item!r} to draw", rule)
    if act.item in who.held:
        raise Refusal(f"{who.id} holds the {act.item} already", rule)
    yield ActionSpent(who=who.id, kind="draw" if moving else "move", what="draw", cites=(rule,))
    yield ItemChanged(who=who.id, item=act.item, state="held", cites=(rule,))


def reload_weapon(fight: Fight, act: acts.Load) -> Steps[None]:
    """Reload: a move action with a box magazine, a full round with an internal one; it provokes.

    futurepath.action.load-weapon.move, futurepath.action.reload.*.
    """
    who = fight.combatant(act.actor)
    weapon = next((one for one in who.sheet.weapons if one.name == act.item), None)
    spent = who.resources.get(act.item, 0)
    if weapon is None or not (spent or who.items.get(act.item) == "unloaded"):
        raise Refusal(f"{act.item!r} needs no loading", fight.rule("action.load-weapon.move"))
    internal = "internal-magazine" in weapon.traits
    kind = "full-round" if internal else "move"
    topic = "action.reload.internal-magazine" if internal else "action.reload.box-magazine-or-speed-loader"
    rule = fight.rule(topic)
    yield spending(fight, who, kind, "reload", rule)
    yield from provoke(
        fight, who, threatening(fight, who), "reloads a weapon", f"load:{fight.declaration}", rule
    )
    if is_down(fight, who):
        return
    if spent:
        yield ResourceSpent(who=who.id, resource=act.item, amount=-spent, cites=(rule,))
    yield ItemChanged(who=who.id, item=act.item, state="loaded", cites=(rule,))


def stabilize(fight: Fight, act: acts.Stabilize) -> Steps[None]:
    """Make a dying character stable: a full-round action that provokes; an attack action by the old rules.

    The check is assumed (futurepath.action.stabilize-dying.*, futurepath.assumed.first-aid).
    """
    who, target = fight.combatant(act.actor), fight.combatant(act.target)
    old = old_only(fight)
    kind, topic = ("standard", "legacy") if old else ("full-round", "full-round")
    rule = fight.rule(f"action.stabilize-dying.{topic}")
    refuse_unless_allowed(fight, who, kind)
    if "dying" not in target.conditions:
        raise Refusal(f"{target.id} is not dying", rule)
    if not next_to(who, target):
        raise Refusal(f"{who.id} does not stand next to {target.id}", rule)
    yield spending(fight, who, kind, "first aid", rule)
    yield from provoke(
        fight, who, threatening(fight, who), "gives first aid", f"aid:{fight.declaration}", rule
    )
    if is_down(fight, who):
        return
    first_aid = fight.rule("assumed.first-aid")
    parts = skill_parts(fight, who, "treat injury", "wis", first_aid)
    if (
        yield from check(
            fight, who, "treat-injury", parts, fight.figure("assumed.first-aid", "dc"), first_aid
        )
    ):
        yield from become(fight, target, "stable", f"first aid from {who.id}", "assumed.first-aid")


def injure(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Settle what damage does; a hit breaks up a conversation, for all who take part on that side.

    futurepath.action.speak.conversation-broken-by-hit.
    """
    if "conversing" in target.conditions and harm.attacker is not None:
        rule = fight.rule("action.speak.conversation-broken-by-hit")
        for one in [target, *fight.allies(target)]:
            if "conversing" in one.conditions:
                yield ConditionLost(
                    who=one.id, condition="conversing", why=f"{target.id} was hit", cites=(rule,)
                )
    yield from injury.injure(fight, target, before, harm)


def ready(fight: Fight, act: acts.Ready) -> Steps[None]:
    """Prepare an attack or move action for a trigger; by one reading an attack action only.

    futurepath.action.ready.what, .split, .is-attack-action.
    """
    moves = (acts.Move, acts.Step, acts.Stand, acts.TotalDefense)
    if reading(fight, "ready_what") == "attack-only" and isinstance(act.then, moves):
        raise Refusal("only an attack action can be readied", fight.rule("action.ready.split"))
    yield from shared.ready(fight, act)
