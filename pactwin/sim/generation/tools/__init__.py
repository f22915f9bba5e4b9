"""Pictures of tools for a task: on a bench, on a pegboard, in a toolbox."""
