"""A fight in words and characters: its narration, its map, and the words for dice and modifiers."""
