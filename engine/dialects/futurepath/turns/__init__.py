"""Turns: the flow of rounds, initiative, actions, delaying and readying."""
