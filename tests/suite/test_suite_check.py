"""A sound suite has no faults; each planted fault is found and named."""

import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fakes import FakePair, make_fake_suite, rewrite
from PIL import Image

from pactwin.suite import Fault, Question, Scene, answerable_views, check_suite


def build(path: Path, change: Callable[[FakePair], FakePair], n_pairs: int = 2) -> Path:
    return make_fake_suite(path, n_pairs=n_pairs, cameras=("side", "head"), change=change)


def second_changed(**changes: object) -> Callable[[FakePair], FakePair]:
    """Change the second scene of each pair."""
    return lambda pair: replace(
        pair, scenes=(pair.scenes[0], pair.scenes[1].model_copy(update=changes))
    )


def second_verdict_changed(**changes: object) -> Callable[[FakePair], FakePair]:
    def change(pair: FakePair) -> FakePair:
        verdict = pair.scenes[1].decided.model_copy(update=changes)
        return second_changed(verdict=verdict)(pair)

    return change


def views_changed(edit: Callable[[dict], None]) -> Callable[[FakePair], FakePair]:
    """Edit the JSON of the first view of the second scene of each pair."""

    def change(pair: FakePair) -> FakePair:
        record = json.loads(pair.scenes[1].model_dump_json())
        edit(record["views"][0])
        scene = Scene.model_validate_json(json.dumps(record))
        return replace(pair, scenes=(pair.scenes[0], scene))

    return change


def pictures_changed(
    kind: str, edit: Callable[[np.ndarray], np.ndarray]
) -> Callable[[FakePair], FakePair]:
    """Redraw one picture of the second scene of each pair."""

    def change(pair: FakePair) -> FakePair:
        path = getattr(pair.scenes[1].views[0], kind)
        array = edit(np.array(Image.open(io.BytesIO(pair.files[path]))))
        buffer = io.BytesIO()
        Image.fromarray(array).save(buffer, format="PNG")
        return replace(pair, files={**pair.files, path: buffer.getvalue()})

    return change


def found(faults: list[Fault], what: str, message: str) -> bool:
    return any(
        fault.what == what and message in f"{fault.where} {fault.message}" for fault in faults
    )


def test_a_sound_suite_has_no_faults(fake_suite_path):
    steps = []
    assert check_suite(fake_suite_path, lambda *step: steps.append(step)) == []
    assert {name for name, _, _ in steps} == {"files", "scenes"}
    assert all(done <= total for _, done, total in steps)


def move_target(view: dict) -> None:
    view["visibility"]["red block"]["box"][0] += 1


def more_pixels(view: dict) -> None:
    view["visibility"]["red block"]["pixels"] += 5


def no_pixels(view: dict) -> None:
    view["visibility"]["red block"] = {"pixels": 0, "fraction": 0.5, "box": None}


def wider(view: dict) -> None:
    view["camera"]["width_px"] += 1


def paint_stranger(mask: np.ndarray) -> np.ndarray:
    mask = mask.copy()
    mask[0, 0] = 77
    return mask


def hide_target(mask: np.ndarray) -> np.ndarray:
    return np.where(mask == 1, 0, mask).astype(np.uint16)


