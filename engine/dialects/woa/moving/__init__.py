"""Ways of moving on the ground, and what the ground does."""
