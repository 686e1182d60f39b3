"""A log written in the notation of combat and read back, to the same digests (docs/notation.md)."""
