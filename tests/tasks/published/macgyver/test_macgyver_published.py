"""The published systems' table, counted again from the files by a script of its own."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from macgyver_data import WHOLE_BENCHMARK, WHOLE_PROBLEMS, record, write

from pactwin.suite import Question, Suite
from pactwin.tasks import import_published
from pactwin.tasks.kinds.problem.scoring import (
    CATEGORIES,
    condense,
    held_unsolvable,
    one_per_text,
    tally,
)
from pactwin.tasks.published.macgyver.scoring import (
    DIFFICULTY,
    difficulty_table,
    published_table,
)
from pactwin.tasks.published.macgyver.uses import uses_of

LETTER = {
    "correct_efficient": "A",
    "correct_inefficient": "B",
    "correct_unsolvable": "C",
    "wrong_partial_correct": "D",
    "wrong_entire_wrong_solution": "E",
    "wrong_fail_solvability_status": "F",
}
MACHINES = {
    "solutions_gpt35": "GPT-3.5",
    "solutions_claude2": "Claude 2",
    "solutions_bard": "PaLM 2",
    "llama2_7b_solutions": "Llama 2 7B",
    "llama2_13b_solutions": "Llama 2 13B",
    "llama2_70b_solutions": "Llama 2 70B",
}
GPT4 = ["solutions_gpt4", "gpt4-prompt-2", "gpt4-prompt-3", "gpt4-prompt-4"]


def many(seed: int) -> dict[str, list[dict[str, str]]]:
    """Random records of every system about every problem, some repeated, some without label."""
    rng = random.Random(seed)
    found: dict[str, list[dict[str, str]]] = {}
    for id, *_ in WHOLE_PROBLEMS:
        found[id] = []
        for model in ["Prolific", *GPT4, *MACHINES]:
            for n in range(rng.randint(1, 3)):
                label = rng.choice([*LETTER] * 5 + [None])
                label = label if model == "Prolific" else label or "correct_efficient"
                found[id].append(record(model, label, f"Answer {n % 2} of {model}."))
    # One that people hold unsolvable, and whose answers the override changes.
    found["21"] = [r for r in found["21"] if r["model"] != "Prolific"]
    found["21"].append(record("Prolific", "correct_unsolvable", "No."))
    found["21"].append(record("solutions_bard", "correct_efficient", "Fly."))
    return found


@pytest.fixture(params=range(2), scope="module")
def data(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("mg") / "data", benchmark=many(request.param))


def questions_of(data: Path) -> list[Question]:
    import_published("macgyver", data, data.parent / "suite")
    return list(Suite.open(data.parent / "suite").questions())


def recount(data: Path) -> dict[tuple[str, str], tuple[list[float], int, int]]:
    """{(system, rule): (percentages A to F, answers, problems)}, by loops over the JSON file."""
    benchmark = json.loads((data / "benchmark_results.json").read_text())
    unsolvable = []
    for id, records in benchmark.items():
        labels = [r.get("annotation") for r in records if r["model"] == "Prolific"]
        solved = "correct_efficient" in labels or "correct_inefficient" in labels
        if "correct_unsolvable" in labels and not solved:
            unsolvable.append(id)
    assert "21" in unsolvable
    lines = {}
    for model, name in MACHINES.items():
        counts = dict.fromkeys("ABCDEF", 0)
        problems = set()
        for id, records in benchmark.items():
            for r in records:
                if r["model"] == model:
                    letter = LETTER[r["annotation"]]
                    if id in unsolvable and letter in "ABD":
                        letter = "F"
                    counts[letter] += 1
                    problems.add(id)
        n = sum(counts.values())
        lines[name, "pooled"] = ([c / n for c in counts.values()], n, len(problems))
    for name, models in (("human", ["Prolific"]), ("GPT-4", GPT4)):
        best, average = dict.fromkeys("ABCDEF", 0.0), dict.fromkeys("ABCDEF", 0.0)
        rated = every = 0
        n_best = 0
        for id, records in benchmark.items():
            mine = [r.get("annotation") for r in records if r["model"] in models]
            letters = [LETTER[label] for label in mine if label]
            if name == "GPT-4" and id in unsolvable:
                letters = ["F" if letter in "ABD" else letter for letter in letters]
            if letters:
                best[sorted(letters)[0]] += 1
                n_best += 1
            rated += len(letters)
            every += len(mine)
            for label in mine:
                average[LETTER[label] if label else "F"] += 1 / len(mine) / len(benchmark)
        lines[name, "best"] = ([c / n_best for c in best.values()], rated, n_best)
        lines[name, "average"] = (list(average.values()), every, len(benchmark))
    return lines


def test_the_table_is_what_an_independent_count_gives(data: Path) -> None:
    table = {(r["model"], r["rule"]): r for r in published_table(questions_of(data)).rows}
    expected = recount(data)
    assert expected.keys() | {("human", "random"), ("GPT-4", "random")} == table.keys()
    for key, (shares, answers, problems) in expected.items():
        line = table[key]
        assert [line[category] for category in "ABCDEF"] == pytest.approx(shares), key
        assert (line["answers"], line["problems"]) == (answers, problems), key
        assert line["correct"] == pytest.approx(sum(shares[:3])), key


def test_a_random_answer_is_right_as_often_as_draws_are(data: Path) -> None:
    questions = questions_of(data)

    def line(seed: int) -> dict[str, Any]:
        rows = published_table(questions, seed).rows
        return next(row for row in rows if (row["model"], row["rule"]) == ("human", "random"))

    values = [line(seed)["one draw"] for seed in range(400)]
    mean, spread = sum(values) / len(values), line(0)["sd"]
    assert mean == pytest.approx(line(0)["correct"], abs=4 * spread / 20 + 1e-9)
    sd = (sum((v - mean) ** 2 for v in values) / len(values)) ** 0.5
    assert sd == pytest.approx(spread, rel=0.15, abs=1e-9)
    assert line(7) == line(7)


def test_only_people_decide_what_is_held_unsolvable(tmp_path: Path) -> None:
    import_published("macgyver", write(tmp_path / "data"), tmp_path / "suite")
    held = {q.topic for q in Suite.open(tmp_path / "suite").questions() if held_unsolvable(q)}
    assert held == {"21"}
    solved = {"21": [*WHOLE_BENCHMARK["21"], record("Prolific", "correct_inefficient", "Jump.")]}
    import_published("macgyver", write(tmp_path / "b", benchmark=solved), tmp_path / "suite2")
    assert not any(map(held_unsolvable, Suite.open(tmp_path / "suite2").questions()))


def test_the_difficulty_study_counts_the_labels_of_all_problems(data: Path) -> None:
    labels = Counter(row[5] for row in WHOLE_PROBLEMS)
    table = difficulty_table(questions_of(data))
    assert [row["answers"] for row in table.rows] == [labels[label] for label in DIFFICULTY]
    assert [row["of"] for row in table.rows] == [4] * 4 + [3] * 3


category = st.sampled_from(CATEGORIES)
problems = st.dictionaries(
    st.integers(0, 20).map(str),
    st.lists(st.sampled_from([*CATEGORIES, ""]), min_size=1),
    min_size=1,
)


@given(problems)
def test_tallies_keep_their_order(by_problem: dict[str, list[str]]) -> None:
    found = tally(by_problem, np.random.default_rng(0))
    rated = sum(1 for given in by_problem.values() for c in given if c)
    if found is None:
        assert rated == 0
        return
    assert found.answers == rated
    assert found.answers + found.unrated == sum(map(len, by_problem.values()))
    assert sum(found.shares.values()) == pytest.approx(1)
    assert found.single == pytest.approx(found.average)
    assert found.majority <= found.majority_or_tie <= found.best
    assert found.average <= found.best + 1e-12
    assert 0 <= found.drawn <= 1


def test_ties_and_repeated_texts_by_hand() -> None:
    found = tally({"a": ["A", "E"], "b": ["A"], "c": ["F", "F", "B"]}, np.random.default_rng(0))
    assert found is not None
    assert (found.majority, found.majority_or_tie, found.best) == pytest.approx((1 / 3, 2 / 3, 1))
    answers = [("x", "A"), ("x", "D"), ("y", ""), ("y", "B"), ("z", "")]
    assert one_per_text(answers) == ["D", "B", ""]


@given(st.lists(category, min_size=1, max_size=7))
def test_condensed_votes(votes: list[str]) -> None:
    found = condense(votes)
    assert found in votes
    assert found == condense(votes[::-1])
    if len(set(votes)) == 1:
        assert found == votes[0]
    works = sum(v in "AB" for v in votes)
    if works > len(votes) / 2:
        assert found == ("B" if "B" in votes else "A"), "the worst of the votes on efficiency"
    for other in "CDEF":
        if votes.count(other) > len(votes) / 2:
            assert found == other


@pytest.mark.parametrize(
    ("votes", "found"),
    [
        ("AAB", "B"),
        ("AAA", "A"),
        ("ABE", "B"),
        ("AEE", "E"),
        ("ADE", "E"),
        ("CCF", "C"),
        ("CF", "F"),
    ],
)
def test_condensed_by_hand(votes: str, found: str) -> None:
    assert condense(list(votes)) == found


SOLUTIONS = {
    "reach with a stick": "Step 1: Use the broom handle to reach under the sofa.",
    "hook and pull": "Step 2: Hook the wire around the ring and gently pull it up.",
    "poke through a gap": "Step 1: Slide the card into the gap behind the desk.",
    "bridge a gap": "Lay the plank across the ditch.",
    "prop open": "Step 1: Prop the window open with the book.",
    "wedge shut": "Wedge the spoon under the door to keep the door shut.",
    "weigh down": "Weigh the tarp down with stones.",
    "scoop grains": "Scoop the sand into the bag with the frisbee.",
    "hold liquid": "Fill the boot with water.",
    "guide a pour": "Roll the page to form a funnel to pour the oil.",
    "lever up": "Use the rod as a lever.",
    "block a roll": "Put the brick there to prevent the cart from rolling.",
}


@pytest.mark.parametrize("use", SOLUTIONS)
def test_a_use_is_found_in_the_step_that_makes_it(use: str) -> None:
    assert uses_of(SOLUTIONS[use]) == (use,)
    assert uses_of(f"Step 1: Wash the shirt.\n{SOLUTIONS[use]}") == (use,)


def test_words_of_different_sentences_are_not_read_together() -> None:
    assert uses_of("Take the broom. Then reach for the soap.") == ()
    assert uses_of("Fill the form. The boot has holes. Drink water.") == ()
    assert uses_of("") == ()
