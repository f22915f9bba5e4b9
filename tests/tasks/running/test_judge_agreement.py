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
from pactwin.tasks.running.use_agreement import holds_labelled_uses, read_labelled_uses

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


DATA = Path(__file__).parents[2] / "data"
USES = DATA / "use_answers.jsonl"


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
