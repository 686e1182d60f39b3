"""Senses: light, sight, concealment, hiding and seeking."""
