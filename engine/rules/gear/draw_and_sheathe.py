"""Drawing weapons and putting them away (srd35.move-action.draw)."""

from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.gear import Drawing
from affray.engine.rules.gear.let_go import let_go
from affray.engine.rules.gear.wands import wands_of
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import check_turn, refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.errors import did_you_mean
from affray.events.facts import acts
from affray.events.facts.combat import ItemChanged
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant

#: Kinds of action that drawing takes, from the quickest to the slowest.
SLOWER = ("free", "move", "standard")


def quick_draw(fight: Fight, holder: Combatant, item: str) -> Drawing:
    """Return how a weapon is drawn: as a move action, freely with Quick Draw."""
    return Drawing("free" if "quick draw" in holder.sheet.feats else "move")


def draw_weapon(fight: Fight, act: acts.Draw) -> Steps[None]:
    """Draw a weapon: a move action, free with Quick Draw (srd35.move-action.draw).

    Of two that are drawn as one the slower decides (pf1.move.draw).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("move-action.draw")
    dialect = fight.dialect
    drawn = (act.item, act.also) if act.also else (act.item,)
    how = max(
        (dialect.gear.drawing(fight, actor, item) for item in drawn), key=lambda one: SLOWER.index(one.kind)
    )
    if how.kind == "free":
        check_turn(fight, actor)
    else:
        refuse_unless_allowed(fight, actor, how.kind)
    for item in drawn:
        refuse_undrawable(actor, item, rule)
    both = dialect.attacks.drawn_together(fight, actor, drawn) if act.also else ()
    quick = how.kind == "free"
    if quick and not (yield from dialect.turns.free_action_limit(fight, actor, f"draw the {act.item}")):
        return
    yield from dialect.turns.told_safe(fight, actor, how.column, how.action, f"drawing the {act.item}")
    cites = (rule, *how.cites, *both)
    if quick:
        yield ActionSpent(who=actor.id, kind="free", what="draw", cites=cites)
    else:
        yield spending(fight, actor, how.kind, "draw", *cites)
    for item in drawn:
        yield ItemChanged(who=actor.id, item=item, state="held", cites=(rule,))


def refuse_undrawable(holder: Combatant, item: str, rule: str) -> None:
    """Refuse to draw a weapon, or a wand, that is not there or is in hand already."""
    gone = holder.items.get(item) in ("dropped", "broken", "gone")
    things = (*(one.name for one in holder.sheet.weapons), *wands_of(holder))
    if gone or item not in things:
        known = "" if gone else did_you_mean(item, things)
        raise Refusal(f"{holder.id} has no {item!r} to draw{known}", rule)
    if item in holder.held:
        raise Refusal(f"{holder.id} holds the {item} already", rule)


def sheathe(fight: Fight, act: acts.Sheathe) -> Steps[None]:
    """Put a weapon away: a move action that provokes (srd35.move-action.draw).

    futurepath.table.actions.move.
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("move-action.draw")
    if act.item not in actor.held:
        raise Refusal(f"{actor.id} does not hold {act.item!r}", rule)
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
