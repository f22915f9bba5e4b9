"""Sealing keeps what was sealed before: nothing of another suite is mixed with it, none is lost."""

from dataclasses import replace
from pathlib import Path

import pytest
from fakes import FakePair, make_fake_suite

from pactwin.suite import (
    InvalidInputError,
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
    one, other = (make_fake_suite(tmp_path / f"s{n}", n_pairs=2, seed=n) for n in (1, 2))
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
    suite = make_fake_suite(tmp_path / "suite", n_pairs=2)
    out, key = tmp_path / "sealed", new_key(tmp_path / "key")
    seal_suite(suite, out, key)
    (out / "answers.sealed").unlink()
    info = seal_suite(suite, out, key)
    answers = open_answers(out, read_key(tmp_path / "key"))
    assert answers.content_hash == info.content_hash
    asked = load_suite(sealed_suite_path(out)).questions
    assert {answer.question_id for answer in answers.answers} == set(asked)


def test_a_suite_is_not_sealed_into_itself(tmp_path: Path) -> None:
    suite = make_fake_suite(tmp_path / "suite", n_pairs=1)
    before = everything(suite)
    with pytest.raises(InvalidInputError, match="lies in the suite"):
        seal_suite(suite, suite / "views" / "sealed", new_key(tmp_path / "key"))
    assert everything(suite) == before


def test_what_scenes_are_made_of_is_not_sealed_with_them(tmp_path: Path) -> None:
    """A layout tells the answer: who has it can carry the action out."""
    told = "bGF5b3V0IHRoYXQgdGVsbHM="

    def with_layouts(pair: FakePair) -> FakePair:
        one, other = (s.model_copy(update={"layout": told}) for s in pair.scenes)
        return replace(pair, scenes=(one, other))

    suite = make_fake_suite(tmp_path / "suite", n_pairs=1, change=with_layouts)
    assert told.encode() in (suite / "scenes.jsonl").read_bytes()
    seal_suite(suite, tmp_path / "sealed", new_key(tmp_path / "key"))
    sealed = everything(sealed_suite_path(tmp_path / "sealed"))
    assert sealed
    assert not any(told.encode() in content for content in sealed.values())
