"""Shared by all tasks: pictures, views, samples, results, judges, and reading logs."""
