"""The packaged fights and the sheets that they use."""
