"""Handling items: taking, moving, opening and hurling things, strapping on shields (woa.items.*)."""

from affray.engine.dialects.woa.gear.draw_and_sheathe import (
    LONG,
    SECURED,
    inattentive,
    is_done_with_round,
    refuse_full_hands,
    refuse_unheld,
    way_of_taking,
    where_kept,
)
from affray.engine.dialects.woa.magic.components import SET_UP
from affray.engine.fight.fight import Fight
from affray.engine.rules.gear import handling
from affray.engine.rules.gear.doors import moved_door, refuse_door_between
from affray.engine.rules.gear.let_go import lose
from affray.engine.rules.gear.others_things import lies_about, pick_up, refuse_to_pick_up
from affray.engine.rules.magic.lost_charge import discharge_into_object
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import (
    ConditionGained,
    ItemChanged,
)
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

SHORT = {"move": "moves the {}", "open": "opens the {}", "close": "closes the {}"}


def handle_item(fight: Fight, act: acts.Handle) -> Steps[None]:
    """Handle a shield or another thing."""
    actor = fight.combatant(act.actor)
    if act.what.endswith("-shield"):
        yield from handling.handle_shield(fight, actor, act)
    elif act.what in ("pick-up", "grab", "retrieve"):
        yield from take_thing(fight, actor, act)
    else:
        yield from manipulate(fight, actor, act)


def take_thing(fight: Fight, actor: Combatant, act: acts.Handle) -> Steps[None]:
    """Pick something up, grab what lies at hand, or take something out of a container.

    woa.items.manipulate-move, .retrieve-container, .free-hand-required, .manipulate-no-reactions.
    """
    kind, topic = way_of_taking(fight, actor, act)
    rule = fight.rule(topic)
    lies = lies_about(fight, actor, act.item)
    ruined = actor.items.get(act.item) in ("broken", "gone") and not lies
    if not act.item or ruined:
        raise unknown_word(f"thing that {actor.id} can take", act.item, (), rule)
    if act.item in actor.held:
        raise Refusal(f"{actor.id} holds the {act.item} already", rule)
    if act.what == "retrieve" and actor.items.get(act.item) == "dropped":
        raise Refusal(f"{actor.id} has no {act.item!r} stored away", rule)
    if act.what == "pick-up" or (act.what == "grab" and lies):
        refuse_to_pick_up(fight, actor, act.item, rule)
    refuse_full_hands(fight, actor, act.item)
    yield spending(fight, actor, kind, f"{act.what}: {act.item}", rule)
    if act.what != "grab":
        yield from inattentive(fight, actor, act.item)
    secured = act.what == "retrieve" and where_kept(actor, act.item) == SECURED
    if secured and not (yield from is_done_with_round(fight, actor, act.item, topic)):
        return
    shield = any(bonus.kind == "shield" and bonus.source == act.item for bonus in actor.sheet.armor)
    state = handling.OFF if shield else "held"
    if lies and act.what != "retrieve":
        yield from pick_up(fight, actor, act.item, state, (rule,))
    else:
        yield ItemChanged(who=actor.id, item=act.item, state=state, cites=(rule,))
    yield from discharge_into_object(fight, actor, act.item)


def manipulate(fight: Fight, actor: Combatant, act: acts.Handle) -> Steps[None]:
    """Move, open, close, or do what takes longer, as long as the game master finds that it takes.

    woa.items.manipulate-move, .manipulate-long.
    """
    long = act.what in LONG
    topic = "woa.items.manipulate-long" if long else "woa.items.manipulate-move"
    rule = fight.rule(topic)
    kind, _, _ = str(fight.figure(topic, "action")).partition(" ")
    if not act.item:
        raise unknown_word(f"thing for {actor.id} to handle", act.item, (), rule)
    refuse_door_between(fight, actor, act, rule)
    refuse_full_hands(fight, actor, act.item)
    yield spending(fight, actor, kind, f"{act.what}: {act.item}", rule)
    yield from inattentive(fight, actor, act.item)
    yield from discharge_into_object(fight, actor, act.item)
    if long and not (yield from is_done_with_round(fight, actor, act.item, topic)):
        return
    done = (LONG if long else SHORT)[act.what].format(act.item)
    yield RuleApplied(who=actor.id, what=done, cites=(rule,))
    yield from moved_door(fight, actor, act, rule)
    if act.what == "set-up":
        cites = (rule, fight.rule("woa.spell.component-material"))
        yield ConditionGained(who=actor.id, condition=SET_UP, source=act.item, cites=cites)


def hurl(fight: Fight, actor: Combatant, act: acts.Drop) -> Steps[None]:
    """Hurl a held item to a square farther off, not as an attack (woa.items.hurl)."""
    rule = fight.rule("woa.items.hurl")
    kind = str(fight.figure("woa.items.hurl", "action"))
    refuse_unheld(actor, act.item, rule)
    assert act.to is not None  # or it would be dropped
    if not fight.field.holds(act.to, 1):
        raise Refusal(f"{act.to[0]},{act.to[1]} is not on the map", rule)
    yield spending(fight, actor, kind, f"hurl the {act.item}", rule)
    yield from lose(fight, actor, act.item, "dropped", (rule,), act.to)
    x, y = act.to
    yield RuleApplied(who=actor.id, what=f"the {act.item} lands at {x},{y}", cites=(rule,))
