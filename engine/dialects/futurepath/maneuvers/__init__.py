"""The chapter on maneuvers in futurepath."""
