"""What may last on somebody in pf1 besides the conditions of its table, by name."""

STATES = frozenset({"borne aloft", "climbing", "flying", "grappled", "grappling"})
"""What rules that are shared with other dialects ask for."""
