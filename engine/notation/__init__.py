"""The notation of combat: how declarations, dice and answers are read from text (docs/notation.md)."""
