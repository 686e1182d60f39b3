"""Grabs and grapples: who holds whom, and what either can do."""
