"""Why it came so: explanations, blame, disputes and their pages."""
