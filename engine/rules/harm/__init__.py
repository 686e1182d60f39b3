"""What hurts and what heals: conditions, poisons, fears, dangers, rest."""
