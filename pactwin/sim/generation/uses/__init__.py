"""Pairs of scenes in which one of several things serves for a use that none was made for."""
