"""Merge branches into one line: the changes of each, conflicts, and deciding the line again."""
