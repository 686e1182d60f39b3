"""Magic: casting, concentration, spells and their effects, devices."""
