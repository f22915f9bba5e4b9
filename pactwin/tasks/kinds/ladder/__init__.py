"""Questions about the steps of a ladder, where one quantity crosses its limit."""
