"""Questions about the steps of a ladder: one quantity, near its limit."""
