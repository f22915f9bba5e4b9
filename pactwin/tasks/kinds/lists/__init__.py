"""Naming all that a picture shows, and the tools that a task takes, in order."""
