"""Free actions that count, drawing and reloading in futurepath."""

from affray.engine.dialects.futurepath.movement.postures import LOW, go_down
from affray.engine.dialects.futurepath.turns.action_budget import spend_free_action
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.gear import Drawing
from affray.engine.rules.gear.let_go import UNLOADED, is_lost, lose
from affray.engine.rules.gear.loading import loads_slowly
from affray.engine.rules.gear.weapons_in_hand import weapon_to_load
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import check_turn, refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.errors import did_you_mean
from affray.events.facts import acts
from affray.events.facts.combat import ItemChanged, ResourceSpent
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant


def drop_freely(fight: Fight, act: acts.Drop) -> Steps[None]:
    """Let go of a held item, or go down prone, to sitting or to kneeling: free actions, which count.

    Where there is little gravity, going down takes a standard action and an item stays where it is
    (futurepath.action.drop-object, .drop-prone).
    """
    actor = fight.combatant(act.actor)
    if act.item in LOW:
        yield from go_down(fight, actor, act.item)
        return
    floating = fight.option("gravity") == "low"
    rule = fight.rule("futurepath.action.drop-object")
    if act.item not in actor.held:
        raise Refusal(f"{actor.id} does not hold {act.item!r}", rule)
    cites = (rule, fight.rule("futurepath.action.drop-object.low-gravity")) if floating else (rule,)
    yield from spend_free_action(fight, actor, "drop", *cites)
    yield from lose(fight, actor, act.item, "dropped", cites)


def by_move_action(fight: Fight, holder: Combatant, item: str) -> Drawing:
    """Return how a weapon is drawn: as a move action; no feat makes it quicker."""
    return Drawing("move")


def draw_weapon(fight: Fight, act: acts.Draw) -> Steps[None]:
    """Draw a weapon: a move action that does not provoke, or part of a move with base attack bonus +1.

    futurepath.action.manipulate-objects, futurepath.action.draw-weapon.during-movement.
    """
    actor = fight.combatant(act.actor)
    check_turn(fight, actor)
    topic = "futurepath.action.draw-weapon.during-movement"
    moving = (
        fight.readied != actor.id
        and bool(actor.spent.get("feet"))
        and bool(actor.spent.get("move"))
        and not actor.spent.get("draw")
        and actor.sheet.base_attack >= fight.figure(topic, "min_bab")
    )
    rule = fight.rule(topic if moving else "futurepath.action.manipulate-objects")
    if not moving:
        refuse_unless_allowed(fight, actor, "move")
    weapon = next((one for one in actor.sheet.weapons if one.name == act.item), None)
    if weapon is None or is_lost(actor, act.item):
        known = did_you_mean(act.item, (one.name for one in actor.sheet.weapons if one is not weapon))
        raise Refusal(f"{actor.id} has no {act.item!r} to draw{known}", rule)
    if act.item in actor.held:
        raise Refusal(f"{actor.id} holds the {act.item} already", rule)
    if moving:
        yield ActionSpent(who=actor.id, kind="draw", what="draw", cites=(rule,))
    else:
        yield spending(fight, actor, "move", "draw", rule)
    yield ItemChanged(who=actor.id, item=act.item, state="held", cites=(rule,))


def reload_weapon(fight: Fight, act: acts.Load) -> Steps[None]:
    """Reload: a move action with a box magazine, a full round with an internal one; it provokes.

    Whatever else is slow to load takes the full round as well.

    futurepath.action.load-weapon.move, futurepath.action.reload.*.
    """
    actor = fight.combatant(act.actor)
    weapon = weapon_to_load(fight, actor, act.item, fight.rule("futurepath.action.load-weapon.move"))
    spent = actor.resources.get(act.item, 0)
    if weapon.thrown or not (spent or actor.items.get(act.item) == UNLOADED):
        raise Refusal(f"{act.item!r} needs no loading", fight.rule("futurepath.action.load-weapon.move"))
    internal = "internal-magazine" in weapon.traits or loads_slowly(weapon)
    kind = "full-round" if internal else "move"
    topic = (
        "futurepath.action.reload.internal-magazine"
        if internal
        else "futurepath.action.reload.box-magazine-or-speed-loader"
    )
    rule = fight.rule(topic)
    yield spending(fight, actor, kind, "reload", rule)
    yield from fight.dialect.opportunity.provoke(
        fight, actor, threatening(fight, actor), "reloads a weapon", f"load:{fight.declaration}", rule
    )
    if is_down(fight, actor):
        return
    if spent:
        yield ResourceSpent(who=actor.id, resource=act.item, amount=-spent, cites=(rule,))
    yield ItemChanged(who=actor.id, item=act.item, state="loaded", cites=(rule,))
