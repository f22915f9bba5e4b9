"""Scenes: poses, layouts, parts and their geometry, as values and as MJCF."""
