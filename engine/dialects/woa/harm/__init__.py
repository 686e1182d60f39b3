"""Injuries, conditions, saves, and what heals."""
