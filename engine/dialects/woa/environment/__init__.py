"""Environment: hazards, wind, water, and places that the game master describes."""
