"""Running evaluations: cost estimate, vision check, model runs, resuming."""
