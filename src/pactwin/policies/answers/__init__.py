"""Reading a model's reply: an answer, or why there is none. It never guesses."""

from pactwin.policies.answers.parsing import (
    OPTION_LETTERS,
    PARSER_VERSION,
    Answer,
    Problem,
    parse_reply,
    visible_text,
)
from pactwin.policies.answers.reasons import named_constraint
from pactwin.policies.answers.vocabulary import STATEMENTS

__all__ = [
    "OPTION_LETTERS",
    "PARSER_VERSION",
    "STATEMENTS",
    "Answer",
    "Problem",
    "named_constraint",
    "parse_reply",
    "visible_text",
]
