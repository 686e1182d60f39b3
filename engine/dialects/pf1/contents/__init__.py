"""The table of contents of `pf1`: the functions at each point, in the order in which a fight reaches them."""
