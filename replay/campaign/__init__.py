"""A campaign: combatants carried from one fight into the next, and followed back."""
