"""Trials: actions carried out in simulation, with their measurements."""
