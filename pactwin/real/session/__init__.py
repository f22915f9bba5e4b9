"""Guided sessions: one scene after another is set up, checked, captured and tried by hand."""
