"""Checklists, outcomes, repairs: alike for both twins, and worth nothing without the pictures."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from evaluating import evaluate
from fakes import FakePair, make_fake_suite

from pactwin.compare import Score, rankings, score, write_report
from pactwin.suite import (
    SET_FORMS,
    Check,
    Constraint,
    Edit,
    Question,
    Scene,
    Suite,
    View,
    Visibility,
    check_suite,
)
from pactwin.tasks import AnswerRow, SampleFacts, make_twin_questions, pac_constraints, read_rows

OF_SCENES = SET_FORMS[:3]
EDITS = ("the blue box were taken away", "the red block were turned over")


def tried(scene: Scene) -> Scene:
    """The scene as if every precondition, the fall and two changes had been tried."""
    verdict = scene.decided
    fails = Constraint.NONE if verdict.feasible else verdict.constraint
    checks = {
        "its_place_is_free": fails,
        "hand_gets_to: red block": Constraint.NONE,
        "sings": Constraint.NONE,
    }
    works = (verdict.feasible or scene.seed % 2 == 0, verdict.feasible)
    changed = {
        "checks": {
            name: Check(holds=c is Constraint.NONE, constraint=c, measurements={}, margin=1.0)
            for name, c in checks.items()
        },
        "moved": () if verdict.feasible else ("blue box",),
        "edits": tuple(
            Edit(text=text, objects=("blue box",), works=w)
            for text, w in zip(EDITS, works, strict=True)
        ),
    }
    return scene.model_copy(update={"verdict": verdict.model_copy(update=changed)})


def with_trials(pair: FakePair) -> FakePair:
    first, second = (tried(scene) for scene in pair.scenes)
    return FakePair((first, second), pair.files, pair.rejections)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_fake_suite(tmp_path_factory.mktemp("sets") / "suite", n_pairs=4, change=with_trials)


def asked(suite: Path) -> Iterator[tuple[Question, Question]]:
    """The questions of the set forms about both twins."""
    for pair in Suite.open(suite).pairs():
        questions = [q for q in make_twin_questions(pair) if q.form in SET_FORMS]
        half = len(questions) // 2
        yield from zip(questions[:half], questions[half:], strict=True)


def test_twins_differ_in_the_truth_alone(suite: Path) -> None:
    seen = set()
    for one, other in asked(suite):
        same = {"form", "text", "options", "objects", "views"}
        assert one.model_dump(include=same) == other.model_dump(include=same)
        assert set(one.accepted) != set(other.accepted)
        assert set(one.accepted) | set(other.accepted) <= set(one.options)
        seen.add(one.form)
    assert seen == set(OF_SCENES)
    assert check_suite(suite) == []


def test_the_truth_is_what_the_trials_found(suite: Path) -> None:
    for pair in Suite.open(suite).pairs():
        for question in make_twin_questions(pair):
            (scene,) = (s for s in pair if s.id == question.scene_id)
            feasible = scene.decided.feasible
            if question.form == "checklist":
                assert len(question.options) == 3
                assert ("The place where it goes is free." in question.accepted) == feasible
                # A precondition whose sentence nobody wrote is still asked about.
                assert "Sings." in question.accepted
                assert any("get to the red block" in text for text in question.accepted)
            elif question.form == "outcome":
                assert question.truth == ("none" if feasible else "the blue box")
                assert "lifts the red block" in question.text
            elif question.form == "repair":
                works = {edit.text for edit in scene.decided.edits if edit.works}
                assert set(question.accepted) == works


def test_a_view_shows_everything_that_is_named(suite: Path) -> None:
    pair = next(iter(Suite.open(suite).pairs()))
    (question,) = (q for q in make_twin_questions(pair)[:6] if q.form == "outcome")
    camera = question.views[0]

    def hidden(view: View) -> View:
        little = Visibility(pixels=10, fraction=0.1, box=(0, 0, 5, 2))
        seen = {**view.visibility, "blue box": little} if view.camera.name == camera else None
        return view.model_copy(update={"visibility": seen or view.visibility})

    blind = pair[1].model_copy(update={"views": tuple(map(hidden, pair[1].views))})
    questions = [q for q in make_twin_questions((pair[0], blind)) if q.form == "outcome"]
    assert len(questions) == 2
    assert all(camera not in q.views for q in questions)


@pytest.mark.slow
def test_constant_answers_score_at_chance_and_right_ones_one(suite: Path, tmp_path: Path) -> None:
    """Always all, always none, coins and the text's prior: only the truth is worth anything."""
    names = ["always-yes", "always-no", "blind", "random", "oracle"]
    logs = []
    for form in OF_SCENES:
        models = [f"pactwin/{name}" for name in names]
        logs += evaluate(suite, models, form=form, views="joint", log_dir=tmp_path / form)
    rows = [row for row in read_rows(logs) if isinstance(row, AnswerRow)]
    assert {row.form for row in rows} == set(OF_SCENES)
    scores = score(rows)

    def value(model: str, metric: str, form: str = "all") -> Score:
        (found,) = (s for s in scores if (s.model, s.metric, s.form, s.domain, s.view)
                    == (f"pactwin/{model}", metric, form, "all", "all"))  # fmt: skip
        return found

    for cell in [*map(str, OF_SCENES), "all"]:
        assert value("oracle", "set_informedness", cell).value == 1.0
        assert value("oracle", "accuracy", cell).value == 1.0
        for constant in ("always-yes", "always-no", "blind"):
            assert value(constant, "set_informedness", cell).value == 0.0
            assert value(constant, "accuracy", cell).value != 1.0
        chance = value("random", "set_informedness", cell)
        assert chance.low is not None
        assert chance.high is not None
        assert chance.low <= 0.0 <= chance.high
    # They say nothing about feasibility, and weigh nothing there.
    assert not any(s.metric in ("informedness", "informedness_strict") for s in scores)
    heads = [column.head for column in rankings(scores, brief=True)[-1].columns]
    assert [head for head in heads if "exact" not in head] == list(OF_SCENES)
    page = tmp_path / "report.html"
    write_report(rows, scores, [Suite.open(suite)], page)
    assert "Set informedness" in page.read_text()


def test_the_three_usual_forms_are_asked_unless_others_are_named(suite: Path) -> None:
    def forms(form: str = "all") -> set[str]:
        samples = pac_constraints(str(suite), form=form).dataset
        return {sample.metadata_as(SampleFacts).form for sample in samples}

    assert forms() == {"yes_no", "choice", "open"}
    assert forms("repair") == {"repair"}


def test_a_planted_truth_that_twins_share_is_a_fault(tmp_path: Path) -> None:
    """A question whose truth says other than what it accepts does not pass the check."""
    path = make_fake_suite(tmp_path / "suite", n_pairs=2, change=with_trials)
    questions = (path / "questions.jsonl").read_text()
    (path / "questions.jsonl").write_text(
        questions.replace('"truth":"the blue box"', '"truth":"the green box"')
    )
    faults = [fault for fault in check_suite(path) if fault.what == "question"]
    assert any("not what it accepts" in fault.message for fault in faults)
