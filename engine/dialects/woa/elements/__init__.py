"""In the air and in the water."""
