"""The battle grid: distance, reach, lines, cover and areas, as exact integer geometry."""
