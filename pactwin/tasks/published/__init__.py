"""Published benchmarks: their data read into suites, and scores by their own rules."""
