"""Questions that ask for a list: all visible objects, or the tools that a task needs, in order."""
