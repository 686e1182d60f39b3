"""The Pathfinder 1e dialect."""
