"""The published systems, scored from their released answers: as the paper does, and as ours are."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np

from pactwin.suite import Question, Record, Suite, opaque_id
from pactwin.tasks.core.results import PUBLISHED, AnswerState
from pactwin.tasks.core.views import NO_PICTURE
from pactwin.tasks.kinds.problem.records import ProblemRow
from pactwin.tasks.kinds.problem.scoring import (
    CATEGORIES,
    CORRECT,
    RATINGS,
    Tally,
    best_of,
    held_unsolvable,
    mean_shares,
    one_per_text,
    overridden,
    tally,
)
from pactwin.tasks.kinds.problem.tasks import problem_facts
from pactwin.tasks.published.macgyver.importing import SUITE_NAME
from pactwin.tasks.published.macgyver.source import PROBLEMS, SYSTEMS

_STATES = {True: AnswerState.CORRECT, False: AnswerState.INCORRECT}

HUMANS = ("Prolific",)
GPT4 = ("solutions_gpt4", "gpt4-prompt-2", "gpt4-prompt-3", "gpt4-prompt-4")
GROUPS: dict[str, tuple[str, ...]] = {
    **{name: (source,) for source, name in SYSTEMS.items()},
    "GPT-4 all prompts": GPT4,
}
"""Published systems, as tables call them, and whose answers are theirs."""

DIFFICULTY = {
    "efficient": "1.1 efficient solution",
    "inefficient": "1.2 inefficient solution",
    "infeasible": "1.3 infeasible solution",
    "none": "1.4 calls it unsolvable",
    "correct_right_reason": "2.1 right, with the right reason",
    "correct_wrong_reason": "2.2 right, with a wrong reason",
    "wrong_solution": "2.3 gives a solution",
}
"""The labels of the difficulty study, GPT-4's answers to all problems."""


def is_macgyver(suite: Suite) -> bool:
    """Whether a suite was imported from MacGyver's files."""
    return suite.info.request.get("source") == SUITE_NAME


class PublishedShare(Record):
    """A line of the paper's table: the share of each category, of ``answers`` to ``problems``.

    ``correct`` is A + B + C. ``spread`` is the standard deviation over random draws, where one
    answer per problem is drawn; ``drawn`` is then what a seeded draw has right.
    """

    system: str
    rule: str
    override: bool
    problems: int
    answers: int
    shares: dict[str, float]
    correct: float
    spread: float | None = None
    drawn: float | None = None


class DifficultyShare(Record):
    """How many of the ``n`` solvable or unsolvable problems have a label."""

    label: str
    count: int
    n: int


