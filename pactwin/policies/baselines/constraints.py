"""Baselines for questions about constraints.

Each decides on one constraint of the taxonomy (``none``: it can be done) and writes it as a reply
to the form it is asked in.
"""

from functools import lru_cache

import numpy as np

from pactwin.policies.question_ref import QuestionRef, load_records
from pactwin.policies.replies.choice import OPTION_LETTERS
from pactwin.policies.replies.published import parse_published_answer
from pactwin.policies.replies.vocabulary import STATEMENTS
from pactwin.suite import Constraint, InvalidInputError, Question

_REASONS = tuple(constraint for constraint in Constraint if constraint is not Constraint.NONE)


def always_yes(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """It can be done."""
    return write_reply(Constraint.NONE, question)


def always_no(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """Always the same reason: the taxonomy's first."""
    return write_reply(_REASONS[0], question)


def random(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """A fair coin, then any reason."""
    no_reason = rng.random() < 0.5
    decision = Constraint.NONE if no_reason else _REASONS[rng.integers(len(_REASONS))]
    return write_reply(decision, question)


def blind(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """The text prior's guess."""
    priors = _priors(asked.suite, asked.suite_hash, question.form)
    return write_reply(priors.get(question.text, _REASONS[0]), question)


def oracle(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """The scene's verdict; where nothing was tried, the published answer."""
    verdict = load_records(asked.suite, asked.suite_hash).scenes[question.scene_id].verdict
    if verdict is None:
        feasible, _ = parse_published_answer(question.truth)
        return f"{'Yes' if feasible else 'No'}. {question.truth}"
    return write_reply(verdict.constraint, question)


def write_reply(decision: Constraint, question: Question) -> str:
    """``decision`` as a reply to ``question`` in the form it asks for."""
    statement = STATEMENTS[decision]
    if question.form != "choice":
        return f"{'Yes' if decision is Constraint.NONE else 'No'}. {statement}"
    if statement not in question.options:
        raise InvalidInputError(
            f"question {question.id} has no option for {decision.value!r}: baselines answer "
            "questions over the constraint taxonomy only"
        )
    letter = OPTION_LETTERS[question.options.index(statement)]
    return f"{letter}) {statement}"


@lru_cache(maxsize=16)
def _priors(suite: str, suite_hash: str, form: str) -> dict[str, Constraint]:
    """The text prior's guess for every question text of one form in a suite."""
    from pactwin.policies.baselines.blind import text_priors  # heavy: scikit-learn

    records = load_records(suite, suite_hash)
    known = []
    for question in records.questions.values():
        if question.kind == "constraint" and question.form == form:
            scene = records.scenes[question.scene_id]
            truth = (
                scene.verdict.constraint
                if scene.verdict
                else parse_published_answer(question.truth)[1]
            )
            if truth is not None:
                known.append((question.text, min(scene.id, scene.twin_id or scene.id), truth))
    return text_priors(
        texts=[text for text, _, _ in known],
        pairs=[pair for _, pair, _ in known],
        truths=[truth for _, _, truth in known],
    )
