"""Weapons, armor and things: worn, carried, drawn, broken."""
