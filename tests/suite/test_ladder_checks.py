"""What is wrong with a ladder is found, and what gives its steps away beside the quantity."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pactwin.suite import Suite, SuiteWriter, check_leaks, check_suite, opaque_id
from pactwin.suite.checking import leaks
from pactwin.suite.records import LadderStep, ObjectRecord, Scene
from pactwin.suite.taxonomy import Constraint
from pactwin.suite.verdicts import Perturbations, Verdict
from pactwin.tasks import make_ladder_questions

STEPS = (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0)
Change = Callable[[list[Scene]], list[Scene]]


def thing(number: int, name: str, x_m: float) -> ObjectRecord:
    pose = np.eye(4)
    pose[0, 3] = x_m
    return ObjectRecord.model_validate(
        {
            "name": name,
            "category": name.split()[-1],
            "world_from_object": pose.tolist(),
            "size_m": (0.05, 0.05, 0.05),
            "mass_kg": 0.1,
            "color": name.split()[0],
            "material": "wood",
            "asset": "builtin",
            "state": "upright",
            "instance_id": number,
        }
    )


def ladder(rng: np.random.Generator) -> list[Scene]:
    """The steps of a ladder in drawn order: a cup that is wider and wider, and a ball about."""
    name, aside = rng.bytes(8).hex(), float(rng.uniform(0.1, 0.3))
    scenes = []
    for x in STEPS:
        cup = thing(1, "red cup", 0.2)
        wide = cup.model_copy(update={"size_m": (0.05 + x / 1000, 0.05, 0.05)})
        verdict = Verdict(
            action="put the ball into the red cup",
            objects=("red cup",),
            feasible=x > 0.0,
            constraint=Constraint.NONE if x > 0.0 else Constraint.DOES_NOT_FIT,
            trial="put_into",
            trial_version=1,
            measurements={},
            margin=x,
            perturbations=Perturbations(agreed=5, run=5),
        )
        scenes.append(
            Scene(
                id=rng.bytes(8).hex(),
                domain="clearance",
                source="sim",
                seed=1,
                robot="g1",
                objects=(wide, thing(2, "blue ball", aside)),
                views=(),
                verdict=verdict if x else None,
                step=LadderStep(ladder=name, quantity="clearance", x=x, unit="mm"),
            )
        )
    return [scenes[k] for k in rng.permutation(len(scenes))]


def made(folder: Path, count: int, change: Change = lambda scenes: scenes) -> Suite:
    rng = np.random.default_rng(4)
    with SuiteWriter.open(folder / "suite", name="ladders", request={}) as writer:
        for _ in range(count):
            writer.add(change(ladder(rng)), {}, {})
        writer.finish(make_ladder_questions)
    return Suite.open(folder / "suite")


def at(scene: Scene) -> float:
    assert scene.step is not None
    return scene.step.x


def ball_rolls(scenes: list[Scene]) -> list[Scene]:
    moved = [thing(2, "blue ball", 0.1 + 0.01 * at(scene)) for scene in scenes]
    return [
        s.model_copy(update={"objects": (s.objects[0], ball)})
        for s, ball in zip(scenes, moved, strict=True)
    ]


def told_by_ids(scenes: list[Scene]) -> list[Scene]:
    return [
        s.model_copy(update={"id": ("f" if at(s) > 0.0 else "0") + opaque_id(s.id)[1:]})
        for s in scenes
    ]


def in_order(scenes: list[Scene]) -> list[Scene]:
    return sorted(scenes, key=at)


def contradicted(scenes: list[Scene]) -> list[Scene]:
    return [
        s.model_copy(update={"step": s.step.model_copy(update={"x": abs(at(s)) + 0.1})})
        if s.step and at(s) == -1.0
        else s
        for s in scenes
    ]


def other_seed(scenes: list[Scene]) -> list[Scene]:
    return [scenes[0].model_copy(update={"seed": 2}), *scenes[1:]]


def test_a_ladder_that_is_one_has_no_faults_and_nothing_gives_its_steps_away(tmp_path):
    suite = made(tmp_path, 20)
    assert suite.info.counts["ladders"] == 20
    assert check_suite(suite.path) == []
    found = {leak.group: leak for leak in check_leaks(suite)}
    assert not any(leak.significant for leak in found.values())
    assert found["ids"].pairs == 3 * 20, "each step below the limit with one above"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (ball_rolls, "does not decide"),
        (contradicted, "contradicts"),
        (other_seed, "differ in seed"),
    ],
)
def test_what_else_differs_is_a_fault(tmp_path: Path, change: Change, message: str) -> None:
    assert any(message in str(fault) for fault in check_suite(made(tmp_path, 1, change).path))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "group"), [(ball_rolls, "positions"), (told_by_ids, "ids"), (in_order, "file order")]
)
def test_what_gives_steps_away_is_found(tmp_path, monkeypatch, change, group):
    monkeypatch.setattr(leaks, "_CLASSIFIERS", {"linear classifier": leaks._linear})
    found = check_leaks(made(tmp_path, 20, change))
    assert {leak.group for leak in found if leak.significant} == {group}
