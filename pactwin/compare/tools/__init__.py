"""Scores of answers that list things: what is shown, and the tools that a task takes."""
