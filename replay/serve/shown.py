"""What a reader's page shows of a fight: what has changed of it since something was told last."""

from collections.abc import Mapping
from typing import Any

from affray.projections.state import Encounter
from affray.replay.serve.audience import Eyes
from affray.replay.viewer.frame import Change
from affray.replay.viewer.views import combatant_view, encounter_view


class Shown:
    """The views as a reader was told them, and what has come to differ: it is told with the next event.

    An event that is told nothing of may still change what is seen.
    """

    def __init__(self) -> None:
        """Show nothing."""
        self._told, self._now = Change(), Change()

    def begin(self, eyes: Eyes, state: Encounter, turn: int) -> None:
        """Show a state, as it was told."""
        self._told = eyes.change(
            Change(
                encounter_view(state, eyes.cast),
                {id: combatant_view(one, eyes.cast, []) for id, one in state.combatants.items()},
            ),
            state.pending,
            turn,
        )
        for view in self._told.c.values():
            view.pop("threat", None)  # that takes the rules to know: told again where it changes

    def note(self, change: Change) -> None:
        """Take in what is seen of a change, to be told later."""
        self._now.g.update(change.g)
        for id, fields in change.c.items():
            self._now.c.setdefault(id, {}).update(fields)

    def take(self) -> Change | None:
        """Return what is to be told now, None for nothing."""
        now, self._now = self._now, Change()
        people = {id: _other(fields, self._told.c.get(id, {})) for id, fields in sorted(now.c.items())}
        made = Change(_other(now.g, self._told.g), {id: fields for id, fields in people.items() if fields})
        self._told.g.update(made.g)
        for id, fields in made.c.items():
            self._told.c.setdefault(id, {}).update(fields)
        return made if made.g or made.c else None


def _other(now: Mapping[str, Any], told: Mapping[str, Any]) -> dict[str, Any]:
    # In an order of their own: that in which they came to differ tells of what is not told.
    return {name: now[name] for name in sorted(now) if name not in told or told[name] != now[name]}
