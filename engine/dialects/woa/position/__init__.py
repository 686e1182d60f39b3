"""Position: combatants' squares, space and reach, size, shared and narrow places."""
