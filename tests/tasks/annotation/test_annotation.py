"""People's answers: what they are shown, what comes back, how far they agree, how they score."""

import base64
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import invoke
from evaluating import evaluate
from fake_objects import CAMERAS, make_fake_objects
from fakes import make_fake_suite
from hypothesis import given
from hypothesis import strategies as st

from pactwin.solvers import PersonAnswer, consensus_of
from pactwin.suite import InvalidInputError, Question, Suite
from pactwin.tasks import ObjectRow, read_answers, read_rows
from pactwin.tasks.annotation.annotators import annotator_efforts, field_agreements, votes_on
from pactwin.tasks.annotation.project import write_projects
from pactwin.tasks.annotation.reading import read_exports

VIEW = "front+side"
Said = str | tuple[str, ...]
Answering = Callable[[Question, int], Said]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return Suite.open(make_fake_suite(tmp_path_factory.mktemp("s") / "suite", n_pairs=6, seed=4))


@pytest.fixture(scope="module")
def project(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("p") / "out"
    assert set(write_projects(suite, out, VIEW, seed=1)) == {"constraints"}
    return out / "constraints"


def tasks_of(project: Path) -> list[dict[str, Any]]:
    files = sorted(project.glob("tasks-*.json"))
    return [task for file in files for task in json.loads(file.read_text(encoding="utf-8"))]


def truth(question: Question, person: int) -> Said:
    return question.truth if question.kind != "affordance" else question.accepted[:2]


def annotated(
    project: Path, suite: Suite, path: Path, answering: Answering = truth, people: int = 1
) -> Path:
    """Label Studio's export after ``people`` have answered everything as ``answering`` says."""
    questions = {question.id: question for question in suite.questions()}
    tasks = []
    for number, task in enumerate(tasks_of(project), start=1):
        asked = {field: questions[id] for field, id in task["data"]["questions"].items()}
        annotations = [
            {
                "id": 100 * number + person,
                "completed_by": {"id": 7 + person, "email": "x@example.com"} if person else 7,
                "was_cancelled": False,
                "lead_time": 2.0 + person,
                "result": [r for f, q in asked.items() for r in result(f, answering(q, person))],
            }
            for person in range(people)
        ]
        tasks.append({"id": number, **task, "annotations": annotations, "meta": {}})
    path.write_text(json.dumps(tasks), encoding="utf-8")
    return path


def result(field: str, said: Said) -> list[dict[str, Any]]:
    """An option that was chosen, or words that were written."""
    if isinstance(said, tuple):
        texts = zip(("affordance1", "affordance3"), said, strict=False)
        return [filled(name, "textarea", "text", text) for name, text in texts]
    return [chosen(field, said)] if said else []


def chosen(field: str, answer: str) -> dict[str, Any]:
    return filled(field, "choices", "choices", answer)


def filled(field: str, kind: str, key: str, said: str) -> dict[str, Any]:
    return {"from_name": field, "to_name": "picture1", "type": kind, "value": {key: [said]}}


def test_people_see_the_pictures_and_no_truth(suite: Suite, project: Path) -> None:
    scenes = {scene.id: scene for scene in suite.scenes()}
    questions = {question.id: question for question in suite.questions()}
    tasks = tasks_of(project)
    assert tasks
    for task in tasks:
        data = task["data"]
        asked = [questions[id] for id in data["questions"].values()]
        (scene_id,) = {question.scene_id for question in asked}
        for key, camera in zip(("picture1", "picture2"), VIEW.split("+"), strict=True):
            (view,) = (v for v in scenes[scene_id].views if v.camera.name == camera)
            sent = base64.b64decode(data[key].removeprefix("data:image/png;base64,"))
            assert sent == suite.resolve(view.image).read_bytes()
        shown = {k: v for k, v in data.items() if not k.startswith("picture")}
        assert set(shown) == {"text", "suite", "view", "questions"}
        assert shown["text"] in {question.text for question in asked}
        assert not any(q.rationale in json.dumps(shown) for q in asked)


def test_each_question_that_the_view_answers_is_asked_once(suite: Suite, project: Path) -> None:
    asked = [id for task in tasks_of(project) for id in task["data"]["questions"].values()]
    expected = [
        question.id
        for question in suite.questions()
        if question.form != "open" and {"front", "side"} <= set(question.views)
    ]
    assert sorted(asked) == sorted(expected)


def test_answers_come_back_as_they_were_given(suite: Suite, project: Path, tmp_path: Path) -> None:
    answers = read_exports(suite, [annotated(project, suite, tmp_path / "e.json", people=2)])
    questions = {question.id: question for question in suite.questions()}
    assert len(answers) == 2 * sum(len(t["data"]["questions"]) for t in tasks_of(project))
    for answer in answers:
        assert answer.answer == questions[answer.question_id].truth
        assert answer.view == VIEW
    assert {answer.annotator for answer in answers} == {"a1", "a2"}
    assert {answer.seconds for answer in answers} == {2.0, 3.0}


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lambda task: task["data"].update(suite="0" * 64), "another suite"),
        (lambda task: task["data"]["questions"].update(yes_no="f" * 16), "no question"),
        (lambda task: task["data"].update(view="ceiling"), "unknown view 'ceiling'"),
        (lambda task: task["data"].update(view="joint"), "people are shown one camera"),
        (lambda task: task["annotations"].append(task["annotations"][0]), "twice"),
        (
            lambda task: task["annotations"][0]["result"].append(chosen("yes_no", "maybe")),
            "where one may be",
        ),
        (
            lambda task: task["annotations"][0].update(result=[chosen("yes_no", "<b>")]),
            "not among the options",
        ),
        (lambda task: task.pop("data"), "not a JSON export"),
        (lambda task: task["annotations"][0].update(completed_by={}), "not a JSON export"),
        (lambda task: task["annotations"][0].update(lead_time=float("inf")), "not a JSON export"),
        (
            lambda task: task["data"]["questions"].update(
                affordance=task["data"]["questions"].pop("yes_no")
            ),
            "is not asked as 'affordance'",
        ),
    ],
)
def test_a_spoilt_export_is_refused(suite, project, tmp_path, spoil, fault):
    path = annotated(project, suite, tmp_path / "e.json")
    tasks = json.loads(path.read_text(encoding="utf-8"))
    spoil(tasks[2])
    path.write_text(json.dumps(tasks), encoding="utf-8")
    with pytest.raises(InvalidInputError, match=fault) as refused:
        read_exports(suite, [path])
    assert "\n" not in str(refused.value)


