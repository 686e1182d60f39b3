"""The table of contents of `srd35`: what stands at each point, in the order in which a fight meets it."""
