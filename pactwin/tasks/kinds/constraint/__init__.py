"""Questions about constraints: wording, the Inspect task, scoring."""
