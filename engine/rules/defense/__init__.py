"""What an attack must reach, and what a creature shrugs off."""
