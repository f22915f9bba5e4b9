"""Preconditions of actions: trials of one condition each."""
