"""Special attacks: what they share, and each with its page."""
