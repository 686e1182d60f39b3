"""Maneuvers: CMB against CMD, and their effects: trip, disarm, bull rush and the like."""
