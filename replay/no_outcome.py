"""Which events say nothing of what a rulebook makes of a declaration."""

NO_OUTCOME = frozenset(
    {
        *("declared", "rolled", "chosen", "asked", "action.spent", "reaction.spent", "budget.renewed"),
        *("turn.began", "turn.ended", "round.began", "round.ended", "encounter.closed", "invalidated"),
    }
)
"""Types of events that say nothing of what a rulebook made of a declaration."""
