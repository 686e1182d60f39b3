"""A fight in words and characters: narration, states, maps, pages."""
