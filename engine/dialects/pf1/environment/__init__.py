"""Environment: fire, acid, lava, smoke, cold, heat, the want of air, and fighting in water."""
