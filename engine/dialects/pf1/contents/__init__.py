"""The table of contents of `pf1`: what stands at each point, in the order in which a fight meets it."""
