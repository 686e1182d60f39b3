"""Drawing weapons and putting them away (srd35.move-action.draw)."""

from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.gear import Drawing
from affray.engine.rules.gear.held_weapons import SPIKES
from affray.engine.rules.gear.let_go import is_lost, let_go, loosen
from affray.engine.rules.gear.thrown_weapons import MISSILE
from affray.engine.rules.gear.wands import wands_of
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import check_turn, refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ItemChanged
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant

#: Kinds of action that drawing takes, from the quickest to the slowest.
SLOWER = ("free", "merged", "move", "standard")


def quick_draw(fight: Fight, holder: Combatant, item: str) -> Drawing:
    """Return how a weapon is drawn: freely, as part of a move or as a move action.

    Freely with Quick Draw, or if it is a missile (pf1.feat.quick-draw, pf1.move.draw).
    """
    if "quick draw" in holder.sheet.feats:
        return Drawing("free", fight.rules("feat.quick-draw"))
    if is_missile(holder, item):
        return Drawing("free")
    return Drawing("merged" if draws_while_moving(fight, holder) else "move")


def is_missile(holder: Combatant, item: str) -> bool:
    """Say whether a weapon is drawn like ammunition (srd35.move-action.draw, pf1.move.draw)."""
    return any(one.name == item and MISSILE in one.traits for one in holder.sheet.weapons)


def draws_while_moving(fight: Fight, holder: Combatant) -> bool:
    """Say whether a weapon can be drawn as part of the regular move made this turn.

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
    """Refuse to draw a weapon, or a wand, that is not there or is in hand already."""
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
