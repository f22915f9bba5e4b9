"""Probabilities from asking to every output: planted observers behind a real server."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import invoke
from confident import FACTORS, MODELS, observers
from evaluating import evaluate
from fakes import fake_pairs, make_fake_suite, open_fake_writer
from openai_server import Reply, openai_server, sent_text
from scipy.special import logit

from pactwin.suite import (
    InvalidInputError,
    new_key,
    open_answers,
    seal_suite,
    sealed_suite_path,
)
from pactwin.tasks import AnswerState, grade_logs, make_questions, read_rows

MODEL = "openai-api/local/vlm"
ASKED = (*FACTORS, "half", "by-pair")


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A suite of 24 pairs, and the logs of observers."""
    folder = tmp_path_factory.mktemp("confidence")
    suite = make_fake_suite(folder / "suite", n_pairs=24)
    with observers(suite, unsure_within=0.1) as server:
        evaluate(
            suite,
            [
                *(MODELS[name] for name in ASKED),
                *("pactwin/always-no", "pactwin/random", "pactwin/oracle"),
            ],
            log_dir=folder / "logs", confidence=True, logprobs=True, top_logprobs=5, views="head",
        )  # fmt: skip
    assert all(body["logprobs"] and body["top_logprobs"] == 5 for body in server.requests)
    texts = {sent_text(body).rpartition("\n")[2] for body in server.requests}
    assert len(texts) == 1
    assert "Half of all situations like this one can be done" in texts.pop()
    return suite, folder / "logs"


@pytest.mark.slow
def test_what_was_planted_is_in_every_output(asked: tuple[Path, Path], tmp_path: Path) -> None:
    suite, logs = asked
    names = ("page.html", "s.json", "t.md", "t.tex", "a.csv")
    page, scores, markdown, latex, answers = (tmp_path / name for name in names)
    out = invoke(
        "compare", logs, "--suite", suite, "--out", page, "--json", scores, "--markdown", markdown,
        "--latex", latex, "--answers", answers,
    ).output  # fmt: skip
    found = {
        (s["model"].partition(" ")[0].rpartition("/")[2], s["metric"]): s["value"]
        for s in json.loads(scores.read_text())
        if (s["domain"], s["view"], s["form"]) == ("all", "all", "all")
    }
    rows = [row for row in read_rows(logs.glob("*.eval")) if "calibrated" in row.model]
    unsure = sum(row.state == AnswerState.UNSURE for row in rows)
    assert 0 < unsure < len(rows) / 2
    assert {row.state for row in rows} == {"correct", "incorrect", "unsure"}
    assert found["calibrated", "unsure"] == unsure / len(rows)
    assert found["calibrated", "coverage"] == pytest.approx(1 - unsure / len(rows))
    assert found["half", "unsure"] == 1.0
    assert found["half", "stated_brier"] == 0.25
    assert found["always-no", "stated_brier"] == 0.5
    assert found["random", "stated_brier"] == 0.25
    assert found["oracle", "stated_delta_p"] == 1.0
    assert found["by-pair", "stated_delta_p"] == 0.0
    for source in ("stated", "token"):
        within = [found[name, f"{source}_within_pairs"] for name in ("calibrated", "overconfident")]
        assert within[0] == pytest.approx(within[1]), "a monotone change keeps the order"
        assert (
            found["overconfident", f"{source}_miscalibration"]
            > found["calibrated", f"{source}_miscalibration"]
        )
    assert found["calibrated", "token_outside"] == pytest.approx(0.02)
    assert found["calibrated", "token_given"] == 1.0
    assert found["always-no", "token_given"] == 0.0
    text = page.read_text()
    assert text.count("<figcaption") >= 2 * 2 * len(ASKED)
    assert "probability, stated" in out and "unsure" in out
    assert "| Unsure |" in markdown.read_text()
    assert "Unsure" in latex.read_text()
    assert "unsure" in answers.read_text() and "token_probability" in answers.read_text()
    board = tmp_path / "board.html"
    invoke("leaderboard", logs, "--out", board)
    assert "Unsure" in board.read_text()


