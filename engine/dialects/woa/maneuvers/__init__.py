"""Combat maneuvers: in general, and each with its page."""
