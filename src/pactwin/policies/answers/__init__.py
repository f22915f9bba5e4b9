"""Reading a model's reply: an answer, or why there is none. It never guesses."""

from pactwin.policies.answers.choice import OPTION_LETTERS
from pactwin.policies.answers.parsing import PARSER_VERSION, Answer, parse_reply
from pactwin.policies.answers.reasons import named_constraint
from pactwin.policies.answers.text import Problem, visible_text, without_thoughts
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
    "without_thoughts",
]
