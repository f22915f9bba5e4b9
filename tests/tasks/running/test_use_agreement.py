"""How a judge of uses agrees with marks given by hand: figures by hand, and labels kept from it."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import invoke
from openai_server import Reply, openai_server, sent_text

from pactwin.suite import InvalidInputError
from pactwin.tasks.running.use_agreement import holds_labelled_uses, read_labelled_uses

DATA = Path(__file__).parents[2] / "data"
USES = DATA / "use_answers.jsonl"
JUDGE = "openai-api/local/referee"


def test_agreement_is_told_mark_by_mark(tmp_path: Path) -> None:
    """A judge that is right but in one mark, mistakes one error, and once says nothing."""
    labelled = read_labelled_uses(USES)
    assert len(labelled) == 12

    def answer(body: dict[str, Any]) -> Reply:
        text = sent_text(body)
        (at,) = [k for k, one in enumerate(labelled) if json.dumps(one.use) in text]
        label = labelled[at].label
        assert '"label"' not in text and label.model_dump_json() not in text
        marks: dict[str, Any] = dict(label.grades)
        if label.error:
            marks |= {"error": label.error, "errors": list(label.errors)}
        if at == 0:
            marks["use"] = 1
        if at == 3:
            marks["error"] = "B2"
        return Reply("I'd say fine." if at == 11 else json.dumps(marks))

    with openai_server(answer):
        out = tmp_path / "agreement.json"
        options = ["--judge", JUDGE, "--log-dir", str(tmp_path / "logs"), "--json", str(out)]
        invoke("people", "agreement", USES, *options)
    found = {row["reader"].rpartition(": ")[2]: row for row in json.loads(out.read_text())}
    assert set(found) == {*["grounding", "feasibility", "use", "environment", "recipient", "error"]}
    for name, (n, failed, misread) in {
        "grounding": (11, 1, 0), "feasibility": (11, 1, 0), "use": (6, 0, 1), "error": (5, 1, 1)
    }.items():  # fmt: skip
        row = found[name]
        assert (row["n"], row["failed"], row["misread"]) == (n, failed, misread)
        assert row["accuracy"] == pytest.approx(1 - misread / n)
    assert found["grounding"]["kappa"] == 1.0
    # Of the six right choices, in the order of the file.
    assert found["use"]["kappa"] == pytest.approx(by_hand([2, 0, 1, 2, 2, 2], [1, 0, 1, 2, 2, 2]))


def by_hand(labels: list[int], said: list[int]) -> float:
    """One less the mean distance over that of all pairs."""
    mean = sum(abs(a - b) for a, b in zip(labels, said, strict=True)) / len(labels)
    chance = sum(abs(a - b) for a in labels for b in said) / len(labels) ** 2
    return 1 - mean / chance


def test_files_are_told_apart_and_bad_labels_named(tmp_path: Path) -> None:
    assert holds_labelled_uses(USES) and not holds_labelled_uses(DATA / "open_answers.jsonl")
    line = json.loads(USES.read_text().splitlines()[0])
    line["label"]["grades"].pop("use")
    (tmp_path / "bad.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(InvalidInputError, match="line 1"):
        read_labelled_uses(tmp_path / "bad.jsonl")
    result = invoke("people", "agreement", USES, code=2)
    assert "--judge" in result.output
