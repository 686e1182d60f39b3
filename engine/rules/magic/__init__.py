"""Magic: casting, concentration, areas, touches, and what spells do."""
