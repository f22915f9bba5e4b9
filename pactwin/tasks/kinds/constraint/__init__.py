"""Questions about constraints: their words, the Inspect task, and how answers are scored."""
