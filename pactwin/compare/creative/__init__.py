"""Scores of choices which part of which thing could serve."""