def test_people_who_agree_have_kappa_one(suite: Suite, project: Path, tmp_path: Path) -> None:
    questions = {question.id: question for question in suite.questions()}

    def contrary(question: Question, person: int) -> Said:
        other = {"yes": "no", "no": "yes"}.get(question.truth, question.truth)
        return other if person == 2 else question.truth

    path = annotated(project, suite, tmp_path / "e.json", contrary, people=3)
    answers = read_exports(suite, [path])
    rows = {row.field: row for row in field_agreements(answers, questions)}
    choice, yes_no = rows["choice"], rows["yes_no"]
    assert choice.cohen == pytest.approx(1) == choice.fleiss
    assert choice.unanimous == choice.questions
    # Pairs: one agrees throughout, two disagree throughout on evenly spread answers.
    assert yes_no.cohen == pytest.approx(-1 / 3, abs=0.05)
    assert yes_no.majority == yes_no.questions
    for row in rows.values():
        assert row.unanimous + row.majority + row.split == row.questions
    assert all(
        vote.answer == questions[vote.question_id].truth for vote in votes_on(answers, questions)
    )
    for effort, seconds in zip(annotator_efforts(answers), (2.0, 3.0, 4.0), strict=True):
        assert effort.median_s == seconds
        assert effort.answered == effort.questions == 2 * effort.pages


