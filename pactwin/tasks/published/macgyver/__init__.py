"""MacGyver: import of its data, and scores as in the paper."""