@pytest.mark.parametrize(
    ("change", "what", "message"),
    [
        (second_changed(domain="stability"), "twins", "differ in domain"),
        (second_changed(seed=1), "twins", "differ in seed"),
        (second_changed(robot="panda"), "twins", "differ in robot"),
        (second_changed(appearance={"light": 0.0}), "twins", "differ in appearance"),
        (second_verdict_changed(action="Wave."), "twins", "differ in verdict.action"),
        (second_verdict_changed(objects=("red block",)), "twins", "differ in verdict.objects"),
        (second_verdict_changed(trial_version=2), "twins", "differ in verdict.trial_version"),
        (second_verdict_changed(action="Wave."), "question", "differ in text"),
        (views_changed(move_target), "visibility", "is bounded by"),
        (views_changed(more_pixels), "visibility", "the record says"),
        (views_changed(wider), "picture", "128x96 px, its camera 129x96 px"),
        (views_changed(wider), "twins", "differ in cameras"),
        (pictures_changed("mask", paint_stranger), "visibility", "instance 77"),
        (pictures_changed("mask", hide_target), "visibility", "has 0 px in the mask"),
        (pictures_changed("image", lambda a: a[:-1]), "picture", "128x95 px"),
        (pictures_changed("image", lambda a: a[..., 0]), "picture", "mode L"),
        (pictures_changed("depth", lambda a: (a // 256).astype(np.uint8)), "picture", "mode L"),
    ],
)
def test_faulty_pairs(tmp_path, change, what, message):
    faults = check_suite(build(tmp_path / "s", change))
    assert found(faults, what, message), faults
    assert len({fault.where for fault in faults if fault.what == what}) >= 2  # one for each pair


def test_a_visible_fraction_of_nothing(tmp_path):
    hidden = pictures_changed("mask", hide_target)
    told = views_changed(no_pixels)
    faults = check_suite(build(tmp_path / "s", lambda pair: told(hidden(pair))))
    assert found(faults, "visibility", "no pixel but the visible fraction 0.5")


def test_twins_of_one_verdict(tmp_path):
    def change(pair: FakePair) -> FakePair:
        verdict = pair.scenes[0].verdict
        return second_changed(verdict=verdict)(pair)

    faults = check_suite(build(tmp_path / "s", change))
    assert found(faults, "twins", "both are")
    assert found(faults, "question", "have the same truth")


def lines_of(path: Path, name: str) -> list[bytes]:
    return (path / name).read_bytes().splitlines(keepends=True)


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    return build(tmp_path / "s", lambda pair: pair, n_pairs=3)


def test_a_lost_twin(sound):
    rewrite(sound, "scenes.jsonl", b"".join(lines_of(sound, "scenes.jsonl")[1:]))
    faults = check_suite(sound)
    assert found(faults, "twins", "has no twin")
    assert found(faults, "counts", "says 6 scenes, there are 5")
    assert found(faults, "question", "no scene")
    assert found(faults, "hash", "content_hash does not fit")


def test_twins_apart(sound):
    one, two, three, four, *rest = lines_of(sound, "scenes.jsonl")
    rewrite(sound, "scenes.jsonl", b"".join([one, three, two, four, *rest]))
    faults = check_suite(sound)
    assert found(faults, "twins", "does not stand beside its twin")
    assert not found(faults, "twins", "has no twin")


def edit_question(sound: Path, number: int, **changes: object) -> Question:
    lines = lines_of(sound, "questions.jsonl")
    question = Question.model_validate_json(lines[number])
    changed = question.model_copy(update=changes)
    lines[number] = changed.model_dump_json().encode() + b"\n"
    rewrite(sound, "questions.jsonl", b"".join(lines))
    return question


@pytest.mark.parametrize(
    ("number", "changes", "message"),
    [
        (0, {"views": ("side",)}, "is asked of views ['side']"),
        (0, {"text": "Can it be done from the bottom of the stack?"}, "differ in text"),
        (1, {"options": ("a", "b"), "truth": "a"}, "differ in options"),
        (1, {"truth": "The moon is full."}, "not one of its options"),
        (0, {"truth": "maybe"}, "neither 'yes' nor 'no'"),
        (0, {"objects": ("green elephant",)}, "not an object of scene"),
        (0, {"scene_id": "0" * 16}, "no scene"),
        (0, {"scene_id": "0" * 16}, "not asked the same number"),
    ],
)
def test_faulty_questions(sound, number, changes, message):
    edit_question(sound, number, **changes)
    assert found(check_suite(sound), "question", message)


def test_a_truth_that_contradicts_the_verdict(sound):
    truth = json.loads(lines_of(sound, "questions.jsonl")[0])["truth"]
    edit_question(sound, 0, truth="no" if truth == "yes" else "yes")
    faults = check_suite(sound)
    assert found(faults, "question", "contradicts the verdict")
    assert found(faults, "question", "have the same truth")


def test_files(sound):
    view = Scene.model_validate_json(lines_of(sound, "scenes.jsonl")[0]).views[0]
    (sound / view.depth).unlink()
    (sound / view.image).write_bytes((sound / view.image).read_bytes() + b" ")
    (sound / "views" / "notes.txt").write_text("stray")
    (sound / "views" / "link").symlink_to("/")
    faults = check_suite(sound)
    assert found(faults, "file", f"{view.depth} is missing")
    assert found(faults, "hash", f"{view.image} was changed")
    assert found(faults, "file", "views/notes.txt is not among the files")
    assert found(faults, "file", "views/link is not among the files")


def test_order_that_tells(tmp_path):
    def infeasible_first(pair: FakePair) -> FakePair:
        first, second = sorted(pair.scenes, key=lambda scene: scene.decided.feasible)
        return replace(pair, scenes=(first, second))

    faults = check_suite(build(tmp_path / "s", infeasible_first, n_pairs=16))
    assert found(faults, "order", "comes first in the file in 16 of 16 pairs")
    assert len(faults) == 1


def seen(name: str, pixels: int, fraction: float) -> dict:
    return {"visibility": {name: {"pixels": pixels, "fraction": fraction}}}


def plain(pixels: int, contrast: float) -> dict:
    return {"regions": {"base of the lid": {"pixels": pixels, "contrast": contrast}}}


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize(
    ("told", "answerable"),
    [
        (seen("red block", 600, 0.30), True),
        (seen("red block", 599, 0.30), False),
        (seen("red block", 600, 0.29), False),
        (seen("blue box", 599, 1.0), False),
        (plain(24, 8.0), True),
        (plain(23, 200.0), False),
        (plain(900, 7.9), False),
    ],
)
def test_what_is_not_plain_in_one_twin_rules_the_view_out_for_both(
    fake_suite_path, which, told, answerable
):
    """A deciding object below the floor, or an edge that is hidden or has no contrast."""
    scenes = [
        Scene.model_validate_json(line) for line in lines_of(fake_suite_path, "scenes.jsonl")[:2]
    ]
    front = scenes[0].views[0].camera.name
    assert front in answerable_views(scenes[0], scenes[1])
    record = json.loads(scenes[which].model_dump_json())
    for key, values in told.items():
        place = record["views"][0].setdefault(key, {})
        for name, value in values.items():
            place[name] = place.get(name, {}) | value
    scenes[which] = Scene.model_validate_json(json.dumps(record))
    views = answerable_views(scenes[0], scenes[1])
    assert (front in views) == answerable
    assert set(views) == set(answerable_views(scenes[1], scenes[0]))
