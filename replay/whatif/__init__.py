"""What-ifs: other rulings, and the single changes that matter."""
