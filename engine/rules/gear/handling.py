"""Shields and other items in hand: strapping on, dropping, picking up, retrieving, moving, opening.

srd35.move-action.shield, srd35.move-action.item.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.actions import check_turn
from affray.engine.record.chapters import Drawing
from affray.engine.rules.gear.hands import SPIKES, held_weapons, is_lost, let_go, loosen, wands_of
from affray.engine.rules.gear.objects import make_door_fact, refuse_door_between
from affray.engine.rules.gear.others_things import pick_up, refuse_to_pick_up
from affray.engine.rules.gear.weapons_in_hand import MISSILE
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import EffectEnded, EffectGained, ItemChanged, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant, Effect

# --- Drawing weapons and putting them away (srd35.move-action.draw)

#: Kinds of action that drawing takes, from the quickest to the slowest.
SLOWER = ("free", "merged", "move", "standard")


def quick_draw(fight: Fight, holder: Combatant, item: str) -> Drawing:
    """Return how a weapon is drawn: freely, as part of a move or as a move action.

    Freely with Quick Draw, which draws no flasks, or if it is a missile (pf1.feat.quick-draw, pf1.move.draw).
    """
    if "quick draw" in holder.sheet.feats and not is_flask(holder, item):
        return Drawing("free", fight.rules("feat.quick-draw"))
    if is_missile(holder, item):
        return Drawing("free")
    return Drawing("merged" if draws_while_moving(fight, holder) else "move")


def is_missile(holder: Combatant, item: str) -> bool:
    """Return whether a weapon is drawn like ammunition (srd35.move-action.draw, pf1.move.draw)."""
    return any(one.name == item and MISSILE in one.traits for one in holder.sheet.weapons)


def is_flask(holder: Combatant, item: str) -> bool:
    """Return whether a weapon is an alchemical item (pf1.feat.quick-draw)."""
    return any(one.name == item and "splash" in one.traits for one in holder.sheet.weapons)


def draws_while_moving(fight: Fight, holder: Combatant) -> bool:
    """Return whether a weapon can be drawn as part of the regular move made this turn.

    From a base attack bonus of +1 on (pf1.move.draw).
    """
    skilled = holder.sheet.base_attack >= fight.figure("move-action.draw", "base_attack_bonus")
    moved = holder.spent.get("move") and holder.spent.get("feet")
    now = fight.readied != holder.id and not holder.spent.get("merged")
    return bool(skilled and moved and now)


def draw_weapon(fight: Fight, act: acts.Draw) -> Steps[None]:
    """Draw a weapon: a move action, or part of a move, free with Quick Draw (srd35.move-action.draw).

    Of two that are drawn as one the slower decides (pf1.move.draw).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("move-action.draw")
    dialect = fight.dialect
    drawn = (act.item, act.also) if act.also else (act.item,)
    how = max(
        (dialect.gear.drawing(fight, actor, item) for item in drawn), key=lambda one: SLOWER.index(one.kind)
    )
    if how.kind in ("free", "merged"):
        check_turn(fight, actor)
    else:
        refuse_unless_allowed(fight, actor, how.kind)
    for item in drawn:
        refuse_undrawable(actor, item, rule)
    both = dialect.attacks.drawn_together(fight, actor, drawn) if act.also else ()
    quick = how.kind in ("free", "merged")
    if how.kind == "free" and not (
        yield from dialect.turns.free_action_limit(fight, actor, f"draw the {act.item}")
    ):
        return
    yield from dialect.turns.told_safe(fight, actor, how.column, how.action, f"drawing the {act.item}")
    cites = (rule, *how.cites, *both)
    if quick:
        yield ActionSpent(who=actor.id, kind=how.kind, what="draw", cites=cites)
    else:
        yield spending(fight, actor, how.kind, "draw", *cites)
    for item in drawn:
        yield ItemChanged(who=actor.id, item=item, state="held", cites=(rule,))


def refuse_undrawable(holder: Combatant, item: str, rule: str) -> None:
    """Refuse to draw a weapon, or a wand, that is missing or is in hand already."""
    gone = is_lost(holder, item)
    things = (*(one.name for one in holder.sheet.weapons), *wands_of(holder))
    worn = {one.name for one in holder.sheet.weapons if one.table == SPIKES}
    if gone or item not in things:
        known = (one for one in things if not is_lost(holder, one) and one not in (*holder.held, *worn))
        raise unknown_word("weapon", item, () if gone else known, rule, holder.id, "to draw")
    if item in worn:
        raise Refusal(f"the {item} is worn, not drawn", rule)
    if item in holder.held:
        raise Refusal(f"{holder.id} holds the {item} already", rule)


