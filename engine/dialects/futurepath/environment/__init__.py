"""Environment: hazards, wind, water, and what the game master says of a place."""
