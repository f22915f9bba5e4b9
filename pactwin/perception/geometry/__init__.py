"""Point clouds of a table: segments and their spatial relations. Needs Open3D."""
