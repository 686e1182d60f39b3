"""Conditions: what each adds, denies and forbids, how it is gained and lost."""
