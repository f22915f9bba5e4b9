"""CreativityBench: its data read into a suite, and scores by its rules."""
