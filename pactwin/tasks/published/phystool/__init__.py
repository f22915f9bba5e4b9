"""PhysTool-Bench: the tools in a picture, and the tools that a task needs, in order."""
