"""What each kind of fact changes of all that answers about a fight may depend on."""

from typing import Final, Literal

Touches = Literal[
    "nothing", "places", "one", "item", "unnumbered", "everybody", "map", "plan", "round", "everything"
]
"""What a fact changes of all that answers about a fight may depend on.

"one" is the combatant `fact.who`, its place apart; "item" is that too, and the combatant whose item it was;
"unnumbered" is the combatant in what no number of it stands for; "places" is where combatants stand;
"everybody" is anything about combatants, who there are, and whether the fight has begun; "map" is that a door
was moved, and so all that goes by what stands between squares; "plan" is what `fact.who` plans for the
round; "round" is that all plans are void; "nothing" is hit points, budgets, rounds and turns, which such
answers do not depend on.
That a turn began ends being flat-footed: whoever remembers something about that asks for `acted`. That a
round began ends the surprise round: whoever remembers something about that asks for the round.
"""

TOUCHES: Final[dict[type, Touches]] = {}
"""What each kind of fact changes of it: told by what folds the fact."""
