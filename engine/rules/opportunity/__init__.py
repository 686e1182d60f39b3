"""Who threatens whom, and attacks of opportunity."""
