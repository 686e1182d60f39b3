"""Rounds and turns: declaring, initiative, waiting, and what an action costs."""
