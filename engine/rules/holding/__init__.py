"""Grapples, gullets and nets: who holds whom."""
