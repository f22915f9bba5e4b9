"""Editions: what the project's file has, and what a scene is known by."""

import re
from pathlib import Path

import pytest
from planted_editions import NAME, pinned, planted

from pactwin.suite import (
    EditionSuite,
    InvalidInputError,
    Scene,
    Suite,
    edition_of,
    load_editions,
    require_other_seed,
    require_outside,
    scene_digest,
)

PAGE = Path(__file__).parents[2] / "docs" / "editions.md"


def test_every_edition_is_pinned_and_on_its_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    suites = [
        (name, command, s) for name, all_ in load_editions().items() for command, s in all_.items()
    ]
    assert suites
    for name, command, fixed in suites:
        assert re.fullmatch(r"[0-9a-f]{64}", fixed.content_hash), command
        assert fixed.scenes and fixed.counts["scenes"] >= len(fixed.scenes)
        assert all(re.fullmatch(r"[0-9a-f]{12}", digest) for digest in fixed.scenes)
        (row,) = [
            line for line in page.splitlines() if f"| `make {command}` |" in line and name in line
        ]
        assert f"`{fixed.content_hash}`" in row
        assert f"{fixed.counts['scenes']:,} scenes" in row
    assert len(re.findall(r"`[0-9a-f]{64}`", page)) == len(suites)


def test_a_scene_is_known_by_what_stands_where_alone(suite: Suite) -> None:
    scene = next(suite.scenes())
    thing = scene.objects[0]

    def moved(by_m: float) -> Scene:
        rows = [list(row) for row in thing.world_from_object]
        rows[0][3] += by_m
        there = thing.model_copy(update={"world_from_object": tuple(map(tuple, rows))})
        return scene.model_copy(update={"objects": (there, *scene.objects[1:])})

    other = {"id": "0" * 16, "views": (), "seed": 5, "robot": "panda", "appearance": {}}
    same = scene.model_copy(update={**other, "objects": scene.objects[::-1]})
    assert scene_digest(same) == scene_digest(scene) == scene_digest(moved(1e-9))
    assert scene_digest(moved(0.005)) != scene_digest(scene)
    alone = scene.model_copy(update={"objects": (thing,)})
    assert scene_digest(alone) != scene_digest(alone.model_copy(update={"seed": 5}))
    larger = thing.model_copy(update={"size_m": (0.9, 0.9, 0.9)})
    swapped = scene.model_copy(update={"objects": (larger, *scene.objects[1:])})
    assert scene_digest(swapped) != scene_digest(scene)


def test_scenes_and_seeds_of_an_edition_are_refused(suite: Suite, tmp_path: Path) -> None:
    scenes = list(suite.scenes())
    mine = pinned(suite, scenes=[scene_digest(scenes[3])], request={"seed": 77, "pairs": 2})
    with planted(tmp_path / "editions.yaml", constraints=mine):
        require_outside(scenes[:2], NAME)
        with pytest.raises(InvalidInputError, match=f"scene {scenes[3].id} is in edition {NAME}"):
            require_outside(scenes)
        require_other_seed({"seed": 78, "pairs": 2}, NAME)
        with pytest.raises(InvalidInputError, match="seed 77 is the edition's"):
            require_other_seed({"seed": 77, "pairs": 9}, NAME)
        with pytest.raises(InvalidInputError, match="unknown edition '2031-01'"):
            require_other_seed({"seed": 78}, "2031-01")
        assert edition_of(suite.info.content_hash) == NAME
        assert edition_of("0" * 64) == ""


def test_what_differs_from_the_edition_is_named(suite: Suite) -> None:
    scenes = list(suite.scenes())
    fixed = EditionSuite(**pinned(suite))
    assert fixed.difference(suite.info, NAME) == ""
    fixed.require_trials(scenes, NAME)
    for changes, said in (
        ({"gl_renderer": "of another driver"}, "instead of of another driver"),
        ({"packages": {**suite.info.packages, "mujoco": "0.1"}}, "instead of 0.1"),
        ({}, "another processor or code"),
    ):
        other = EditionSuite(**pinned(suite, content_hash="0" * 64, **changes))
        why = other.difference(suite.info, NAME)
        assert said in why and suite.info.content_hash[:12] in why and "0" * 12 in why
        assert "\n" not in why
    older = EditionSuite(**pinned(suite, trial_version=0))
    with pytest.raises(InvalidInputError, match="trials of version 0"):
        older.require_trials(scenes, NAME)
