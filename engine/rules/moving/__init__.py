"""Ways of moving, and the ground, the air and the water moved through."""
