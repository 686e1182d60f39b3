"""Explanations, blame, disputes and their pages."""
