"""The records of a dialect: one per chapter, plain types that import no rules."""
