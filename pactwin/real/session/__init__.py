"""Guided sessions: each scene is set up, checked, captured and acted out by hand."""
