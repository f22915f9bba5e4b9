"""Checking suites: faults of files, records and pictures, and label leaks."""
