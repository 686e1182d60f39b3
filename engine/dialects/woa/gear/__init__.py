"""Weapons, armor and things: carried, handled, broken."""
