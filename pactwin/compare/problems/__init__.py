"""Scores of answers to problems told in words, and how far their judge can be trusted."""
