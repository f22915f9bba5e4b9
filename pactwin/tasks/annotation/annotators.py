"""Agreement of people (Cohen's and Fleiss' kappa per field), and their effort."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from statistics import mean, median

from pactwin.solvers import Agreed, PersonAnswer, annotators_of, by_question, consensus_of
from pactwin.suite import Question, Record
from pactwin.tasks.annotation.interface import field_of


class FieldAgreement(Record):
    """Agreement of people about one property, form or list.

    ``questions`` had at least two answers; they are divided into ``unanimous``, with a
    ``majority``, and ``split``. ``fleiss`` is Fleiss' kappa over questions that ``raters`` people
    answered, the most frequent number; ``cohen`` is the mean of Cohen's kappa over pairs of people.
    Both are None if undefined: for lists, or if all answers are equal.
    """

    field: str
    questions: int
    unanimous: int
    majority: int
    split: int
    raters: int | None = None
    fleiss: float | None = None
    cohen: float | None = None


class AnnotatorEffort(Record):
    """Effort of one person: ``questions`` seen, number ``answered``, median seconds per page."""

    annotator: str
    questions: int
    answered: int
    pages: int
    median_s: float | None = None


class Vote(Record):
    """Votes on one question: level of agreement, majority answer, and counts of all answers."""

    question_id: str
    view: str
    field: str
    agreed: Agreed
    answer: str = ""
    items: tuple[str, ...] = ()
    votes: dict[str, int]


def votes_on(answers: Sequence[PersonAnswer], questions: dict[str, Question]) -> list[Vote]:
    """One vote per question and view, in the order of the answers."""
    rows = []
    for (question_id, view), given in by_question(answers).items():
        found = consensus_of(given)
        rows.append(
            Vote(
                question_id=question_id,
                view=view,
                field=field_of(questions[question_id]),
                agreed=found.agreed,
                answer=found.answer,
                items=found.items,
                votes=dict(found.votes),
            )
        )
    return rows


def field_agreements(
    answers: Sequence[PersonAnswer], questions: dict[str, Question]
) -> list[FieldAgreement]:
    """One row per field that at least two people answered, sorted by field name."""
    by_field: dict[str, list[tuple[PersonAnswer, ...]]] = defaultdict(list)
    for (question_id, _), given in by_question(answers).items():
        said = tuple(answer for answer in given if answer.says)
        if len(said) > 1:
            by_field[field_of(questions[question_id])].append(said)
    rows = []
    for field, asked in sorted(by_field.items()):
        counts: dict[str, int] = defaultdict(int)
        for said in asked:
            counts[consensus_of(said).agreed] += 1
        raters, fleiss = _fleiss(asked)
        rows.append(
            FieldAgreement(
                field=field,
                questions=len(asked),
                unanimous=counts["unanimous"],
                majority=counts["majority"],
                split=counts["split"],
                raters=raters,
                fleiss=fleiss,
                cohen=_cohen(asked),
            )
        )
    return rows


def _fleiss(asked: Sequence[Sequence[PersonAnswer]]) -> tuple[int | None, float | None]:
    """The most frequent number of raters, and Fleiss' kappa over the questions they answered."""
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    if any(answer.items for said in asked for answer in said):
        return None, None
    sizes = [len(said) for said in asked]
    raters = max(set(sizes), key=lambda n: (sizes.count(n), n))
    table = [[answer.answer for answer in said] for said in asked if len(said) == raters]
    if len({answer for row in table for answer in row}) < 2:
        return raters, None
    counts, _ = aggregate_raters(table)
    return raters, float(fleiss_kappa(counts))


def _cohen(asked: Sequence[Sequence[PersonAnswer]]) -> float | None:
    """Mean of Cohen's kappa over all pairs of people for which it is defined."""
    from sklearn.metrics import cohen_kappa_score

    if any(answer.items for said in asked for answer in said):
        return None
    by_pair: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for said in asked:
        answer_of = {answer.annotator: answer.answer for answer in said}
        for pair in combinations(sorted(answer_of), 2):
            by_pair[pair].append((answer_of[pair[0]], answer_of[pair[1]]))
    kappas = [
        float(cohen_kappa_score(*zip(*both, strict=True)))
        for both in by_pair.values()
        if len({answer for pair in both for answer in pair}) > 1
    ]
    return mean(kappas) if kappas else None


def annotator_efforts(answers: Sequence[PersonAnswer]) -> list[AnnotatorEffort]:
    """One row per person, sorted by name."""
    rows = []
    for name in annotators_of(answers):
        own = [answer for answer in answers if answer.annotator == name]
        times = {(answer.page, answer.view): answer.seconds for answer in own}
        taken = [seconds for seconds in times.values() if seconds is not None]
        rows.append(
            AnnotatorEffort(
                annotator=name,
                questions=len(own),
                answered=sum(answer.says for answer in own),
                pages=len(times),
                median_s=median(taken) if taken else None,
            )
        )
    return rows
