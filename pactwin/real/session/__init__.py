"""Guided sessions: one scene after another is set up, checked, captured and tried by hand.

Nothing here needs the simulator: :mod:`pactwin.real.layouts` brings what it drew.
"""
