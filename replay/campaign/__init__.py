"""A campaign: combatants carried from one fight into the next, and traced back."""
