"""Worlds that move: the lean physics model, its perturbations, and trials of actions."""
