"""Is it what was recorded: audits, seals, witness files."""
