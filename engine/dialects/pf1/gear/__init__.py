"""Gear: weapons and armor, carried and handled, broken, thrown."""
