"""Spells, devices and turning."""
