"""Combat reactions: the budget, dodging and blocking, attacks of opportunity."""
