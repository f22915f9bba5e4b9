"""What all tasks share: pictures, views, samples, results, judges, and reading logs."""
