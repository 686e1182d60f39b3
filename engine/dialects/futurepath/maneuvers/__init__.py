"""Maneuvers: CMB against CMD, and what comes of it: trip, disarm, bull rush and the like."""
