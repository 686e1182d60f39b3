"""A log written in the notation of combat, and read back: short, for people, the same digests (docs/notation.md)."""
