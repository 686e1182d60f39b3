"""Movement: ways of moving, speed, the cost and consequences of steps, falling."""
