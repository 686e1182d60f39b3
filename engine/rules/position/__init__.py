"""Position: the squares of combatants, space and reach, size, shared and narrow places."""
