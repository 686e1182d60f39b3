"""Free actions that count, drawing and reloading in futurepath."""

from collections.abc import Sequence

from affray.engine.dialects.futurepath.attacks.attack_roll import FIREARMS
from affray.engine.dialects.futurepath.contested import old_only
from affray.engine.dialects.futurepath.movement.postures import LOW, go_down
from affray.engine.dialects.futurepath.turns.action_budget import spend_free_action
from affray.engine.dialects.futurepath.turns.table_rows import provokes_by_row
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.gear import Drawing
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.let_go import UNLOADED, is_lost, lose
from affray.engine.rules.gear.loading import loads_slowly
from affray.engine.rules.gear.weapons_in_hand import weapon_to_load
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import check_turn, spending
from affray.engine.steps import Refusal, Steps, unknown_word
from affray.events.errors import did_you_mean
from affray.events.facts import acts
from affray.events.facts.combat import ItemChanged, ResourceSpent
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

VARIES, MOVES = "futurepath.table.actions.varies", "futurepath.table.actions.move"


def drop_freely(fight: Fight, act: acts.Drop) -> Steps[None]:
    """Let go of what is held, or go down prone, to sitting or to kneeling: free actions, which count.

    Several things that are let go of together are one free action. Where there is little gravity, going down
    takes a standard action and an item stays where it is (futurepath.action.drop-object, .simultaneous,
    .low-gravity, futurepath.action.drop-prone).
    """
    actor = fight.combatant(act.actor)
    together = "futurepath.action.drop-object.simultaneous"
    if act.item in LOW:
        if act.also:
            reason = f"{actor.id} goes down to {act.item} and lets go of things in two declarations"
            raise Refusal(reason, fight.rule(together))
        yield from go_down(fight, actor, act.item)
        return
    rule = fight.rule("futurepath.action.drop-object")
    items = (act.item, *act.also)
    for item in items:
        if not item:
            raise unknown_word(f"thing that {actor.id} holds", item, actor.held, rule)
        if item not in actor.held:
            raise Refusal(f"{actor.id} does not hold {item!r}{did_you_mean(item, actor.held)}", rule)
    if len(set(items)) < len(items):
        raise Refusal(f"{actor.id} lets go of the same thing twice", fight.rule(together))
    topics = [together] if act.also else []
    if fight.option("gravity") == "low":
        topics.append("futurepath.action.drop-object.low-gravity")
    cites = (rule, *fight.rules(*topics))
    yield from spend_free_action(fight, actor, "drop", *cites)
    for item in items:
        yield from lose(fight, actor, item, "dropped", cites)


def by_move_action(fight: Fight, holder: Combatant, item: str) -> Drawing:
    """Return how a weapon is drawn: as a move action; no feat makes it quicker."""
    return Drawing("move")


def draw_weapon(fight: Fight, act: acts.Draw) -> Steps[None]:
    """Draw a weapon: a move action that does not provoke, or part of a move with base attack bonus +1.

    With Two-Weapon Fighting two at once (futurepath.action.manipulate-objects,
    futurepath.action.draw-weapon.during-movement, futurepath.action.draw-weapon.with-move,
    futurepath.action.draw-weapon.two-with-twf).
    """
    actor = fight.combatant(act.actor)
    check_turn(fight, actor)
    topic, table = "futurepath.action.draw-weapon.during-movement", "futurepath.action.draw-weapon.with-move"
    moving = (
        fight.readied != actor.id
        and bool(actor.spent.get("feet"))
        and bool(actor.spent.get("move"))
        and not actor.spent.get("draw")
        and actor.sheet.base_attack >= max(fight.figure(one, "min_bab") for one in (topic, table))
    )
    rule = fight.rule(topic if moving else "futurepath.action.manipulate-objects")
    items = (act.item, act.also) if act.also else (act.item,)
    drawn = [weapon_to_draw(fight, actor, item, rule) for item in items]
    cites = (rule, *(fight.rules(table) if moving else ()))
    cites += rules_of_two(fight, actor, drawn) if act.also else ()
    if moving:
        yield ActionSpent(who=actor.id, kind="draw", what="draw", cites=cites)
    else:
        yield spending(fight, actor, "move", "draw", *cites)
    for weapon in drawn:
        yield ItemChanged(who=actor.id, item=weapon.name, state="held", cites=cites)


