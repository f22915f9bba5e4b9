"""Built-in objects."""
