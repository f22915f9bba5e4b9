"""Parse a reply into an answer. Raise ``PARSER_VERSION`` whenever the result may change.

The parser never guesses: an unclear reply is a :class:`Problem`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pactwin.solvers.replies.choice import read_choice
from pactwin.solvers.replies.places import last_word
from pactwin.solvers.replies.reasons import (
    classify_reason,
    constraints_named_in,
    contradicts_yes,
)
from pactwin.solvers.replies.selection import read_selection
from pactwin.solvers.replies.text import Problem, silence_of, visible_text
from pactwin.solvers.replies.vocabulary import EARLIER_STATEMENTS, STATEMENTS
from pactwin.solvers.replies.yes_no import all_reasons, read_yes_no, reason_beside, says_more
from pactwin.suite import SET_FORMS, Constraint

PARSER_VERSION = 11

_SETTLED = (True, False, Problem.DECLINED)


@dataclass(frozen=True)
class Answer:
    """A parsed reply. ``problem`` is None exactly if the reply answers the whole question.

    ``feasible`` and ``constraint`` are what the reply implies about the action, None if it does not
    say. ``option`` is the chosen option of a choice question, word for word; ``selected`` are the
    options named in a reply to a question for all true options, in order.
    """

    option: str | None = None
    selected: tuple[str, ...] = ()
    feasible: bool | None = None
    constraint: Constraint | None = None
    problem: Problem | None = None


def parse_reply(
    form: str,
    reply: str,
    options: Sequence[str] = (),
    names: Sequence[str] = (),
    equivalent_constraints: Sequence[Constraint] = (),
) -> Answer:
    """Parse the reply to a question of ``form`` (``yes_no``, ``choice``, ``open``, ``SET_FORMS``).

    ``options`` are the question's options, if any, in the order asked; ``names`` are the objects of
    the question. Naming any of ``equivalent_constraints`` counts as naming the first.
    """
    text = visible_text(reply)
    if not text:
        return Answer(problem=silence_of(reply))
    if form == "choice":
        return _parse_choice(text, options)
    if form in SET_FORMS:
        selected = read_selection(text, options)
        if isinstance(selected, Problem):
            return Answer(problem=selected)
        return Answer(selected=selected)
    whole, text = text, last_word(text, lambda rest: read_yes_no(rest) in _SETTLED)
    feasible = read_yes_no(text)
    if isinstance(feasible, Problem):
        return Answer(problem=feasible)
    if feasible:
        if form == "open" and contradicts_yes(reason_beside(text), names):
            return Answer(problem=Problem.CONTRADICTION)
        return Answer(feasible=True, constraint=Constraint.NONE)
    places = (reason_beside(text), all_reasons(text), all_reasons(whole))
    constraint = _reason(places, names, equivalent_constraints)
    if form == "yes_no" or constraint is not None:
        return Answer(feasible=False, constraint=constraint)
    problem = Problem.UNCLEAR_REASON if says_more(whole) else Problem.NO_REASON
    return Answer(feasible=False, problem=problem)


def parse_published_answer(answer: str) -> tuple[bool, Constraint | None]:
    """Parse feasibility and constraint from a published answer; None where unclear.

    An answer without a recognised yes means infeasible, as all published ones do.
    """
    if parse_reply("yes_no", answer).feasible:
        return True, Constraint.NONE
    return False, classify_reason(answer)


def _reason(
    places: Iterable[str], names: Sequence[str], equivalent_constraints: Sequence[Constraint]
) -> Constraint | None:
    """The constraint named in the first of ``places`` that names any."""
    for place in places:
        named = {
            equivalent_constraints[0] if c in equivalent_constraints else c
            for c in constraints_named_in(place, names)
        }
        if named:
            return named.pop() if len(named) == 1 else None
    return None


def _parse_choice(text: str, options: Sequence[str]) -> Answer:
    chosen = read_choice(text, options)
    if isinstance(chosen, Problem):
        return Answer(problem=chosen)
    stated = {statement: constraint for constraint, statement in STATEMENTS.items()}
    stated |= EARLIER_STATEMENTS
    constraint = stated.get(chosen)
    feasible = None if constraint is None else constraint is Constraint.NONE
    return Answer(option=chosen, feasible=feasible, constraint=constraint)
