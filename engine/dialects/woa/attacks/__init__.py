"""Attacks: what may be struck, what is added up on both sides, and the harm of a blow."""