def sheathe(fight: Fight, act: acts.Sheathe) -> Steps[None]:
    """Put a weapon away: a move action that provokes (srd35.move-action.draw).

    futurepath.table.actions.move.
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("move-action.draw")
    if act.item not in actor.held:
        raise unknown_word("item", act.item, actor.held, rule, actor.id, "in hand")
    yield spending(fight, actor, "move", "sheathe", rule)
    table = fight.dialect.turns.table_rules(fight, "move", "Sheathe a weapon")
    yield from fight.dialect.opportunity.provoke(
        fight,
        actor,
        threatening(fight, actor),
        "sheathes a weapon",
        f"sheathe:{fight.declaration}",
        rule,
        *table,
    )
    if not is_down(fight, actor):
        yield let_go(actor, act.item, "stowed", (rule,))
        yield from loosen(fight, actor, act.item)


OFF, DROPPED, HELD, STOWED = "doffed", "dropped", "held", "stowed"
#: The acts of handling a shield, and its state after each.
BECOMES = {"ready-shield": HELD, "loose-shield": OFF, "drop-shield": DROPPED}


def refuse_to_handle(fight: Fight, actor: Combatant, act: acts.Handle, rule: str) -> None:
    """Refuse to handle nothing, to pick up an item that is not on the ground, to retrieve one that is not
    stored.
    """
    state = actor.items.get(act.item, "")
    if not act.item:
        raise Refusal("nothing to handle is named", rule)
    if act.what == "pick-up":
        refuse_to_pick_up(fight, actor, act.item, rule)
    if act.what == "retrieve" and (act.item in actor.held or state not in ("", STOWED)):
        raise Refusal(f"{actor.id} has no {act.item!r} stored away", rule)


def handle_shield(fight: Fight, actor: Combatant, act: acts.Handle, *table: str) -> Steps[None]:
    """Strap a shield on, take it off or drop it: a move action, or part of a move from +1 base attack on.

    A shield that is merely carried is dropped freely (srd35.move-action.shield, pf1.move.shield). `table` are
    the rules on the action's type (woa.items.shield-drop-carried).
    """
    rule = fight.rule("move-action.shield")
    if all(bonus.kind != "shield" or bonus.source != act.item for bonus in actor.sheet.armor):
        raise Refusal(f"{actor.id} has no shield {act.item!r}", rule)
    state = actor.items.get(act.item, HELD)
    if act.what == "ready-shield" and state != OFF:
        raise Refusal(f"the {act.item} is {state}, not carried ready to be strapped on", rule)
    if act.what == "loose-shield" and state != HELD:
        raise Refusal(f"{actor.id} does not wear the {act.item}", rule)
    if act.what == "drop-shield" and state not in (HELD, OFF):
        raise Refusal(f"the {act.item} is {state}", rule)
    becomes = BECOMES[act.what]
    what = act.what.replace("-", " a ")
    if act.what == "drop-shield" and state == OFF:
        check_turn(fight, actor)
        rule = fight.rule("move-action.shield-drop")
        yield ActionSpent(who=actor.id, kind="free", what="drop a carried shield", cites=(rule,))
    elif is_part_of_move(fight, actor):
        check_turn(fight, actor)
        rule = fight.rule("move-action.shield-while-moving")
        yield ActionSpent(who=actor.id, kind="merged", what=f"{what} while moving", cites=(rule,))
    else:
        yield spending(fight, actor, "move", what, rule, *table)
    yield ItemChanged(who=actor.id, item=act.item, state=becomes, cites=(rule,))


def is_part_of_move(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a shield can be handled as part of the regular move made this turn.

    woa.items.shield-ready-while-moving.
    """
    skilled = combatant.sheet.base_attack >= fight.figure(
        "move-action.shield-while-moving", "base_attack_bonus"
    )
    moved = combatant.spent.get("move") and combatant.spent.get("feet")
    return bool(skilled and moved and not combatant.spent.get("merged"))


# --- Shields and other items in hand: strapping on, dropping, picking up, retrieving, moving, opening
# Tables of actions in combat list which of these provoke (srd35.actions-table.move, pf1.actions-table.move).

