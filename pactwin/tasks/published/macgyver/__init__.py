"""MacGyver: its data read into a suite, and scores as in the paper."""
