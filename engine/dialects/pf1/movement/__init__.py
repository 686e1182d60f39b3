"""Movement: ways of moving, speed, what a step costs and brings about, falling."""
