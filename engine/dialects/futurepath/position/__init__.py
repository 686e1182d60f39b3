"""Position: where combatants stand, space and reach, size, shared and narrow places."""
