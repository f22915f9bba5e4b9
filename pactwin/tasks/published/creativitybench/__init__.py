"""CreativityBench: import of its data, and scores by its rules."""
