"""A log as it was recorded: declarations, positions, branches, disputes and rulings."""
