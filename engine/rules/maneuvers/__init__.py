"""Maneuvers: trip, disarm, sunder, bull rush and the like, and their common steps."""
