"""Situations of our own: from measured things to tasks with one part that serves."""
