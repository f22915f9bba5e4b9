"""Pairs of scenes in which one of several objects serves for an unusual use."""
