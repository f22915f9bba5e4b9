"""A disturbed world that plays the bench, in a process of its own."""
