"""Write a log in combat notation and read it back, to the same digests (docs/notation.md)."""
