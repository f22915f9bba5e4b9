"""Built-in kinds of objects: each is built from parameters that a seeded generator draws."""
