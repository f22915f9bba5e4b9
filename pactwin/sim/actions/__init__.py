"""What robots are told to do: each action has its words and the preconditions that must hold."""
