"""What a published answer to a question about constraints says, in our taxonomy."""

from pactwin.policies.replies.parsing import parse_reply
from pactwin.policies.replies.reasons import classify_reason
from pactwin.suite import Constraint


def parse_published_answer(answer: str) -> tuple[bool, Constraint | None]:
    """Whether it can be done, and what prevents it: None if the answer does not clearly say.

    An answer in which no yes is read says that it cannot be done: all published ones do.
    """
    if parse_reply("yes_no", answer).feasible:
        return True, Constraint.NONE
    return False, classify_reason(answer)
