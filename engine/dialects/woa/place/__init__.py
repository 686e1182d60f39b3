"""Where somebody stands: space and reach, cover, sight, posture, crowds, heights."""
