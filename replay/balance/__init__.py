"""Balance: how the odds of a fight change with figures, readings and sheets, cell by cell of a grid."""
