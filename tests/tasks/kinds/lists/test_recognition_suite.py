"""What there is to see: questions made of another suite, answered from detections."""

from pathlib import Path

import numpy as np
import pytest
from commands import invoke
from fakes import FakePair, make_fake_suite
from inspect_ai.util import Store
from stand_in_detector import StandIn

from pactwin.cli.evaluate import parse_model_args
from pactwin.compare import score_kinds
from pactwin.perception import Detection, detect_suite
from pactwin.solvers.baselines.detector import detector
from pactwin.solvers.question_ref import QuestionRef
from pactwin.suite import InvalidInputError, Question, Suite, check_suite
from pactwin.suite.checking.twins import check_twins
from pactwin.tasks import ToolRow, ask_for_objects, logs_in, read_rows


def _side_by_side(pair: FakePair) -> FakePair:
    """The pair, whose first scene hides its first object from the head, half its second."""
    scene = pair.scenes[0]
    first, second = (o.name for o in scene.objects[:2])
    views = list(scene.views)
    for at, (name, pixels) in enumerate(((first, 0), (second, 100))):
        seen = views[at].visibility
        changed = {name: seen[name].model_copy(update={"pixels": pixels})}
        views[at] = views[at].model_copy(update={"visibility": seen | changed})
    scenes = (scene.model_copy(update={"views": tuple(views)}), pair.scenes[1])
    return FakePair(scenes, pair.files, pair.rejections)


def _hidden_from_all(pair: FakePair) -> FakePair:
    """The pair, of which every view half shows the first object."""
    scenes = []
    for scene in pair.scenes:
        first = scene.objects[0].name
        views = []
        for view in scene.views:
            barely = view.visibility[first].model_copy(update={"pixels": 100})
            seen = view.visibility | {first: barely}
            views.append(view.model_copy(update={"visibility": seen}))
        scenes.append(scene.model_copy(update={"views": tuple(views)}))
    return FakePair((scenes[0], scenes[1]), pair.files, pair.rejections)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_fake_suite(tmp_path_factory.mktemp("of") / "suite", n_pairs=3)