#: The acts of handling an item.
WAYS = ("pick-up", "retrieve", "move", "move-heavy", "open", "close")

#: The names of these acts in the table of actions; "Ready or loose a shield" ends like this.
ROWS = {
    "ready-shield": "a shield",
    "loose-shield": "a shield",
    "drop-shield": "a shield",
    "pick-up": "Pick up an item",
    "retrieve": "Retrieve a stored item",
    "move-heavy": "Move a heavy object",
    "open": "Open or close a door",
    "close": "Open or close a door",
}


def handle(fight: Fight, act: acts.Handle) -> Steps[None]:
    """Handle a shield or another item, mostly as a move action; some acts provoke."""
    actor = fight.combatant(act.actor)
    if act.what.endswith("-shield"):
        yield from handle_shield(fight, actor, act, *provokes_by_handling(fight, act.what)[1])
    else:
        yield from handle_item(fight, actor, act)


def handle_item(fight: Fight, actor: Combatant, act: acts.Handle) -> Steps[None]:
    """Pick up, retrieve, move or open something: a move action that may provoke.

    srd35.move-action.item, pf1.move.item.
    """
    rule = fight.rule("move-action.item")
    refuse_to_handle(fight, actor, act, rule)
    refuse_door_between(fight, actor, act, rule)
    open_to_blows, table = provokes_by_handling(fight, act.what)
    yield spending(fight, actor, "move", f"{act.what}: {act.item}", rule, *table)
    if open_to_blows:
        yield from fight.dialect.opportunity.provoke(
            fight,
            actor,
            threatening(fight, actor),
            f"handles the {act.item}",
            f"handle:{fight.declaration}",
            rule,
        )
        if is_down(fight, actor):
            return
    shield = any(bonus.kind == "shield" and bonus.source == act.item for bonus in actor.sheet.armor)
    if act.what == "pick-up":
        yield from pick_up(fight, actor, act.item, OFF if shield else HELD, (rule,))
    elif act.what == "retrieve":
        yield ItemChanged(who=actor.id, item=act.item, state=OFF if shield else HELD, cites=(rule,))
    else:
        done = {"move": "moves", "move-heavy": "moves", "open": "opens", "close": "closes"}[act.what]
        yield RuleApplied(who=actor.id, what=f"{done} the {act.item}", cites=(rule,))
        yield from make_door_fact(fight, actor, act, rule)


def provokes_by_handling(fight: Fight, what: str) -> tuple[bool, tuple[str, ...]]:
    """Return whether an act of handling provokes, and the table that lists it, if it does.

    srd35.actions-table.move, pf1.actions-table.move.
    """
    name = ROWS.get(what)
    for row in fight.figure("actions-table.move"):
        if name is not None and row["action"].endswith(name):
            return row["provokes"] == "yes", fight.rules("actions-table.move")
    return False, ()


# --- Tasks of the table of actions in combat: a light, a locked gauntlet, the components of a spell
# The table says whether each provokes (srd35.actions-table.*, pf1.actions-table.*).


class Task(NamedTuple):
    """A task: the `kind` of action that it takes, and its row in the table of actions."""

    kind: str
    action: str


LIGHTING: Final[Mapping[str, Task]] = {
    "light": Task("full-round", "Light a torch"),
    "tindertwig": Task("standard", "Light a torch with a tindertwig"),
}
LOCKING: Final[Mapping[str, Task]] = {
    "lock": Task("full-round", "Lock or unlock weapon in locked gauntlet"),
    "unlock": Task("full-round", "Lock or unlock weapon in locked gauntlet"),
}
COMPONENTS: Final[Mapping[str, Task]] = {"set-up": Task("free", "Prepare spell components")}
TASKS: Final[Mapping[str, Task]] = {**LIGHTING, **LOCKING, **COMPONENTS}


def kind_of_handling(fight: Fight, combatant: Combatant, act: acts.Handle) -> str:
    """Return the action of a task of the table of actions, a move action for other handling."""
    return TASKS[act.what].kind if act.what in TASKS else "move"


def spend_on_task(
    fight: Fight, actor: Combatant, task: Task, what: str, reason: str, name: str
) -> Steps[bool]:
    """Spend the action of a task, which provokes for a reason if the table says so; return whether it
    goes on.
    """
    rule = fight.rule(f"actions-table.{task.kind}")
    yield spending(fight, actor, task.kind, what, rule)
    provokes = fight.dialect.turns.table_rules(fight, task.kind, task.action)
    enemies = threatening(fight, actor) if provokes else []
    opening = f"{name}:{fight.declaration}"
    yield from fight.dialect.opportunity.provoke(fight, actor, enemies, reason, opening, rule)
    return not is_down(fight, actor)