def rated_answers(
    questions: Iterable[Question], sources: Sequence[str]
) -> dict[str, list[tuple[str, str]]]:
    """(text, category) of all answers of ``sources``, by problem; no rating is empty."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for question in questions:
        for answer in question.answers:
            if answer.source in sources:
                found[question.id].append((answer.text, RATINGS.get(answer.rating, "")))
    return dict(found)


def published_table(questions: Sequence[Question], seed: int = 0) -> list[PublishedShare]:
    """The paper's table of the benchmark, by its own rules.

    Machines but GPT-4 pool all their answers, repeated ones too; of people and GPT-4 there are the
    best, the average and a random answer per problem. Where the override holds, a solution to a
    problem that people hold unsolvable counts as F, whatever its raters said.
    """
    unsolvable = {q.id for q in questions if held_unsolvable(q)}
    rng = np.random.default_rng(seed)

    def given(sources: Sequence[str], *, override: bool) -> dict[str, list[str]]:
        return {
            id: [overridden(c) if override and id in unsolvable else c for _, c in answers]
            for id, answers in rated_answers(questions, sources).items()
        }

    lines: list[PublishedShare] = []
    for source, name in SYSTEMS.items():
        if source not in (*HUMANS, *GPT4):
            pool = [c for cs in given((source,), override=True).values() for c in cs if c]
            problems = len(given((source,), override=True))
            if pool:
                lines.append(_line(name, "pooled", True, problems, _shares(pool), len(pool)))
    for name, sources, drawn_from in (("human", HUMANS, HUMANS), ("GPT-4", GPT4, GPT4[:1])):
        machine = sources is GPT4
        rated = {i: [c for c in cs if c] for i, cs in given(sources, override=machine).items()}
        best = [best_of(categories) for categories in rated.values() if categories]
        if not best:
            continue
        answers = sum(map(len, rated.values()))
        lines.append(_line(name, "best", machine, len(best), _shares(best), answers))
        # A record without a label counts as F here, and only here.
        each = {i: [c or "F" for c in cs] for i, cs in given(sources, override=False).items()}
        answers = sum(map(len, each.values()))
        lines.append(_line(name, "average", False, len(each), mean_shares(each), answers))
        some = {i: [c or "F" for c in cs] for i, cs in given(drawn_from, override=False).items()}
        single = tally(some, rng)
        if single is not None:
            line = _line(name, "random", False, len(some), single.shares, single.answers)
            fields = {"spread": single.spread, "drawn": single.drawn}
            lines.append(line.model_copy(update=fields))
    return lines


def _shares(categories: Sequence[str]) -> dict[str, float]:
    return {c: categories.count(c) / len(categories) for c in CATEGORIES}


def _line(
    system: str, rule: str, override: bool, problems: int, shares: dict[str, float], answers: int
) -> PublishedShare:
    return PublishedShare(
        system=system, rule=rule, override=override, problems=problems, answers=answers,
        shares=shares, correct=sum(shares[category] for category in CORRECT),
    )  # fmt: skip


def published_tallies(
    questions: Sequence[Question], *, override: bool, distinct: bool = False, seed: int = 0
) -> Iterator[tuple[str, Tally]]:
    """Every published system scored as evaluated ones are; ``distinct`` counts a text once."""
    unsolvable = {q.id for q in questions if override and held_unsolvable(q)}
    for name, sources in GROUPS.items():
        given: Mapping[str, Sequence[str]] = {
            id: [
                overridden(c) if id in unsolvable else c
                for c in (one_per_text(answers) if distinct else [c for _, c in answers])
            ]
            for id, answers in rated_answers(questions, sources).items()
        }
        found = tally(given, np.random.default_rng(seed))
        if found is not None:
            yield name, found


def released_rows(suite: Suite, asked: Collection[str]) -> list[ProblemRow]:
    """The released answers to the questions ``asked``, as if their systems had been evaluated.

    None of a suite that has none.
    """
    if not is_macgyver(suite):
        return []
    scenes, questions = suite.records()
    rows: list[ProblemRow] = []
    for question in questions.values():
        epochs: Counter[str] = Counter()
        for answer in question.answers if question.id in asked else ():
            if answer.source not in SYSTEMS:
                continue
            epochs[answer.source] += 1
            epoch = epochs[answer.source]
            key = f"{question.id}:{answer.source}:{epoch}"
            category = RATINGS.get(answer.rating, "")
            rows.append(
                ProblemRow(
                    **dict(problem_facts(scenes[question.scene_id], question, NO_PICTURE))
                    | {"epoch": epoch},
                    state=_STATES[category in CORRECT] if category else AnswerState.UNPARSED,
                    reason="" if category else "published without a rating",
                    category=category,
                    model=f"{SYSTEMS[answer.source]} (published)",
                    strategy=PUBLISHED,
                    suite_name=suite.info.name,
                    suite_hash=suite.info.content_hash,
                    sample_id=opaque_id(key),
                    reply=answer.text,
                )
            )
    return rows


def difficulty_table(questions: Iterable[Question]) -> list[DifficultyShare]:
    """The difficulty study: how GPT-4's one answer to every problem was rated."""
    counts: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for question in questions:
        for answer in question.answers:
            if answer.source == PROBLEMS:
                counts[answer.rating] += 1
                totals[DIFFICULTY[answer.rating][0]] += 1
    return [
        DifficultyShare(label=words, count=counts[label], n=totals[words[0]])
        for label, words in DIFFICULTY.items()
    ]
