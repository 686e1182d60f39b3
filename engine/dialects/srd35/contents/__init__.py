"""The table of contents of `srd35`: the functions at each point, in the order in which a fight reaches
them.
"""
