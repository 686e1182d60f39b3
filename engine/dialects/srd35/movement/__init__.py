"""Movement: modes of movement, speed, the cost and consequences of a step, falling."""
