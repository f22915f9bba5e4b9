"""Scores of answers to problems, paired tests, and what may not be concluded."""

import hashlib
import json
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from pactwin.compare.gating import gate
from pactwin.compare.judge_trust import JudgeTrust, judge_agreement, read_agreements, weighted_kappa
from pactwin.compare.kind_section import comparable, kind_section
from pactwin.compare.logs import score_all
from pactwin.compare.paired import PairedTest, compare_models
from pactwin.compare.ranking import rankings, terminal_table
from pactwin.compare.scores import Score
from pactwin.suite import InvalidInputError
from pactwin.tasks import CATEGORIES, CORRECT_CATEGORIES, KINDS, GradedAnswer, ProblemRow
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.kinds.problem.metrics import difficulty

JUDGE = "x/judge, rubric 1, 3 votes"
category = st.sampled_from(CATEGORIES)


def row(problem: int, grade: str, model: str = "a", epoch: int = 1, **more: object) -> ProblemRow:
    fields = {
        "question_id": f"{problem:016x}",
        "scene_id": f"{problem + 2**32:016x}",
        "pair_id": f"{problem + 2**32:016x}",
        "domain": "unsolvable" if problem % 3 == 0 else "conventional",
        "view": "text",
        "form": "open",
        "solvable": problem % 3 != 0,
        "held_unsolvable": problem % 3 == 0,
        "epoch": epoch,
        "state": AnswerState.CORRECT if grade in CORRECT_CATEGORIES else AnswerState.INCORRECT,
        "category": grade,
        "model": model,
        "suite_name": "made up",
        "suite_hash": "0" * 64,
        "sample_id": hashlib.sha256(f"{problem}{model}{epoch}".encode()).hexdigest()[:16],
    }
    if not grade:
        fields |= {"state": AnswerState.UNPARSED, "reason": "nobody graded it"}
    return ProblemRow.model_validate(fields | more)


def scored(rows: Sequence[ProblemRow], trust: JudgeTrust | None = None) -> list[Score]:
    return score_all(rows, [], {}, trust or JudgeTrust())


def compare_systems(
    rows: Sequence[ProblemRow], trust: JudgeTrust | None = None
) -> list[PairedTest]:
    models = {row.model for row in rows}
    return compare_models(rows, comparable(rows, sorted(models), trust or JudgeTrust()))


def pooled(scores: Sequence[Score], model: str = "a") -> dict[str, Score]:
    return {s.metric: s for s in scores if s.is_pooled and s.model == model}


@pytest.mark.slow
@given(st.lists(st.lists(st.sampled_from([*CATEGORIES, ""]), min_size=1), min_size=1, max_size=8))
def test_scores_are_means_over_problems(answers: list[list[str]]) -> None:
    rows = [row(i, c, epoch=n) for i, cs in enumerate(answers) for n, c in enumerate(cs, start=1)]
    scores = scored(rows)
    assert {s.metric for s in scores} <= set(KINDS["problem"].scoring.names)
    found = pooled(scores)
    graded = [[c for c in cs if c] for cs in answers if any(cs)]
    shares = [sum(c in CORRECT_CATEGORIES for c in cs) / len(cs) for cs in graded]
    if graded:
        assert found["problem_accuracy"].value == pytest.approx(np.mean(shares))
        assert found["problem_best"].value == pytest.approx(np.mean([s > 0 for s in shares]))
        total = sum(found[f"problem_share_{c}"].value or 0 for c in CATEGORIES)
        assert total == pytest.approx(1)
    else:
        assert found["problem_accuracy"].value is None
    strict = [sum(c in CORRECT_CATEGORIES for c in cs if c) / len(cs) for cs in answers]
    assert found["problem_accuracy_strict"].value == pytest.approx(np.mean(strict))
    n = sum(map(len, answers))
    assert found["problem_coverage"].value == pytest.approx(sum(map(len, graded)) / n)
    for s in scores:
        if s.value is not None and s.low is not None:
            assert s.high is not None
            assert s.low - 1e-9 <= s.value <= s.high + 1e-9


tables = st.lists(st.tuples(category, category), min_size=2, max_size=30)


@given(tables)
def test_weighted_kappa_is_that_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    table = np.zeros((6, 6))
    for label, grade in pairs:
        table[CATEGORIES.index(label), CATEGORIES.index(grade)] += 1
    found = float(weighted_kappa(table))
    labels, grades = zip(*pairs, strict=True)
    if len({*labels, *grades}) == 1:
        assert np.isnan(found)
        return
    ranks = [[CATEGORIES.index(c) for c in side] for side in (labels, grades)]
    expected = cohen_kappa_score(*ranks, weights="linear", labels=range(6))
    assert found == pytest.approx(expected)


def graded(pairs: Sequence[tuple[str, str]]) -> list[GradedAnswer]:
    return [
        GradedAnswer(question_id=str(i // 2), source="x", label=a, grade=b, by_rule=False)
        for i, (a, b) in enumerate(pairs)
    ]


def test_agreement_by_category_and_what_failed() -> None:
    found = judge_agreement(JUDGE, graded([("A", "A"), ("A", "B"), ("E", "E"), ("F", "")]))
    assert (found.answers, found.failed) == (3, 1)
    assert found.accuracy.value == pytest.approx(2 / 3)
    assert found.correct.value == 1
    assert found.recall["A"].value == 0.5
    assert found.precision["A"].value == 1
    assert found.recall["F"].n == 0 and found.recall["F"].value is None
    with pytest.raises(InvalidInputError, match="graded nothing"):
        judge_agreement(JUDGE, graded([("A", "")]))


GOOD = [(c, c) for c in "ABDEF" * 20]
POOR = [(c, d) for c, d in zip("ABDEF" * 20, "FEDBA" * 20, strict=True)]


@pytest.mark.parametrize(
    ("pairs", "least", "trusted"),
    [
        (GOOD, 0.6, True),
        (POOR, 0.6, False),
        (POOR, -1.0, True),
        (GOOD, 1.1, False),
        (None, 0, False),
    ],
)
def test_a_judge_below_the_threshold_is_not_for_conclusions(pairs, least, trusted, tmp_path):
    agreements = () if pairs is None else (judge_agreement(JUDGE, graded(pairs)),)
    path = tmp_path / "agreement.json"
    path.write_text(json.dumps([a.model_dump(mode="json") for a in agreements]))
    trust = JudgeTrust(tuple(read_agreements(path)), least)
    rows = [row(i, "A", judge=JUDGE) for i in range(6)] + [row(i, "E", "b") for i in range(6)]
    scores = scored(rows, trust)
    found = pooled(scores)["problem_accuracy"]
    assert (found.caution == "") is trusted
    assert (gate(scores, "problem_accuracy=0.5") == []) is False, "b has nothing right"
    failing = {v.model for v in gate(scores, "problem_accuracy=0.5")}
    assert failing == ({"b"} if trusted else {"a", "b"})
    assert len(compare_systems(rows, trust)) == (1 if trusted else 0)
    table = terminal_table(rankings(scores, brief=True)[0])
    assert ("not for conclusions" in str(table.caption)) is not trusted
    (line,) = kind_section("problem", rows, scores, [], trust).notes
    assert line.startswith("Not for conclusions") is not trusted


@given(st.integers(0, 8), category)
def test_every_possible_grade_has_its_place_in_the_difficulty_study(n: int, grade: str) -> None:
    found = difficulty(row(n, grade))
    possible = grade in ("ABDEF" if n % 3 else "CDEF")
    assert bool(found) is possible
    assert not found or found[0] == ("1" if n % 3 else "2")
