"""PhysTool-Bench: which tools a picture shows, and which a task takes, in which order."""
