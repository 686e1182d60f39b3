"""The effects of rule changes on fights that were played."""
