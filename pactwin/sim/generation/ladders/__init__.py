"""Ladders: one scene drawn repeatedly while one quantity is stepped through its limit."""
