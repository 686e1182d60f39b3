"""Timers of planted explosives, as effects of whoever has set them."""

from collections.abc import Iterator
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.events.facts.combat import EffectEnded
from affray.projections.state import Combatant, Effect

#: The stat of a timer that runs, before the corner at which the explosive was set.
PLANTED: Final = "planted "
TOPIC: Final = "futurepath.special-attack.planted-explosive.no-attack-roll"


def stop_timers(fight: Fight, holder: Combatant, name: str) -> Iterator[EffectEnded]:
    """Yield the end of the timers of what is thrown and bursts now: of those that lie nowhere any more."""
    for timer in holder.effects:
        runs = timer.stat.startswith(PLANTED) and timer.modifier.source == name
        if runs and corner_of_timer(timer) not in holder.lying.get(name, ()):
            yield EffectEnded(who=holder.id, id=timer.id, why="it is thrown", cites=fight.rules(TOPIC))
            return


def corner_of_timer(timer: Effect) -> Square:
    """Return the grid corner at which an explosive was set."""
    x, _, y = timer.stat.removeprefix(PLANTED).partition(",")
    return int(x), int(y)
