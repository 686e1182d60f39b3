"""Timers of planted explosives, as effects of whoever has set them, or has what was set in hand.

A timer goes with its explosive: with whoever takes it up, and to where it is laid down again.
"""

from collections.abc import Iterator
from typing import Any, Final

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.steps import Steps, answered
from affray.events.facts.combat import EffectEnded, EffectGained, ItemChanged
from affray.projections.state import Combatant, Effect

#: The stat of a timer that runs, before the corner at which the explosive was set.
PLANTED: Final = "planted "
#: What stands there instead of what somebody has taken up.
TAKEN: Final = f"{PLANTED}in hand"
TOPIC: Final = "futurepath.special-attack.planted-explosive.no-attack-roll"


def stop_timers(fight: Fight, holder: Combatant, name: str, why: str) -> Iterator[EffectEnded]:
    """Yield the end of the timer of what is in hand: it is thrown and bursts now, or is set anew."""
    timer = timer_at(holder, name, TAKEN)
    if timer is not None:
        yield EffectEnded(who=holder.id, id=timer.id, why=why, cites=fight.rules(TOPIC))


def timer_at(holder: Combatant, name: str, stat: str) -> Effect | None:
    """Return the timer of an explosive in hand or at a corner, as its `stat` says; None if none runs."""
    return next((one for one in holder.effects if one.stat == stat and one.modifier.source == name), None)


def corner_of_timer(timer: Effect, holder: Combatant) -> Square:
    """Return the grid corner at which an explosive was set, that of its holder if it is in hand."""
    if timer.stat == TAKEN:
        return holder.at
    x, _, y = timer.stat.removeprefix(PLANTED).partition(",")
    return int(x), int(y)


def follow_timers(fight: Fight, steps: Steps[None], watched: Steps[None]) -> Steps[None]:
    """Go through a declaration; where a planted explosive is moved, its timer goes along.

    futurepath.special-attack.planted-explosive.no-attack-roll.
    """
    running = any(one.effects for one in fight.state.combatants.values())
    return answered(watched, lambda step: moved_along(fight, step)) if running else watched


def moved_along(fight: Fight, step: Any) -> Steps[None]:
    """Yield that a timer is where its explosive is now; that of one that is broken is over."""
    if not isinstance(step, ItemChanged) or step.state not in ("held", "dropped", "broken"):
        return
    holder, name = fight.combatant(step.who), step.item
    owner = fight.combatant(step.of) if step.of else holder
    rule, lay = fight.rule(TOPIC), "" if step.at is None else f"{PLANTED}{step.at[0]},{step.at[1]}"
    taken = step.state == "held"
    timer = timer_at(owner, name, lay if taken and lay else TAKEN)
    if timer is None or (step.state == "dropped" and not lay):
        return
    why = "it is broken" if step.state == "broken" else "it is moved"
    yield EffectEnded(who=owner.id, id=timer.id, why=why, cites=(rule,))
    if step.state != "broken":
        yield EffectGained(
            who=holder.id,
            id=timer.id,
            stat=TAKEN if taken else lay,
            modifier=timer.modifier,
            until=timer.until,
            cites=(rule,),
        )
