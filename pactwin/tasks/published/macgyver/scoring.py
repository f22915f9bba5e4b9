"""Score released answers of the published systems by the paper's rules and by pactwin's."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np

from pactwin.suite import Question, Suite, load_suite, opaque_id
from pactwin.tasks.core.results import PUBLISHED, AnswerState, Row
from pactwin.tasks.core.views import NO_PICTURE
from pactwin.tasks.kinds.problem.records import ProblemRow
from pactwin.tasks.kinds.problem.scoring import (
    CATEGORIES,
    CORRECT_CATEGORIES,
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
from pactwin.tasks.published.contract import PublishedTable, Scores, Verify
from pactwin.tasks.published.macgyver.source import PROBLEMS, SYSTEMS

HUMANS = ("Prolific",)
GPT4 = ("solutions_gpt4", "gpt4-prompt-2", "gpt4-prompt-3", "gpt4-prompt-4")
GROUPS: dict[str, tuple[str, ...]] = {
    **{name: (source,) for source, name in SYSTEMS.items()},
    "GPT-4 all prompts": GPT4,
}
"""Published systems by their name in tables, with the sources of their answers."""

DIFFICULTY = {
    "efficient": "1.1 efficient solution",
    "inefficient": "1.2 inefficient solution",
    "infeasible": "1.3 infeasible solution",
    "none": "1.4 calls it unsolvable",
    "correct_right_reason": "2.1 right, with the right reason",
    "correct_wrong_reason": "2.2 right, with a wrong reason",
    "wrong_solution": "2.3 gives a solution",
}
"""Labels of the difficulty study, which rated GPT-4's answers to all problems."""