@pytest.mark.slow
def test_the_gate_finds_the_best_thresholds_of_true_and_untrue_probabilities(asked, tmp_path):
    """Half of the failures harm; with a harm of 1 asking is best above 0.2 and acting above 0.6."""
    suite, logs = asked
    found, page, same = (tmp_path / name for name in ("gate.json", "gate.html", "same.json"))
    out = invoke("gate", suite, logs, "--question-cost", 0.2, "--json", found, "--out", page).output
    renamed = invoke("gate", suite, logs, "--question", 0.2, "--json", same)
    assert "`--question` is now `--question-cost`" in renamed.stderr
    assert same.read_bytes() == found.read_bytes()
    assert "acting by probability, harm costs 3" in out
    assert "Acting by probability" in page.read_text()
    rows = {
        row["rule"].partition(" ")[0].rpartition("/")[2]: row
        for row in json.loads(found.read_text())
        if row["kind"] == "by probability" and "stated" in row["rule"] and row["harm_cost"] == 1.0
    }
    true = rows["calibrated"]
    assert (true["ask_above"], true["act_above"]) == pytest.approx((0.2, 0.6), abs=0.08)
    for name, factor in FACTORS.items():
        for threshold in ("ask_above", "act_above"):
            expected = factor * logit(true[threshold])
            assert logit(rows[name][threshold]) == pytest.approx(expected, rel=0.2, abs=0.1)
        assert rows[name]["recalibrated"] == pytest.approx(true["recalibrated"], abs=0.03)
    assert rows["overconfident"]["as_said"] < true["as_said"]


def test_sealed_answers_are_read_again(tmp_path: Path) -> None:
    suite = make_fake_suite(tmp_path / "suite", n_pairs=2, secret=True)
    key = new_key(tmp_path / "key")
    seal_suite(suite, tmp_path / "sealed", key)
    sealed = sealed_suite_path(tmp_path / "sealed")

    def answer(body: dict[str, Any]) -> Reply:
        return Reply("Answer: unsure\nProbability: 30 %")

    with openai_server(answer):
        (log,) = evaluate(sealed, [MODEL], log_dir=tmp_path / "logs", confidence=True, views="head")
    answers = open_answers(tmp_path / "sealed", key)
    graded = grade_logs(tmp_path / "sealed", [log], answers, tmp_path / "ledger")
    assert {(row.state, row.probability, row.confidence) for row in graded} == {  # type: ignore[attr-defined]
        (AnswerState.UNSURE, 0.3, True)
    }


def test_a_schema_carries_the_probability(fake_suite_path: Path, tmp_path: Path) -> None:
    said = iter(({"answer": "yes", "probability": 90}, {"answer": "no", "probability": 190}) * 99)
    with openai_server(lambda body: Reply(json.dumps(next(said)))) as server:
        logs = evaluate(
            fake_suite_path, [MODEL], log_dir=tmp_path, confidence=True, structured=True,
            views="head", limit=2, max_connections=1,
        )  # fmt: skip
    schema = server.requests[0]["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"]) == ["answer", "probability"]
    assert schema["properties"]["answer"]["enum"] == ["yes", "no", "unsure"]
    rows = read_rows(logs)
    assert {(row.state == "unparsed", row.probability) for row in rows} == {  # type: ignore[attr-defined]
        (False, 0.9),
        (True, None),
    }
    assert "json" in rows[0].model and "confidence" in rows[0].model


@pytest.mark.parametrize("options", [{"form": "choice"}, {"kind": "property"}])
def test_only_yes_no_questions_can_be_asked(fake_suite_path, tmp_path, options):
    with pytest.raises(InvalidInputError):
        evaluate(
            fake_suite_path, ["pactwin/always-no"], log_dir=tmp_path, confidence=True, **options
        )


def test_scenes_without_twins_have_no_base_rate(tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    (pair,) = fake_pairs(1)
    scene = pair.scenes[0].model_copy(update={"twin_id": None})
    with open_fake_writer(suite, n_pairs=1) as writer:
        files = {name: data for name, data in pair.files.items() if scene.id in name}
        writer.add([scene], files, {})
        writer.finish(lambda scenes: make_questions(scene, scene))
    with pytest.raises(InvalidInputError, match="1 scenes have no twin"):
        evaluate(suite, ["pactwin/always-no"], log_dir=tmp_path / "logs", confidence=True)
