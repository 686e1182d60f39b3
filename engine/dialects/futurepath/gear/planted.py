"""Explosives that are set in place and go off by a timer (futurepath.special-attack.planted-explosive.*).

The timer counts rounds from the turn of whoever has set it: it has run down when that turn would come again
after so many rounds, whether the turn comes or not. What is moved meanwhile, by anybody, goes off where it is
then. The text knows no way to disarm one: it sits where it is placed until it is moved or goes off.
"""

from typing import Final

from affray.engine.dialects.futurepath.gear.explosives import (
    explode,
    refuse_unknown_burst,
)
from affray.engine.dialects.futurepath.gear.throwables import EXPLOSIVE
from affray.engine.dialects.futurepath.gear.timers import PLANTED, TAKEN, TOPIC, corner_of_timer, stop_timers
from affray.engine.dialects.futurepath.turns.table_rows import provokes_by_row
from affray.engine.fight.fight import Fight
from affray.engine.grid.area import squares_around
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.grid.distance import distance_ft
from affray.engine.rules.gear.let_go import lose
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectEnded, EffectGained, ItemChanged, Until
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant, Effect

#: The table whose row says how planting goes.
MOVES = "futurepath.table.actions.move"

BURST: Final = "futurepath.damage.planted-explosive"


def can_plant(weapon: Weapon) -> bool:
    """Say whether a weapon can be planted."""
    return EXPLOSIVE in weapon.traits


def plant(fight: Fight, act: acts.Prepare) -> Steps[None]:
    """Set an explosive in place at a grid corner within reach, with its timer: a move action, no attack roll.

    futurepath.special-attack.planted-explosive.no-attack-roll, futurepath.explosive.thrown-or-planted,
    futurepath.action.manipulate-objects.
    """
    actor, rule = fight.combatant(act.actor), fight.rule(TOPIC)
    weapon = find_weapon(fight, actor, act.item, can_plant)
    if not can_plant(weapon):
        raise Refusal(
            f"the {weapon.name} is no explosive to plant", fight.rule("futurepath.explosive.definition")
        )
    refuse_unknown_burst(fight, weapon)
    if act.at is None:
        raise Refusal(f"no corner of squares is named to plant the {weapon.name} at", rule)
    if act.rounds < 1:
        raise Refusal(f"the timer of the {weapon.name} runs at least one round, not {act.rounds}", rule)
    if all(
        distance_ft(actor.at, square, actor.space, 1) > max(actor.reach, SQUARE_FT)
        for square in squares_around(act.at)
    ):
        raise Refusal(f"{actor.id} does not reach the corner {act.at[0]},{act.at[1]}", rule)
    _, table = provokes_by_row(fight, MOVES, "use a piece of equipment")
    handling = fight.rule("futurepath.action.manipulate-objects")
    yield spending(fight, actor, "move", f"plant {weapon.name}", handling, table, rule)
    cites = fight.rules(TOPIC, "futurepath.explosive.thrown-or-planted")
    yield from stop_timers(fight, actor, weapon.name, "it is set anew")
    yield from lose(fight, actor, weapon.name, "dropped", cites, act.at)
    x, y = act.at
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:planted:{weapon.name}",
        stat=f"{PLANTED}{x},{y}",
        modifier=Modifier(act.rounds, "timer", weapon.name, rule),
        until=Until("", actor.id, fight.state.round + act.rounds),
        cites=cites,
    )


def go_off(fight: Fight, combatant: Combatant) -> Steps[None]:
    """As a turn comes, let those explosives go off whose timers have run down.

    futurepath.damage.planted-explosive.
    """
    for holder in list(fight.state.combatants.values()):
        if not holder.effects:
            continue
        for timer in [one for one in holder.effects if one.stat.startswith(PLANTED)]:
            if has_run_down(fight, timer, combatant):
                yield from go_off_now(fight, holder, timer)


def has_run_down(fight: Fight, timer: Effect, combatant: Combatant) -> bool:
    """Say whether the moment of a timer has come with the turn of a combatant."""
    until, state = timer.until, fight.state
    if state.round != until.round:
        return state.round > until.round
    order = state.order
    if until.who not in order or combatant.id not in order:
        return True
    return order.index(combatant.id) >= order.index(until.who)


def go_off_now(fight: Fight, holder: Combatant, timer: Effect) -> Steps[None]:
    """Let an explosive go off where it is: in place, or with whoever has taken it up."""
    name = timer.modifier.source
    weapon = next(one for one in holder.sheet.weapons if one.name == name)
    corner = corner_of_timer(timer, holder)
    cites = fight.rules(BURST)
    yield EffectEnded(who=holder.id, id=timer.id, why="its timer has run down", cites=cites)
    if timer.stat == TAKEN:
        yield from lose(fight, holder, name, "gone", cites)
    else:
        yield ItemChanged(who=holder.id, item=name, state="gone", at=corner, cites=cites)
    planter = fight.state.combatants.get(timer.until.who, holder)
    yield from explode(fight, planter, weapon, corner, BURST)
