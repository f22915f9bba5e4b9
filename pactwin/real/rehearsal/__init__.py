"""Simulation of the rig with known disturbances, in a separate process."""
