"""Maps that were drawn elsewhere."""
