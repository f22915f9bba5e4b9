"""Reading a model's reply: an answer, or why there is none. It never guesses."""

from pactwin.policies.answers.category import CategoryAnswer, parse_category
from pactwin.policies.answers.choice import OPTION_LETTERS
from pactwin.policies.answers.items import ListAnswer, parse_list
from pactwin.policies.answers.parsing import PARSER_VERSION, Answer, parse_reply
from pactwin.policies.answers.published import read_truth
from pactwin.policies.answers.reasons import named_constraint
from pactwin.policies.answers.text import Problem, visible_text, without_thoughts
from pactwin.policies.answers.vocabulary import STATEMENTS

__all__ = [
    "OPTION_LETTERS",
    "PARSER_VERSION",
    "STATEMENTS",
    "Answer",
    "CategoryAnswer",
    "ListAnswer",
    "Problem",
    "named_constraint",
    "parse_category",
    "parse_list",
    "parse_reply",
    "read_truth",
    "visible_text",
    "without_thoughts",
]
