"""Shields and other things in hand: strapping on, dropping, picking up, retrieving, moving, opening.

srd35.move-action.shield, srd35.move-action.item.
"""

from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.others_things import refuse_to_pick_up
from affray.engine.rules.turns.action_budget import check_turn, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ItemChanged
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant

OFF, DROPPED, HELD, STOWED = "doffed", "dropped", "held", "stowed"
#: What may be done with a shield, and what becomes of it.
BECOMES = {"ready-shield": HELD, "loose-shield": OFF, "drop-shield": DROPPED}


def refuse_to_handle(fight: Fight, actor: Combatant, act: acts.Handle, rule: str) -> None:
    """Refuse to handle nothing, to pick up what does not lie there, to get out what is not stored away."""
    state = actor.items.get(act.item, "")
    if not act.item:
        raise Refusal("nothing to handle is named", rule)
    if act.what == "pick-up":
        refuse_to_pick_up(fight, actor, act.item, rule)
    if act.what == "retrieve" and (act.item in actor.held or state not in ("", STOWED)):
        raise Refusal(f"{actor.id} has no {act.item!r} stored away", rule)


def handle_shield(fight: Fight, actor: Combatant, act: acts.Handle, *table: str) -> Steps[None]:
    """Strap a shield on, take it off or drop it: a move action, or part of a move from +1 base attack on.

    One that is merely carried is dropped freely (srd35.move-action.shield, pf1.move.shield). `table` are the
    rules that rate the action (woa.items.shield-drop-carried).
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
    """Say whether a shield can be handled as part of the regular move made this turn.

    woa.items.shield-ready-while-moving.
    """
    skilled = combatant.sheet.base_attack >= fight.figure(
        "move-action.shield-while-moving", "base_attack_bonus"
    )
    moved = combatant.spent.get("move") and combatant.spent.get("feet")
    return bool(skilled and moved and not combatant.spent.get("merged"))
