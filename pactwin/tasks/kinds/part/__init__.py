"""Which part of which thing could serve, though it was made for something else."""
