"""Reach: which postures take a hand to an object without touching anything else."""
