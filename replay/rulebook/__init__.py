"""The contents of each point of a dialect, and where code and scenarios name a rule, read from the source."""
