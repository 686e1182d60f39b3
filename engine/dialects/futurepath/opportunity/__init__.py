"""Opportunity: threatened squares, what provokes, attacks and reactions out of turn."""
