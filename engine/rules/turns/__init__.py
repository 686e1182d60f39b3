"""Rounds and turns: what a turn allows, waiting, and what is forbidden."""
