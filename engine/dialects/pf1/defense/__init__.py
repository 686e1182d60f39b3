"""Defense: the score that an attack must reach, armor as it is worn, cover."""
