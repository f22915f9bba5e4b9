"""Physics: the lean model, its perturbations, and trials of actions."""
