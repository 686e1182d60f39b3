"""Defense: Armor Class, worn armor, cover."""
