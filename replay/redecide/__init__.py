"""Decide recorded declarations again, under rulings or other rules."""
