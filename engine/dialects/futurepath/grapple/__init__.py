"""The chapter on grapple in futurepath."""
