"""Baselines for questions about constraints.

Each decides on one constraint of the taxonomy (``none``: feasible) and writes it as a reply in the
requested form.
"""

from collections.abc import Collection
from functools import lru_cache

import numpy as np

from pactwin.solvers.question_ref import QuestionRef, load_records
from pactwin.solvers.replies.choice import OPTION_LETTERS
from pactwin.solvers.replies.parsing import parse_published_answer
from pactwin.solvers.replies.vocabulary import STATEMENTS
from pactwin.suite import (
    NONE_OF_THEM,
    SET_FORMS,
    Constraint,
    InvalidInputError,
    LoadedSuite,
    Question,
    constraints_among,
)


def always_yes(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """Feasible; all options are true."""
    if question.form in SET_FORMS:
        return write_selection(question.options, question)
    return write_reply(Constraint.NONE, question)


def always_no(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """Infeasible because of the taxonomy's first constraint; no option is true."""
    if question.form in SET_FORMS:
        return write_selection((), question)
    return write_reply(_reasons(question)[0], question)


def random(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """A coin flip, then a random constraint; or a coin flip for each option."""
    if question.form in SET_FORMS:
        return write_selection([o for o in question.options if rng.random() < 0.5], question)
    no_reason = rng.random() < 0.5
    reasons = _reasons(question)
    decision = Constraint.NONE if no_reason else reasons[rng.integers(len(reasons))]
    return write_reply(decision, question)


def blind(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """The text prior's guess; options whose text is mostly true in other questions."""
    if question.form in SET_FORMS:
        known = load_records(asked.suite, asked.suite_hash)
        return write_selection(_likely(question, known), question)
    priors = _priors(asked.suite, asked.suite_hash, question.form)
    among = (Constraint.NONE, *_reasons(question))
    guesses = (guess for guess in priors.get(question.text, ()) if guess in among)
    return write_reply(next(guesses, among[1]), question)


def oracle(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """The scene's verdict; for a ladder the side of its limit; else the published answer."""
    if question.form in SET_FORMS:
        return write_selection(question.accepted, question)
    scene = load_records(asked.suite, asked.suite_hash).scenes[question.scene_id]
    verdict = scene.verdict
    if scene.step is not None:
        x = scene.step.x
        return "Yes." if x > 0 or (x == 0 and rng.random() < 0.5) else "No."
    if verdict is None:
        feasible, _ = parse_published_answer(question.truth)
        return f"{'Yes' if feasible else 'No'}. {question.truth}"
    return write_reply(verdict.constraint, question)


def _reasons(question: Question) -> tuple[Constraint, ...]:
    """Constraints that can prevent the action, in the order of the taxonomy.

    For a choice, those among its options.
    """
    all_of_them = constraints_among(question.options)[1:]
    if question.form != "choice":
        return all_of_them
    return tuple(c for c in all_of_them if STATEMENTS[c] in question.options) or all_of_them


def write_selection(selected: Collection[str], question: Question) -> str:
    """Write the chosen options as a reply to a question for all true options."""
    pairs = zip(OPTION_LETTERS, question.options, strict=False)
    return ", ".join(letter for letter, option in pairs if option in selected) or NONE_OF_THEM


def _likely(question: Question, known: LoadedSuite) -> list[str]:
    """The options that are true in most questions of the form about other pairs."""
    own = known.scenes[question.scene_id].seed
    chosen = []
    for option in question.options:
        truths = [
            option in other.accepted
            for other in known.questions.values()
            if other.form == question.form
            and option in other.options
            and known.scenes[other.scene_id].seed != own
        ]
        if 2 * sum(truths) > len(truths):
            chosen.append(option)
    return chosen


def write_reply(decision: Constraint, question: Question) -> str:
    """Write ``decision`` as a reply in the form of ``question``."""
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
def _priors(suite: str, suite_hash: str, form: str) -> dict[str, tuple[Constraint, ...]]:
    """The text prior's guesses for every question text of one form in a suite."""
    from pactwin.solvers.baselines.blind import text_priors  # heavy: scikit-learn

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
