"""Sealing keeps what was sealed before: nothing of another suite is mixed with it, none is lost."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fakes import FakePair, make_fake_suite
from PIL import Image

from pactwin.suite import (
    InvalidInputError,
    Scene,
    SuiteError,
    load_suite,
    new_key,
    open_answers,
    read_key,
    seal_suite,
    sealed_suite_path,
)


def everything(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_a_folder_that_holds_a_sealed_suite_keeps_it(tmp_path: Path) -> None:
    """Else the answers of one suite stand beside the questions of another, and are lost."""
    one, other = (
        make_fake_suite(tmp_path / f"s{n}", n_pairs=2, seed=n, secret=True) for n in (1, 2)
    )
    out, key = tmp_path / "sealed", new_key(tmp_path / "key")
    seal_suite(one, out, key)
    before = everything(out)
    with pytest.raises(SuiteError, match="holds another suite, or one sealed with another key"):
        seal_suite(other, out, key)
    with pytest.raises(SuiteError, match="holds another suite, or one sealed with another key"):
        seal_suite(one, out, new_key(tmp_path / "key2"))
    assert everything(out) == before
    (out / "thesis.txt").write_text("mine")
    with pytest.raises(SuiteError, match=r"holds something else \(thesis.txt\)"):
        seal_suite(one, out, key)


def test_sealing_goes_on_after_a_kill_between_its_parts(tmp_path: Path) -> None:
    suite = make_fake_suite(tmp_path / "suite", n_pairs=2, secret=True)
    out, key = tmp_path / "sealed", new_key(tmp_path / "key")
    seal_suite(suite, out, key)
    (out / "answers.sealed").unlink()
    info = seal_suite(suite, out, key)
    answers = open_answers(out, read_key(tmp_path / "key"))
    assert answers.content_hash == info.content_hash
    asked = load_suite(sealed_suite_path(out)).questions
    assert {question.id for question in answers.questions} == set(asked)


def test_what_is_sealed_is_not_sealed_again(tmp_path: Path) -> None:
    """Its truths tell nothing: contestants would be graded against them."""
    suite, key = (
        make_fake_suite(tmp_path / "suite", n_pairs=1, secret=True),
        new_key(tmp_path / "k"),
    )
    seal_suite(suite, tmp_path / "one", key)
    with pytest.raises(InvalidInputError, match="is sealed"):
        seal_suite(sealed_suite_path(tmp_path / "one"), tmp_path / "two", key)


def test_a_pipe_is_neither_a_key_nor_an_answer(tmp_path: Path) -> None:
    """It would be waited for without end, and a device would fill the memory."""
    for name in ("key", "answers.sealed"):
        os.mkfifo(tmp_path / name)
    with pytest.raises(
        InvalidInputError, match="key: cannot read a key there: it is not a regular"
    ):
        read_key(tmp_path / "key")
    with pytest.raises(InvalidInputError, match=r"answers\.sealed: no sealed answers there: it is"):
        open_answers(tmp_path, bytes(32))


@pytest.mark.parametrize(("seed", "took"), [(3, "40 seconds"), (2**40, "about 348,414 years")])
def test_a_seed_that_can_be_guessed_is_refused_with_what_it_takes(seed, took, tmp_path):
    """Whoever makes suites of small seeds and compares pictures has every verdict."""
    suite = make_fake_suite(tmp_path / "suite", n_pairs=1, seed=seed)
    key = new_key(tmp_path / "key")
    with pytest.raises(InvalidInputError, match=rf"seed {seed}: .*{took} .*--secret-seed") as error:
        seal_suite(suite, tmp_path / "sealed", key)
    assert f"after {seed + 1:,} of them" in str(error.value)
    assert not (tmp_path / "sealed").exists()
    seal_suite(make_fake_suite(tmp_path / "128", n_pairs=1, seed=2**127), tmp_path / "s", key)


def pixels(path: Path) -> np.ndarray:
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"), int)


def test_pictures_made_again_do_not_equal_those_that_were_sealed(tmp_path: Path) -> None:
    """Neither in bytes nor in pixels, and no two by the same noise; all by one grey level."""
    suite = make_fake_suite(tmp_path / "suite", n_pairs=1, secret=True)
    keys = [new_key(tmp_path / f"key{n}") for n in (1, 2)]
    sealed = []
    for n, key in enumerate(keys):
        info = seal_suite(suite, tmp_path / f"sealed{n}", key)
        folder = sealed_suite_path(tmp_path / f"sealed{n}")
        names = sorted(name for name in info.files if name.endswith(".png"))
        sealed.append([pixels(folder / name) for name in names])
    made = [pixels(path) for path in suite.glob("views/*/*.png") if path.stem.isalpha()]
    assert len(made) == len(sealed[0]) == 8
    noises = []
    for mine in sealed:
        for picture in mine:
            far = [np.abs(picture - other).max() for other in made]
            assert min(far) == 1 and sorted(far)[1] > 1, "one picture, by one grey level"
            noises.append(picture - made[far.index(1)])
    assert len({noise.tobytes() for noise in noises}) == 16
    for noise in noises:
        assert abs(noise.mean()) < 0.02
        assert 0.6 < np.abs(noise).mean() < 0.73


def test_contestants_get_what_is_on_the_list_and_nothing_beside(tmp_path: Path) -> None:
    """Whatever else a suite comes to hold, none of it goes out with what is sealed."""
    planted = "planted-truth"

    def tell_everywhere(pair: FakePair) -> FakePair:
        scenes = []
        for scene in pair.scenes:
            objects = tuple(
                o.model_copy(update={"asset": planted, "category": planted, "material": planted})
                for o in scene.objects
            )
            views = tuple(v.model_copy(update={"origin": planted}) for v in scene.views)
            verdict = scene.decided.model_copy(update={"trial": planted})
            told = {"objects": objects, "views": views, "verdict": verdict, "layout": planted}
            told |= {"appearance": {"room": planted}, "domain": planted}
            scenes.append(scene.model_copy(update=told))
        return replace(pair, scenes=(scenes[0], scenes[1]))

    suite = make_fake_suite(tmp_path / "suite", n_pairs=2, change=tell_everywhere, secret=True)
    (suite / "notes").mkdir()
    (suite / "notes" / "answers.txt").write_text(planted)
    out, key = tmp_path / "sealed", new_key(tmp_path / "key")
    info = seal_suite(suite, out, key)
    folder = sealed_suite_path(out)
    found = everything(folder)
    assert not any(planted.encode() in name.encode() + data for name, data in found.items())
    pictures = {
        f"views/{s.id}/{v.camera.name}.png"
        for s in load_suite(folder).scenes.values()
        for v in s.views
    }
    listed = {"suite.json", "scenes.jsonl", "questions.jsonl", *pictures}
    assert {str(Path(name).relative_to(folder)) for name in found} == listed
    assert set(info.files) == listed - {"suite.json"}
    assert info.request.keys() == {"sealed", "origin", "seed_commitment"}
    default = {name: field.default for name, field in Scene.model_fields.items()}
    for scene in load_suite(folder).scenes.values():
        told = {n for n in Scene.model_fields if getattr(scene, n) != default[n]}
        assert told == {"id", "domain", "source", "seed", "robot", "objects", "views"}
        assert {v.depth or v.mask or v.origin for v in scene.views} == {""}
    (folder / "layouts.jsonl").write_text(planted)
    with pytest.raises(SuiteError, match=r"layouts\.jsonl is no part of the suite"):
        seal_suite(suite, out, key)
