"""Which problems have a decisive step that a simulator can play, and as which use."""


def uses_of(problem: str, solution: str) -> tuple[str, ...]:
    """The uses that the problem's solution makes of its things, in order of name."""
    return ()
