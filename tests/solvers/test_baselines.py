"""The five baselines through the whole path: task, provider, log, table. No network."""

import socket
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from evaluating import evaluate
from fakes import DOMAINS, make_fake_suite
from inspect_ai.model import get_model

from pactwin.solvers import BASELINES
from pactwin.solvers.baselines.blind import text_priors
from pactwin.suite import Constraint, InvalidInputError, Suite
from pactwin.tasks import AnswerRow, AnswerState, read_answers

# Drawn rectangles have no geometry: tests/perception has scenes that do.
MODELS = [
    f"pactwin/{name}"
    for name, kinds in BASELINES.items()
    if "constraint" in kinds and name != "geometry"
]
FORMS = ("yes_no", "choice", "open")


@pytest.fixture(scope="module")
def _no_network() -> Iterator[None]:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError(f"a baseline reached for the network: {args}")

    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex", "sendto"):
            patch.setattr(socket.socket, name, refuse)
        patch.setattr(socket, "getaddrinfo", refuse)
        yield


@pytest.fixture(scope="module")
def suite_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two pairs of each domain, since pactwin/shortcut learns from the others of its domain."""
    path = tmp_path_factory.mktemp("asked") / "suite"
    return make_fake_suite(path, domains=DOMAINS[:2], cameras=("front", "head"))


@pytest.fixture(scope="module")
def logs(
    _no_network: None, suite_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[Path]:
    return evaluate(
        suite_path,
        MODELS,
        views="head,all",
        log_dir=tmp_path_factory.mktemp("logs"),
        display="none",
    )


@pytest.fixture(scope="module")
def rows(logs: list[Path]) -> dict[str, list[AnswerRow]]:
    by_model = defaultdict(list)
    for row in read_answers(logs):
        by_model[row.model].append(row)
    return by_model


def informedness(rows: list[AnswerRow]) -> float:
    def said_yes(truth: bool) -> float:
        votes = [r.predicted_feasible for r in rows if r.truth_feasible is truth]
        return votes.count(True) / len(votes)

    return said_yes(True) - said_yes(False)


def test_every_baseline_answers_every_question(rows: dict[str, list[AnswerRow]]) -> None:
    assert list(rows) == MODELS
    for answers in rows.values():
        assert len(answers) == 4 * 2 * 3 * 2
        states = {row.state for row in answers}
        assert states <= {AnswerState.CORRECT, AnswerState.INCORRECT}


@pytest.mark.parametrize("form", FORMS)
def test_informedness_of_each_baseline(form: str, rows: dict[str, list[AnswerRow]]) -> None:
    score = {m: informedness([r for r in rows[m] if r.form == form]) for m in MODELS}
    assert score["pactwin/oracle"] == 1.0
    assert score["pactwin/always-no"] == score["pactwin/always-yes"] == 0.0
    assert score["pactwin/blind"] == 0.0
    assert abs(score["pactwin/random"]) < 1.0


def test_blind_answers_twins_alike(rows: dict[str, list[AnswerRow]]) -> None:
    replies = defaultdict(set)
    for row in rows["pactwin/blind"]:
        replies[row.pair_id, row.form].add(row.reply)
    assert replies
    assert all(len(said) == 1 for said in replies.values())


def test_random_draws_anew_in_every_epoch(fake_suite_path: Path, tmp_path: Path) -> None:
    (log,) = evaluate(
        fake_suite_path,
        ["pactwin/random"],
        form="yes_no",
        epochs=4,
        views="head",
        log_dir=tmp_path,
        display="none",
    )
    said: dict[str, set[bool | None]] = {}
    for row in read_answers([log]):
        said.setdefault(row.sample_id, set()).add(row.predicted_feasible)
    assert {True, False} in said.values()


def test_random_depends_on_question_view_and_seed_alone(_no_network, suite_path, rows, tmp_path):
    def said(log_dir: str, **options: object) -> dict[str, str]:
        logs = evaluate(
            suite_path,
            ["pactwin/random"],
            views="head",
            form="choice",
            log_dir=tmp_path / log_dir,
            display="none",
            **options,  # type: ignore[arg-type]
        )
        return {row.sample_id: row.reply for row in read_answers(logs)}

    one_by_one = said("slow", max_connections=1)
    before = {r.sample_id: r.reply for r in rows["pactwin/random"]}
    assert one_by_one == {sample: before[sample] for sample in one_by_one}
    assert said("other", model_args={"seed": 1}) != one_by_one


def test_oracle_outside_a_suite_does_not_answer() -> None:
    import asyncio

    with pytest.raises(InvalidInputError, match="pactwin eval"):
        asyncio.run(get_model("pactwin/oracle", memoize=False).generate("Can it be done?"))


@pytest.mark.parametrize("name", ["always-no", "blind", "random"])
def test_a_choice_that_lacks_a_cause_is_answered_by_another(name: str, suite_path: Path) -> None:
    """It does where that cause is true beside the one that is asked about."""
    suite = Suite.open(suite_path)
    asked: Any = SimpleNamespace(suite=str(suite_path), suite_hash=suite.info.content_hash)
    choices = [question for question in suite.questions() if question.form == "choice"]
    for question in choices:
        for lacking in set(question.options) - {Constraint.NONE.statement}:
            left = tuple(option for option in question.options if option != lacking)
            fewer = question.model_copy(update={"options": left})
            for seed in range(3):
                rng = np.random.default_rng(seed)
                reply = BASELINES[name]["constraint"](asked, fewer, rng)
                assert reply.partition(") ")[2] in left


NONE, FAR = Constraint.NONE, Constraint.OUT_OF_REACH
NOUNS = ("ball", "book", "bowl", "bottle", "block", "box", "lid", "cup", "plate", "tray")


def random_texts(n: int, rng: np.random.Generator) -> list[str]:
    return [" ".join(rng.choice(NOUNS, 4)) + f" {i}" for i in range(n)]


@pytest.mark.parametrize("n_pairs", [1, 2, 3, 20])
def test_twins_always_get_the_same_answer(n_pairs: int) -> None:
    rng = np.random.default_rng(n_pairs)
    texts = [t for t in random_texts(n_pairs, rng) for _ in range(2)]
    pairs = [f"p{i}" for i in range(n_pairs) for _ in range(2)]
    reasons = [(FAR, Constraint.COVERED)[i] for i in rng.integers(2, size=n_pairs)]
    truths = [truth for reason in reasons for truth in (NONE, reason)]
    guesses = text_priors(texts, pairs, truths)
    said = np.array([guesses[t][0] is NONE for t in texts])
    true = np.array([t is NONE for t in truths])
    sensitivity, false_alarms = said[true].mean(), said[~true].mean()
    assert sensitivity - false_alarms == 0.0


def test_a_leak_in_the_text_is_found_on_held_out_questions() -> None:
    rng = np.random.default_rng(0)
    texts = random_texts(60, rng)
    truths = [FAR if i % 2 else NONE for i in range(60)]
    leaky = [f"{t} {'far' if c is FAR else 'near'}" for t, c in zip(texts, truths, strict=True)]
    pairs = [f"p{i}" for i in range(60)]
    guesses = text_priors(leaky, pairs, truths)
    assert np.mean([guesses[t][0] is c for t, c in zip(leaky, truths, strict=True)]) > 0.9


def test_a_text_does_not_learn_from_its_own_copy() -> None:
    """Equal texts are one fold, so the only evidence about a text comes from other texts."""
    texts = ["far away ball"] * 10 + [f"near {n}" for n in NOUNS]
    truths = [NONE] * 10 + [FAR] * 10
    guesses = text_priors(texts, [f"p{i}" for i in range(20)], truths)
    assert guesses["far away ball"][0] is FAR
