"""Maneuvers: trip, disarm, sunder, bull rush and the like, and what they have in common."""
