"""What if: other rulings, and which single changes matter."""