@pytest.mark.parametrize(("wrong", "code"), [("view", 2), ("log folder", 4), ("answers folder", 2)])
def test_nothing_is_written_unless_all_of_it_can_be(wrong, code, suite, project, tmp_path):
    export, out, logs = tmp_path / "e.json", tmp_path / "out", tmp_path / "logs"
    annotated(project, suite, export)
    if wrong == "view":
        export.write_text(export.read_text().replace(f'"{VIEW}"', '"front+ceiling"'))
    elif wrong == "log folder":
        (tmp_path / "file").touch()
        logs = tmp_path / "file" / "logs"
    else:
        out.mkdir()
        (out / "answers.jsonl").write_text("of last week")
    before = sorted(tmp_path.rglob("*"))
    command = ("people", "import", suite.path, export, "--out", out)
    result = invoke(*command, "--log-dir", logs, code=code)
    assert len(result.stderr.splitlines()) == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_people_are_scored_like_models(suite: Suite, project: Path, tmp_path: Path) -> None:
    def second_declines(question: Question, person: int) -> Said:
        return "" if person == 1 else question.truth

    path = annotated(project, suite, tmp_path / "e.json", second_declines, people=3)
    answers = tmp_path / "answers.jsonl"
    found = read_exports(suite, [path])
    answers.write_text("".join(a.model_dump_json() + "\n" for a in found), encoding="utf-8")
    logs = evaluate(
        suite.path,
        ["people/majority", "people/a2"],
        log_dir=tmp_path / "logs",
        views=VIEW,
        model_args={"answers": str(answers)},
    )
    rows = [row for row in read_answers(logs) if row.form != "open"]
    majority = [row.state for row in rows if row.model == "people/majority"]
    declined = [row.state for row in rows if row.model == "people/a2"]
    assert set(majority) == {"correct"}
    assert len(majority) == len(declined) == len(found) // 3
    assert not {"correct", "incorrect"} & set(declined)


def test_properties_and_uses_come_back_and_are_scored(tmp_path: Path) -> None:
    objects = Suite.open(make_fake_objects(tmp_path / "suite", ["mug", "hammer"], CAMERAS[:3]))
    view = "+".join(CAMERAS[:2])
    assert write_projects(objects, tmp_path / "out", view, seed=0) == {"objects": 2}
    questions = {question.id: question for question in objects.questions()}
    project, path = tmp_path / "out" / "objects", tmp_path / "export.json"
    annotated(project, objects, path, people=2)
    answers = read_exports(objects, [path])
    for answer in answers:
        assert (answer.answer or answer.items) == truth(questions[answer.question_id], 0)
    saved = tmp_path / "answers.jsonl"
    saved.write_text("".join(a.model_dump_json() + "\n" for a in answers), encoding="utf-8")
    assert "example.com" not in saved.read_text(encoding="utf-8")
    logs = evaluate(
        objects.path,
        ["people/a1"],
        log_dir=tmp_path / "logs",
        views=view,
        model_args={"answers": str(saved)},
    )
    rows = [row for row in read_rows(logs) if isinstance(row, ObjectRow)]
    assert 2 * len(rows) == len(answers)
    assert {row.state for row in rows if row.kind == "property"} == {"correct"}
    assert {len(row.right) for row in rows if row.kind == "affordance"} == {2}


@given(st.lists(st.sampled_from(["Light", "Heavy", "Medium", ""]), max_size=7))
def test_a_consensus_is_what_more_than_half_say(said: list[str]) -> None:
    given_answers = [
        PersonAnswer(
            question_id="0" * 16, view="front", annotator=f"a{n}", answer=text, page="0" * 16
        )
        for n, text in enumerate(said, start=1)
    ]
    found = consensus_of(given_answers)
    answered = [text for text in said if text]
    assert sum(found.votes.values()) == len(answered)
    if found.answer:
        assert 2 * answered.count(found.answer) > len(answered)
    else:
        assert all(2 * answered.count(text) <= len(answered) for text in answered)
    assert (found.agreed == "unanimous") == (len(answered) > 1 and len(set(answered)) == 1)
    for order in itertools.islice(itertools.permutations(given_answers), 5):
        assert consensus_of(order).answer == found.answer
