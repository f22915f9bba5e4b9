"""``pactwin make ladders``: steps that differ in one quantity, the same for any workers."""

import numpy as np
import pytest
from commands import invoke
from making import made_suite

from pactwin.sim import quantity_names, retry_trials
from pactwin.suite import Scene, Suite, check_suite, load_image, load_mask

pytestmark = pytest.mark.slow

OPTIONS = ("--seed=2", "--ladders=2", "--steps=7", "--size=320x240", "--cameras=head,side")
QUANTITIES = "--quantities=clearance,overhang"
# Shadows and light that is thrown back reach a little beyond what is stepped.
NEAR_PX = 40


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """Two ladders of seven steps."""
    folder = tmp_path_factory.mktemp("ladders")
    return Suite.open(made_suite(folder, "ladders", *OPTIONS, QUANTITIES))


def ladders(suite: Suite) -> list[list[Scene]]:
    """The steps of each ladder, from below the limit to above it."""
    found: dict[str, list[Scene]] = {}
    for scene in suite.scenes():
        assert scene.step is not None
        found.setdefault(scene.step.ladder, []).append(scene)
    return [sorted(steps, key=lambda s: s.step.x if s.step else 0.0) for steps in found.values()]


def test_ladders_are_without_faults_and_labelled_by_their_distance(suite: Suite) -> None:
    assert suite.info.counts["ladders"] == 2
    truths = {question.scene_id: question.truth for question in suite.questions()}
    for steps in ladders(suite):
        x = [scene.step.x for scene in steps if scene.step]
        said = [truths[scene.id] for scene in steps]
        assert len(x) == 7 and said[0] == "no" and said[-1] == "yes"
        for far, truth in zip(x, said, strict=True):
            assert truth in ("undecided", "yes" if far > 0.0 else "no")


def test_what_is_to_be_seen_on_ladders_can_be_asked(suite: Suite) -> None:
    out = suite.path.parent / "recognition"
    invoke("make", "recognition", suite.path, "--out", out)
    assert check_suite(out) == []
    asked = Suite.open(out)
    of_questions = {question.scene_id for question in asked.questions()}
    assert {q.kind for q in asked.questions()} == {"recognition"}
    # Whole ladders: of each a step is asked about, and no step is missing.
    assert all(of_questions & {step.id for step in steps} for steps in ladders(asked))
    assert all(steps in ladders(suite) for steps in ladders(asked))


def test_pictures_differ_nowhere_but_at_what_decides(suite: Suite) -> None:
    for steps in ladders(suite):
        deciding = steps[0].decided.objects
        for views in zip(*(scene.views for scene in steps), strict=True):
            images = [load_image(suite, view).astype(int) for view in views]
            near = np.zeros(images[0].shape[:2], bool)
            for scene, view in zip(steps, views, strict=True):
                ids = [o.instance_id for o in scene.objects if o.name in deciding]
                rows, columns = np.nonzero(np.isin(load_mask(suite, view), ids))
                near[
                    max(rows.min() - NEAR_PX, 0) : rows.max() + NEAR_PX,
                    max(columns.min() - NEAR_PX, 0) : columns.max() + NEAR_PX,
                ] = True
            assert any((image != images[0]).any() for image in images[1:])
            for image in images[1:]:
                assert np.abs(image - images[0])[~near].max(initial=0) == 0


def test_a_retrial_agrees_and_finds_a_label_of_another_step(suite, monkeypatch):
    for steps in ladders(suite):
        at_limit = next(scene for scene in steps if scene.verdict is None)
        wrong = steps[0].model_copy(update={"verdict": steps[-1].verdict})
        tried = iter([wrong, at_limit, steps[0], steps[-1]])
        monkeypatch.setattr(Suite, "scenes", lambda _, tried=tried: tried)
        assert [retrial.agrees for retrial in retry_trials(suite, seed=5)] == [False, True, True]


@pytest.mark.parametrize(
    ("option", "known"),
    [
        ("--quantities=levity", ", ".join(quantity_names())),
        ("--steps=5", "7"),
        ("--size=9x9", "160"),
    ],
)
def test_a_wrong_option_is_named_with_what_is_allowed(tmp_path, option, known):
    result = invoke("make", "ladders", "--out", tmp_path / "s", *OPTIONS, option, code=2)
    assert known in result.stderr
