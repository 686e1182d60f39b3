"""The short language: one line of text becomes a declaration, an answer, a request or a clear error."""
