"""Checking suites: faults of files, records and pictures, and leaks of the label."""