def light_a_light(fight: Fight, act: acts.Handle) -> Steps[None]:
    """Light a torch, a lamp or the like (pf1.actions-table.full-round, pf1.actions-table.standard)."""
    actor, task = fight.combatant(act.actor), LIGHTING[act.what]
    rule = fight.rule(f"actions-table.{task.kind}")
    if not act.item:
        raise Refusal("nothing to handle is named", rule)
    what = f"{act.what}: {act.item}"
    if (yield from spend_on_task(fight, actor, task, what, what, "task")):
        means = " with a tindertwig" if act.what == "tindertwig" else ""
        yield RuleApplied(who=actor.id, what=f"lights the {act.item}{means}", cites=(rule,))


def set_components_up(fight: Fight, act: acts.Handle) -> Steps[None]:
    """Prepare the components of a spell (pf1.actions-table.free)."""
    actor, task = fight.combatant(act.actor), COMPONENTS[act.what]
    turns = fight.dialect.turns
    rule = fight.rule(f"actions-table.{task.kind}")
    if not act.item:
        raise Refusal("nothing to handle is named", rule)
    check_turn(fight, actor)
    if not (yield from turns.free_action_limit(fight, actor, f"prepare {act.item}")):
        return
    what = f"{act.what}: {act.item}"
    yield from turns.told_safe(fight, actor, task.kind, task.action, what)
    yield spending(fight, actor, task.kind, what, rule)
    yield RuleApplied(who=actor.id, what=f"has the components of {act.item} ready", cites=(rule,))


# --- Weapons in locked gauntlets (srd35.disarm.locked-gauntlet, pf1.disarm)

#: The trait of a weapon that is locked in a gauntlet from the start, or of one who wears such a gauntlet.
GAUNTLET: Final = "locked gauntlet"


def is_locked(holder: Combatant, weapon: Weapon) -> bool:
    """Return whether a weapon is locked in its holder's gauntlet: by its sheet, or since it was locked.

    srd35.disarm.locked-gauntlet, pf1.disarm.
    """
    changed = find_locking(holder, weapon.name)
    return GAUNTLET in weapon.traits if changed is None else bool(changed.modifier.value)


def find_locking(holder: Combatant, weapon: str) -> Effect | None:
    """Return the effect that records that a weapon has been locked or unlocked in the fight."""
    return next((one for one in holder.effects if one.stat == f"{GAUNTLET}: {weapon}"), None)


def lock_gauntlet(fight: Fight, act: acts.Handle) -> Steps[None]:
    """Lock a held weapon in a locked gauntlet, or unlock it: a full-round action that provokes.

    srd35.actions-table.full-round, srd35.disarm.locked-gauntlet, pf1.actions-table.full-round, pf1.disarm.
    """
    actor, task = fight.combatant(act.actor), LOCKING[act.what]
    rule, gauntlet = fight.rules(f"actions-table.{task.kind}", "disarm.locked-gauntlet")
    weapon = next((one for one in held_weapons(actor) if one.name == act.item), None)
    if weapon is None:
        raise unknown_word("weapon", act.item, actor.held, rule, actor.id, "in hand")
    if GAUNTLET not in (*actor.sheet.traits, *weapon.traits):
        raise Refusal(f"{actor.id} wears no locked gauntlet", gauntlet)
    locks = act.what == "lock"
    if is_locked(actor, weapon) == locks:
        raise Refusal(f"the {act.item} is {'locked' if locks else 'not locked'} in the gauntlet", gauntlet)
    what, reason = f"{act.what} the {act.item}", f"{act.what}s the {act.item}"
    if not (yield from spend_on_task(fight, actor, task, what, reason, "gauntlet")):
        return
    if act.item not in actor.held:
        return
    before = find_locking(actor, act.item)
    if before is not None:
        yield EffectEnded(who=actor.id, id=before.id, why=f"{act.what}ed", cites=(gauntlet,))
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:gauntlet",
        stat=f"{GAUNTLET}: {act.item}",
        modifier=Modifier(int(locks), "untyped", f"{act.what}ed", gauntlet),
        until=Until(),
        cites=(gauntlet,),
    )
