"""Turns: the flow of rounds, initiative, actions and what they allow, delaying and readying."""
