"""PAC Bench's own data: read into a suite, written from one, scored by its rules beside ours."""
