"""Maps that were drawn elsewhere: files in the Universal VTT format, read into squares, walls and doors."""
