"""Questions about the properties and affordances of objects."""
