"""What a change of the rules does to fights that were played."""