def rated_answers(
    questions: Iterable[Question], sources: Sequence[str]
) -> dict[str, list[tuple[str, str]]]:
    """(text, category) of all answers of ``sources``, by problem; empty without a rating."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for question in questions:
        for answer in question.answers:
            if answer.source in sources:
                found[question.id].append((answer.text, RATINGS.get(answer.rating, "")))
    return dict(found)


def score_as_macgyver(
    suite: Suite, rows: Sequence[Row] = (), verify: Verify | None = None
) -> list[PublishedTable]:
    """Score the released answers by the paper's rules and by pactwin's; others have no grades."""
    questions = list(load_suite(suite.path).questions.values())
    return [
        published_table(questions),
        _tallies("By our rules", published_tallies(questions, override=False)),
        _tallies("By our rules, override", published_tallies(questions, override=True)),
        _tallies(
            "Each text once, worst label",
            published_tallies(questions, override=False, distinct=True),
        ),
        difficulty_table(questions),
    ]


def published_table(questions: Sequence[Question], seed: int = 0) -> PublishedTable:
    """The paper's table of the benchmark by its own rules.

    All answers of machines except GPT-4 are pooled, including repeated ones; people and GPT-4 have
    the best, the average and a random answer per problem. ``correct`` is A + B + C; ``sd`` is its
    standard deviation over random draws, and ``one draw`` the accuracy of a draw by ``seed``.
    """
    unsolvable = {q.id for q in questions if held_unsolvable(q)}
    rng = np.random.default_rng(seed)

    def given(sources: Sequence[str], *, override: bool) -> dict[str, list[str]]:
        return {
            id: [overridden(c) if override and id in unsolvable else c for _, c in answers]
            for id, answers in rated_answers(questions, sources).items()
        }

    lines = []
    for source, name in SYSTEMS.items():
        if source not in (*HUMANS, *GPT4):
            pool = [c for cs in given((source,), override=True).values() for c in cs if c]
            problems = len(given((source,), override=True))
            if pool:
                shares = {c: pool.count(c) / len(pool) for c in CATEGORIES}
                lines.append(_line(name, "pooled", True, problems, len(pool), shares))
    for name, sources, drawn_from in (("human", HUMANS, HUMANS), ("GPT-4", GPT4, GPT4[:1])):
        machine = sources is GPT4
        rated = {i: [c for c in cs if c] for i, cs in given(sources, override=machine).items()}
        best = [best_of(categories) for categories in rated.values() if categories]
        if not best:
            continue
        answers = sum(map(len, rated.values()))
        shares = {c: best.count(c) / len(best) for c in CATEGORIES}
        lines.append(_line(name, "best", machine, len(best), answers, shares))
        # A record without a label counts as F here, and only here.
        each = {i: [c or "F" for c in cs] for i, cs in given(sources, override=False).items()}
        answers = sum(map(len, each.values()))
        lines.append(_line(name, "average", False, len(each), answers, mean_shares(each)))
        some = {i: [c or "F" for c in cs] for i, cs in given(drawn_from, override=False).items()}
        single = tally(some, rng)
        if single is not None:
            line = _line(name, "random", False, len(some), single.answers, single.shares)
            lines.append({**line, "one draw": single.drawn, "sd": single.spread})
    note = (
        "Categories from A (efficient) to F; correct: A, B or C. With the override a solution to a "
        "problem that people hold unsolvable counts as F, whatever its raters said."
    )
    return PublishedTable(title="As published", note=note, rows=tuple(lines))


def _line(
    system: str, rule: str, override: bool, problems: int, answers: int, shares: dict[str, float]
) -> Scores:
    return {
        "model": system,
        "rule": rule,
        "override": "yes" if override else "",
        "problems": problems,
        "answers": answers,
        "correct": sum(shares[category] for category in CORRECT_CATEGORIES),
        **shares,
        "one draw": None,
        "sd": None,
    }


def _tallies(title: str, tallies: Iterable[tuple[str, Tally]]) -> PublishedTable:
    rows: tuple[Scores, ...] = tuple(
        {
            "model": name,
            "problems": found.problems,
            "answers": found.answers,
            "average": found.average,
            "one draw": found.drawn,
            "sd": found.spread,
            "best": found.best,
            "majority": found.majority,
            "or tie": found.majority_or_tie,
        }
        for name, found in tallies
    )
    return PublishedTable(title=title, rows=rows)


def published_tallies(
    questions: Sequence[Question], *, override: bool, distinct: bool = False, seed: int = 0
) -> Iterator[tuple[str, Tally]]:
    """Score every published system like evaluated ones; ``distinct`` counts equal texts once."""
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


def released_rows(suite: Suite, asked: Collection[str]) -> list[Row]:
    """Released answers to the questions ``asked``, as rows of evaluated systems."""
    loaded = load_suite(suite.path)
    scenes, questions = loaded.scenes, loaded.questions
    rows: list[Row] = []
    for question in questions.values():
        epochs: Counter[str] = Counter()
        for answer in question.answers if question.id in asked else ():
            if answer.source not in SYSTEMS:
                continue
            epochs[answer.source] += 1
            epoch = epochs[answer.source]
            key = f"{question.id}:{answer.source}:{epoch}"
            category = RATINGS.get(answer.rating, "")
            state = AnswerState.INCORRECT if category else AnswerState.UNPARSED
            if category in CORRECT_CATEGORIES:
                state = AnswerState.CORRECT
            rows.append(
                ProblemRow(
                    **dict(problem_facts(scenes[question.scene_id], question, NO_PICTURE))
                    | {"epoch": epoch},
                    state=state,
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


def difficulty_table(questions: Iterable[Question]) -> PublishedTable:
    """The difficulty study: ratings of GPT-4's single answer to every problem."""
    counts: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for question in questions:
        for answer in question.answers:
            if answer.source == PROBLEMS:
                counts[answer.rating] += 1
                totals[DIFFICULTY[answer.rating][0]] += 1
    rows: list[Scores] = []
    for label, words in DIFFICULTY.items():
        count, of = counts[label], totals[words[0]]
        share = count / of if of else None
        rows.append({"label": words, "answers": count, "of": of, "share": share})
    return PublishedTable(title="Difficulty study (GPT-4)", rows=tuple(rows))
