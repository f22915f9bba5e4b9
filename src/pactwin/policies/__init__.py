"""Who answers: prompting strategies and baselines, and how replies are read."""

from typing import TYPE_CHECKING

from pactwin.lazy import later
from pactwin.policies.answers import (
    OPTION_LETTERS,
    PARSER_VERSION,
    STATEMENTS,
    Answer,
    CategoryAnswer,
    ListAnswer,
    Problem,
    named_constraint,
    parse_category,
    parse_list,
    parse_reply,
    read_truth,
    without_thoughts,
)
from pactwin.policies.person_answers import (
    Agreed,
    Consensus,
    PersonAnswer,
    annotators_of,
    by_question,
    consensus_of,
)
from pactwin.policies.prompts import OUR_PROMPTS, Kind, load_prompts

if TYPE_CHECKING:
    from pactwin.policies.asked import Asked, object_id
    from pactwin.policies.baselines import (
        BASELINES,
        PROVIDER,
        Baseline,
        refuse_unable_baseline,
    )
    from pactwin.policies.outputs import Fault, fault_of
    from pactwin.policies.people import MAJORITY, PEOPLE, People
    from pactwin.policies.strategies import (
        STRATEGIES,
        affordances,
        describe,
        direct,
        make_strategy,
        reason,
        verify,
        views,
    )

__all__ = [
    "BASELINES",
    "MAJORITY",
    "OPTION_LETTERS",
    "OUR_PROMPTS",
    "PARSER_VERSION",
    "PEOPLE",
    "PROVIDER",
    "STATEMENTS",
    "STRATEGIES",
    "Agreed",
    "Answer",
    "Asked",
    "Baseline",
    "CategoryAnswer",
    "Consensus",
    "Fault",
    "Kind",
    "ListAnswer",
    "People",
    "PersonAnswer",
    "Problem",
    "affordances",
    "annotators_of",
    "by_question",
    "consensus_of",
    "describe",
    "direct",
    "fault_of",
    "load_prompts",
    "make_strategy",
    "named_constraint",
    "object_id",
    "parse_category",
    "parse_list",
    "parse_reply",
    "read_truth",
    "reason",
    "refuse_unable_baseline",
    "verify",
    "views",
    "without_thoughts",
]

# These need inspect_ai, which takes seconds to import; the parser and the vocabulary do not.
__getattr__ = later(
    __name__,
    {
        "asked": ("Asked", "object_id"),
        "baselines": ("BASELINES", "PROVIDER", "Baseline", "refuse_unable_baseline"),
        "outputs": ("Fault", "fault_of"),
        "people": ("MAJORITY", "PEOPLE", "People"),
        "strategies": (
            "STRATEGIES",
            "affordances",
            "describe",
            "direct",
            "make_strategy",
            "reason",
            "verify",
            "views",
        ),
    },
)