def weapon_to_draw(fight: Fight, actor: Combatant, item: str, rule: str) -> Weapon:
    """Return a weapon that can be drawn. Refuses what is not there, and what is in hand."""
    weapon = next((one for one in actor.sheet.weapons if one.name == item), None)
    if weapon is None:
        names = [one.name for one in actor.sheet.weapons]
        ready = [one for one in names if one not in actor.held and not is_lost(actor, one)]
        raise unknown_word(f"weapon that {actor.id} can draw", item, ready, rule)
    if is_lost(actor, item):
        raise Refusal(f"{actor.id} does not have the {item} any more", rule)
    if item in actor.held:
        raise Refusal(f"{actor.id} holds the {item} already", rule)
    return weapon


def rules_of_two(fight: Fight, actor: Combatant, drawn: Sequence[Weapon]) -> tuple[str, ...]:
    """Return the rule by which two weapons are drawn as one. Refuses others than two for one hand each.

    futurepath.action.draw-weapon.two-with-twf.
    """
    rule = fight.rule("futurepath.action.draw-weapon.two-with-twf")
    two = len({weapon.name for weapon in drawn}) == len(drawn)
    if not two or not has_feat(actor, "two-weapon fighting") or any(weapon.hands > 1 for weapon in drawn):
        named = " and the ".join(weapon.name for weapon in drawn)
        raise Refusal(f"{actor.id} cannot draw the {named} in the time of one", rule)
    return (rule,)


def reload_weapon(fight: Fight, act: acts.Load) -> Steps[None]:
    """Reload: a move action with a box magazine, a full round with an internal one; it provokes.

    Whatever else is slow to load takes the full round as well.

    futurepath.action.load-weapon.move, futurepath.action.reload.*, futurepath.table.actions.varies,
    futurepath.table.actions.varies.legacy.
    """
    actor = fight.combatant(act.actor)
    weapon = weapon_to_load(fight, actor, act.item, fight.rule("futurepath.action.load-weapon.move"))
    emptied = is_emptied(fight, actor, weapon)
    if weapon.thrown or not (emptied or actor.items.get(act.item) == UNLOADED):
        raise Refusal(f"the {act.item} needs no loading", fight.rule("futurepath.action.load-weapon.move"))
    internal = "internal-magazine" in weapon.traits or loads_slowly(weapon)
    kind = "full-round" if internal else "move"
    topic = (
        "futurepath.action.reload.internal-magazine"
        if internal
        else "futurepath.action.reload.box-magazine-or-speed-loader"
    )
    rule = fight.rule(topic)
    yield spending(fight, actor, kind, "reload", rule)
    provokes, table = provokes_by_row(fight, *row_of_loading(fight, weapon, internal))
    if provokes:
        yield from fight.dialect.opportunity.provoke(
            fight,
            actor,
            threatening(fight, actor),
            "reloads a weapon",
            f"load:{fight.declaration}",
            rule,
            table,
        )
    if is_down(fight, actor):
        return
    if emptied:
        spent = actor.resources[act.item]
        yield ResourceSpent(who=actor.id, resource=act.item, amount=-spent, cites=(rule,))
    yield ItemChanged(who=actor.id, item=act.item, state="loaded", cites=(rule,))


def is_emptied(fight: Fight, holder: Combatant, weapon: Weapon) -> bool:
    """Say whether a magazine lacks bullets that loading brings back (futurepath.action.load-weapon.move).

    Bullets that came with a weapon of somebody else count below 0.
    """
    return not weapon.thrown and holder.resources.get(weapon.name, 0) > 0


def row_of_loading(fight: Fight, weapon: Weapon, internal: bool) -> tuple[str, str]:
    """Return table and row of a weapon's loading: firearms have a row of their own, by the old rules two.

    futurepath.table.actions.varies, futurepath.table.actions.varies.legacy, futurepath.table.actions.move,
    futurepath.table.actions.full-round.
    """
    if weapon.family not in FIREARMS:
        return (VARIES if old_only(fight) else MOVES), "load a weapon"
    if not old_only(fight):
        return VARIES, "reload a firearm*"
    if internal:
        return "futurepath.table.actions.full-round", "reload a firearm with an internal magazine"
    return MOVES, "reload a firearm with a box magazine or speed loader"
