"""Point clouds of a table, the things on it, and how they stand to each other. Needs Open3D."""
