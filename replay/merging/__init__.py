"""Branches put into one line: what each changed, what conflicts, deciding it again."""
