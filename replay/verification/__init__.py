"""Check that a log is what was recorded: audits, seals, witness files."""
