"""Recorded declarations decided again, under rulings or other rules."""
