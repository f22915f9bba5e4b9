"""PAC Bench: import of its data, export in its layout, scores by its rules and pactwin's."""
