"""Built-in kinds of objects, built from parameters that a seeded generator draws."""
