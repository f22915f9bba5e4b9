"""Training rows: inspections done well, carelessly, and not at all."""
