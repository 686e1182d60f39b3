"""What each kind of fact changes of all that answers about a fight may depend on."""

from typing import Final, Literal

Touches = Literal["nothing", "places", "combatants", "map", "plan", "round"]
"""What a fact changes of all that answers about a fight may depend on.

"places" is where combatants stand; "combatants" is anything else about them, who there are, and what is
around them; "map" is that a door was moved, and so all that goes by what stands between squares; "plan" is
what somebody plans for the round, and "round" that all plans are void, if there were any; "nothing" is
hit points, budgets, rounds and turns, which such answers do not depend on.
That a turn began ends being flat-footed: whoever remembers something about that asks for `acted`. That a
round began ends the surprise round: whoever remembers something about that asks for the round.
"""

TOUCHES: Final[dict[type, Touches]] = {}
"""What each kind of fact changes of it: told by what folds the fact."""
