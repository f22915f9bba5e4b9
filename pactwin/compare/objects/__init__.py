"""Statistics of answers about objects: properties and affordances."""
