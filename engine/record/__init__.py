"""The records of a dialect: one for each chapter, plain types that import no rules."""
