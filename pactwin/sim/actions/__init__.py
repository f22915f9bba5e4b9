"""Actions of robots: each has a wording and the preconditions that must hold."""
