"""Open answers labelled by hand: how well they are read, by us and by a judge."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import invoke
from hypothesis import given
from hypothesis import strategies as st
from openai_server import Reply, openai_server, sent_text

from pactwin.solvers import strip_reasoning
from pactwin.suite import SCENE_CONSTRAINTS, EnvironmentFaultError, InvalidInputError
from pactwin.tasks.core.judge import UNCLEAR
from pactwin.tasks.running.judge_agreement import (
    LabelledAnswer,
    agreement,
    measure_agreement,
    own_readings,
    read_labelled,
)

LABELS = Path(__file__).parents[2] / "data" / "open_answers.jsonl"
JUDGE = "openai-api/local/referee"
READINGS = [*(constraint.value for constraint in SCENE_CONSTRAINTS), UNCLEAR]


@pytest.fixture(scope="module")
def answers() -> list[LabelledAnswer]:
    return read_labelled(LABELS)


UNREAD_STYLES = {
    *("german", "french", "spanish", "italian", "portuguese", "russian"),
    *("chinese", "japanese", "korean", "arabic", "hindi"),
}
UNREAD = (
    "No. Looking at the picture, the red ball appears",
    "No. The red block is underneath",
    "No. For the mug to stay where it is put",
    "No, you can't balance a mug",
    "No. Only if the screen were removed",
    "No. The tray is too long for one hand",
    "No. The tray's centre of mass",
)


def test_what_is_unread_is_known(answers: list[LabelledAnswer]) -> None:
    """Every English answer but these is read: each expression that reads one is needed."""
    missed = [
        answer.answer
        for answer, reading in zip(answers, own_readings(answers), strict=True)
        if reading != str(answer.label) and answer.style not in UNREAD_STYLES
    ]
    assert [answer for answer in missed if not answer.startswith(UNREAD)] == []


readings = st.lists(st.tuples(st.sampled_from(READINGS), st.sampled_from([*READINGS, None])))


def labelled(label: str) -> LabelledAnswer:
    fields = {"action": "Do.", "objects": ["it"], "truth": "none", "answer": "", "style": ""}
    return LabelledAnswer.model_validate(fields | {"label": label})


@given(readings)
def test_agreement_counts(pairs: list[tuple[str, str | None]]) -> None:
    said = [reading for _, reading in pairs]
    found = agreement("any", pairs)
    assert found.n + found.failed == len(pairs)
    assert found.failed == said.count(None)
    right = sum(label == reading for label, reading in pairs)
    assert found.accuracy == (right / found.n if found.n else 0)
    assert found.misread <= found.definite <= found.n
    if found.kappa is not None:
        assert found.kappa <= found.accuracy + 1e-9, "chance is taken off"


@given(st.lists(st.sampled_from(READINGS), min_size=2).filter(lambda x: len(set(x)) > 1))
def test_perfect_and_constant_readers(labels: list[str]) -> None:
    perfect = agreement("perfect", zip(labels, labels, strict=True))
    assert (perfect.accuracy, perfect.kappa, perfect.misread) == (1.0, 1.0, 0)
    constant = agreement("constant", [(label, labels[0]) for label in labels])
    assert constant.kappa == pytest.approx(0.0)
    same = agreement("same", [(labels[0], labels[0])] * 3)
    assert (same.accuracy, same.kappa) == (1.0, None)


class Judge:
    """A judge that reads as the labels say, except for the answers ``broken``."""

    def __init__(self, answers: list[LabelledAnswer], broken: list[LabelledAnswer]) -> None:
        self.labels = {self.quoted(answer): str(answer.label) for answer in answers}
        self.broken = {self.quoted(answer) for answer in broken}

    def __call__(self, body: dict[str, Any]) -> Reply:
        material = sent_text(body)
        quoted = material[material.index('\n "answer": ') + 12 : material.index("\n}\n")]
        if quoted in self.broken:
            return Reply("It is correct.")
        return Reply(json.dumps({"says": self.labels[quoted]}))

    @staticmethod
    def quoted(answer: LabelledAnswer) -> str:
        return json.dumps(strip_reasoning(answer.answer), ensure_ascii=False)


def test_a_judge_is_compared_with_the_labels_and_its_failures_count_apart(answers, tmp_path):
    read = [a for a, r in zip(answers, own_readings(answers), strict=True) if r != UNCLEAR][:20]
    unread = [a for a, r in zip(answers, own_readings(answers), strict=True) if r == UNCLEAR][-10:]
    answers = read + unread
    labels, table = tmp_path / "labels.jsonl", tmp_path / "agreement.json"
    labels.write_text("\n".join(answer.model_dump_json() for answer in answers))
    logs = tmp_path / "logs"
    command = ["people", "agreement", str(labels), "--judge", JUDGE, "--json", str(table)]
    with openai_server(Judge(answers, read[:3] + unread[:2])) as server:
        result = invoke(*command, "--log-dir", logs)
    own, judge, both = json.loads(table.read_text())
    assert len(server.requests) == len(answers)
    assert own["failed"] == 0
    assert (judge["reader"], judge["accuracy"], judge["kappa"]) == (JUDGE, 1.0, 1.0)
    assert (judge["n"], judge["failed"]) == (25, 5)
    assert own["accuracy"] < both["accuracy"]
    assert (both["n"], both["failed"]) == (28, 2), "it is asked only where we read nothing"
    assert len(list(logs.glob("*.eval"))) == 1
    assert "kappa" in result.stdout


def test_a_judge_that_never_works_is_no_result(tmp_path: Path) -> None:
    labels = tmp_path / "labels.jsonl"
    labels.write_text(labelled("none").model_dump_json(), encoding="utf-8")
    failed = pytest.raises(EnvironmentFaultError, match=r"referee failed each time: .*BadReq")
    with openai_server(lambda body: Reply(status=400)), failed:
        measure_agreement(labels, JUDGE, log_dir=tmp_path / "logs", display="none")


def test_without_a_judge_nothing_is_asked(tmp_path: Path) -> None:
    (found,) = measure_agreement(LABELS, log_dir=tmp_path)
    assert found.reader.startswith("parser")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no labelled answers"),
        ('{"action": "Do."}', "line 1: objects"),
        (labelled("none").model_dump_json() + "\nhello", "line 2"),
        (labelled("none").model_dump_json().replace('"label":"none"', '"label":"maybe"'), "label"),
    ],
)
def test_a_bad_file_is_one_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInputError, match=message) as error:
        read_labelled(path)
    assert "\n" not in str(error.value)
    result = invoke("people", "agreement", path, code=2)
    assert result.stderr.count("\n") == 1