@pytest.fixture(scope="module")
def suite(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Suite:
    out = tmp_path_factory.mktemp("made") / "suite"
    invoke("make", "recognition", original, "--out", out)
    return Suite.open(out)


def test_scenes_and_pictures_are_the_same_and_all_is_sound(original: Path, suite: Suite) -> None:
    assert check_suite(suite.path) == []
    before = Suite.open(original)
    assert list(before.scenes()) == list(suite.scenes())
    for path in {view.image for scene in suite.scenes() for view in scene.views}:
        assert (suite.path / path).read_bytes() == (before.path / path).read_bytes()
    questions = list(suite.questions())
    assert {q.kind for q in questions} == {"recognition"}
    assert {q.scene_id for q in questions} == {scene.id for scene in suite.scenes()}


def test_a_view_is_asked_about_if_it_shows_things_well_or_not_at_all(original: Path) -> None:
    pair = _side_by_side(FakePair(next(Suite.open(original).pairs()), {}, {}))
    scene = pair.scenes[0]
    names = tuple(obj.name for obj in scene.objects)
    asked = {question.views: question for question in ask_for_objects(scene)}
    hidden, half, *whole = (view.camera.name for view in scene.views)
    assert asked[hidden,].accepted == names[1:]
    assert not any(half in views for views in asked)
    for views, question in asked.items():
        assert views == (hidden,) or set(views) <= set(whole)
        assert len(set(question.accepted)) == len(question.accepted)


def test_twins_that_show_other_things_are_asked_about_what_each_shows(tmp_path: Path) -> None:
    pairs = iter((_side_by_side, _hidden_from_all, lambda pair: pair))
    path = make_fake_suite(tmp_path / "of", n_pairs=3, change=lambda pair: next(pairs)(pair))
    invoke("make", "recognition", path, "--out", tmp_path / "made")
    suite = Suite.open(tmp_path / "made")
    assert suite.info.counts["pairs"] == 2  # of one nothing can be asked
    assert not [fault for fault in check_suite(suite.path) if fault.what != "visibility"]
    scene, twin = next(suite.pairs())
    mine, other = (list(ask_for_objects(one)) for one in (scene, twin))
    assert len(mine) != len(other) and list(check_twins(scene, twin, mine, other)) == []
    short = mine[0].model_copy(update={"accepted": mine[0].accepted[1:]})
    named = mine[0].model_copy(update={"views": ("roof",)})
    for wrong, message in ((short, "shows"), (named, "'roof', no view of its scene")):
        faults = list(check_twins(scene, twin, [wrong], other))
        assert faults and all(message in fault.message for fault in faults[:1])


def test_a_suite_of_which_nothing_can_be_asked_is_refused(tmp_path: Path) -> None:
    path = make_fake_suite(tmp_path / "of", n_pairs=1, change=_hidden_from_all)
    result = invoke("make", "recognition", path, "--out", tmp_path / "made", code=3)
    assert "too barely" in result.stderr and not (tmp_path / "made").exists()


class Forgetful(StandIn):
    """Leaves out the first of four objects, and sees a fifth that is nowhere."""

    def detect(self, *args: object) -> list[list[Detection]]:
        found = super().detect(*args)  # type: ignore[arg-type]
        stray = Detection(box=(0, 0, 5, 5), score=0.9, query="purple cow")
        faint = Detection(box=(0, 90, 5, 99), score=0.2, query="pink cow")
        second = found[0][1].model_copy(update={"score": 0.4, "query": "brown cow"})
        return [[*boxes[1:], stray, faint, second] for boxes in found]


def _reply(suite: Suite, question: Question, view: str, **options: str) -> str:
    asked = QuestionRef(
        suite=str(suite.path), suite_hash=suite.info.content_hash, question_id=question.id,
        view=view, store=Store(),
    )  # fmt: skip
    return detector(asked, question, np.random.default_rng(0), **options)  # type: ignore[arg-type]


def test_all_that_was_found_is_named_once_though_several_views_show_it(suite: Suite) -> None:
    whole = StandIn(suite, 0.0)
    detect_suite(suite, whole, "whole", vocabulary="suite")
    everything = {obj.name for scene in suite.scenes() for obj in scene.objects}
    assert {frozenset(queries) for queries in whole.queries} == {frozenset(everything)}
    for question in suite.questions():
        said = _reply(suite, question, "joint", detections="whole").split("\n")
        assert sorted(said) == sorted(question.accepted)


def test_detections_that_were_told_what_there_is_are_refused(suite: Suite) -> None:
    detect_suite(suite, StandIn(suite, 0.0), "told")
    with pytest.raises(InvalidInputError, match="--vocabulary suite"):
        _reply(suite, next(suite.questions()), "head", detections="told")


def test_lists_are_scored_as_sets_through_the_command(suite: Suite, tmp_path: Path) -> None:
    detect_suite(suite, Forgetful(suite, 0.0), "part", vocabulary="suite", batch=1)
    asked = ("eval", suite.path, "--model", "pactwin/detector", "--views", "head")
    options = ("-M", "detections=part", "-M", "threshold=0.3", "--log-dir", tmp_path)
    invoke(*asked, *options)
    rows = [row for row in read_rows(logs_in([tmp_path])) if isinstance(row, ToolRow)]
    assert len(rows) == 6
    scores = {s.metric: s.value for s in score_kinds(rows) if s.is_pooled}
    # Three of four things, and one that is not there; what is faint or lies over another is left.
    assert scores["recognition_precision"] == scores["recognition_recall"] == 3 / 4
    assert scores["recognition_f1"] == 3 / 4


@pytest.mark.parametrize("given", ["masks", "=true", "a b=1", "masks=[", "1=2"])
def test_a_model_argument_is_a_name_and_a_value(given: str) -> None:
    assert parse_model_args(["a=true", "b=x=y", "c=0.5"]) == {"a": True, "b": "x=y", "c": 0.5}
    with pytest.raises(InvalidInputError, match="model argument"):
        parse_model_args([given])
