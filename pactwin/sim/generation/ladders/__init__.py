"""Ladders: one scene drawn again and again, one quantity stepped through its limit."""
