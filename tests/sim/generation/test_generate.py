"""Real pairs from real MuJoCo: reproducible, sound, and labelled the same when tried again."""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import product
from typing import cast

import cv2
import numpy as np
import pytest
from commands import invoke

from pactwin.sim import (
    ConstraintSuiteConfig,
    LocalEngine,
    draw_pair,
    ensure_gl,
    in_order,
    photographed,
    rebuild_layout,
    retry_trials,
    verdict_on,
)
from pactwin.sim.domains import Domain, load_domain
from pactwin.sim.domains.base import Family
from pactwin.sim.episodes.episode import prepare_episode
from pactwin.sim.generation import suites
from pactwin.sim.generation.pairs import scenes
from pactwin.sim.generation.pairs.retrial import other_versions, rebuild
from pactwin.sim.generation.pairs.scenes import layout_rng
from pactwin.sim.generation.pairs.stored import ACTIONS, restored
from pactwin.sim.generation.pairs.verdicts import Case, Tried, try_once
from pactwin.sim.generation.sampling import batch_seeds
from pactwin.sim.rendering import room
from pactwin.sim.scenarios import moves
from pactwin.sim.scene.layout import Layout
from pactwin.suite import (
    Camera,
    Constraint,
    EnvironmentFaultError,
    InvalidInputError,
    Suite,
    SuiteError,
    SuiteWriter,
    answerable_views,
    check_suite,
    load_image,
)
from pactwin.tasks import make_twin_questions

pytestmark = pytest.mark.slow

DOMAINS = ("occupancy", "size_mismatch")
# A seed whose first draws are accepted.
REQUEST = ConstraintSuiteConfig(
    seed=23, pairs=2, domains=DOMAINS, robot="g1", cameras=("head",), width_px=320, height_px=240
)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """Two pairs, drawn by one worker."""
    path = tmp_path_factory.mktemp("sim") / "suite"
    gl = ensure_gl()
    with SuiteWriter.open(
        path, name="sim", request=REQUEST.record(), gl_renderer=gl.renderer
    ) as writer:
        for pair in map(partial(draw_pair, REQUEST), range(REQUEST.pairs)):
            writer.add(pair.scenes, pair.files, {pair.scenes[0].domain: pair.rejections})
        writer.finish(make_twin_questions)
    return Suite.open(path)


def test_two_workers_draw_the_same_pairs_in_the_same_order(suite: Suite) -> None:
    with LocalEngine(2) as engine:
        drawn = list(in_order(engine, partial(draw_pair, REQUEST), range(REQUEST.pairs)))
    assert [pair.scenes for pair in drawn] == list(suite.pairs())
    for pair in drawn:
        for path, content in pair.files.items():
            assert suite.resolve(path).read_bytes() == content


def test_a_pair_does_not_depend_on_what_else_is_asked_for(suite: Suite) -> None:
    alone = replace(REQUEST, pairs=1, domains=("size_mismatch",))
    assert draw_pair(alone, 0).scenes == list(suite.pairs())[1]


def test_a_generated_suite_has_no_faults(suite: Suite) -> None:
    assert check_suite(suite.path) == []


def test_every_scene_shows_what_decides(suite: Suite) -> None:
    for scene, twin in suite.pairs():
        assert answerable_views(scene, twin)
        for view in scene.views:
            cameras = {v.camera.name: v for v in twin.views}
            assert cameras[view.camera.name].camera == view.camera
            # What must be seen is named alike, and no name of it says which twin this is.
            assert view.regions.keys() == cameras[view.camera.name].regions.keys()
            assert {f"outline of the {name}" for name in scene.decided.objects} <= set(view.regions)
        assert scene.appearance == twin.appearance


def test_labels_come_out_the_same_with_other_noise(suite: Suite) -> None:
    assert [outcome.reason for outcome in retry_trials(suite, seed=12345)] == [""] * 4
    for scene in suite.scenes():
        failing = {check.constraint for check in scene.decided.checks.values() if not check.holds}
        assert failing == ({scene.decided.constraint, *scene.decided.also} - {Constraint.NONE})


def test_a_stored_layout_is_what_its_seed_draws(suite: Suite) -> None:
    """A suite of an earlier version stores none."""
    for scene in suite.scenes():
        assert scene.layout
        assert rebuild(scene) == rebuild(scene.model_copy(update={"layout": ""}))
    with pytest.raises(SuiteError, match="another layout"):  # a generator draws otherwise now
        rebuild(scene.model_copy(update={"seed": scene.seed + 1, "layout": ""}))


def test_a_suite_is_tried_run_and_set_up_whatever_the_generator_has_become(suite, monkeypatch):
    """Seeds draw something else now; rooms, too."""
    monkeypatch.setattr(Domain, "propose", lambda *_: pytest.fail("the generator was asked"))
    monkeypatch.setattr(room, "draw_appearance", lambda *_: pytest.fail("a room was drawn"))
    one, other = next(suite.pairs())
    for scene in (one, other):
        layout = rebuild_layout(scene)
        again = verdict_on(scene, layout)
        assert (again.constraint, again.also) == (scene.decided.constraint, scene.decided.also)
        prepare_episode(scene)
        cameras = [cast(Camera, view.camera) for view in scene.views]
        drawn, files = photographed(scene, layout, cameras)
        assert restored(drawn) == restored(scene)
        for view in scene.views:
            for path in (view.image, view.depth, view.mask):
                assert path is not None and files[path] == suite.resolve(path).read_bytes()
    assert other_versions(suite.scenes()) == {}
    older = one.decided.model_copy(update={"trial_version": 1})
    now = ACTIONS[older.trial].version
    told = other_versions([one.model_copy(update={"verdict": older})])
    assert told == {older.trial: (1, now)}


PLAIN_MUJOCO = """
import json, sys
import mujoco, numpy as np
model = mujoco.MjModel.from_xml_path(sys.argv[1])
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
for name, path in zip(sys.argv[2::2], sys.argv[3::2]):
    with mujoco.Renderer(model, 240, 320) as renderer:
        renderer.update_scene(data, camera=name)
        np.save(path, renderer.render())
before = data.xpos.copy()
mujoco.mj_step(model, data, 1000)
print(json.dumps(float(np.linalg.norm(data.xpos - before, axis=1).max())))
"""


def test_a_scene_in_plain_mujoco_rests_and_looks_as_its_pictures(suite, tmp_path):
    scene = next(suite.scenes())
    result = invoke("export", "mjcf", suite.path, "1", tmp_path / "out" / "scene")
    assert "scene.xml" in result.output
    # Wherever it is taken, and without pactwin.
    there = (tmp_path / "out").rename(tmp_path / "elsewhere") / "scene" / "scene.xml"
    assert str(tmp_path) not in there.read_text(encoding="utf-8")
    names = [cast(Camera, view.camera).name for view in scene.views]
    seen = [word for name in names for word in (name, str(tmp_path / f"{name}.npy"))]
    script = [sys.executable, "-I", "-c", PLAIN_MUJOCO, str(there), *seen]
    moved = subprocess.run(script, check=True, capture_output=True, text=True)
    assert json.loads(moved.stdout) < 1e-3
    for view, path in zip(scene.views, seen[1::2], strict=True):
        stored = load_image(suite, view)
        assert cv2.PSNR(np.load(path), stored) > 35.0
    refused = invoke("export", "mjcf", suite.path, "1", there.parent, code=2)
    assert str(there.parent) in refused.output


def test_cameras_that_never_show_what_decides_end_in_one_line(suite, monkeypatch):
    one, other = sorted(next(suite.pairs()), key=lambda scene: scene.decided.feasible)

    def tried(*_: object) -> list[Tried]:
        return [try_once(Case(*rebuild(s), s.decided.constraint, "g1", 1)) for s in (one, other)]

    monkeypatch.setattr(scenes, "try_layouts", tried)
    monkeypatch.setattr(suites, "_MAX_PAIRS", 3)
    tiny = replace(
        REQUEST,
        pairs=1,
        domains=("support",),
        cameras=("front", "head"),
        width_px=64,
        height_px=48,
    )
    with pytest.raises(EnvironmentFaultError, match=r"'support'.*hidden from too many"):
        draw_pair(tiny, 0)


def test_for_the_head_alone_families_about_reach_give_way_to_others(monkeypatch):
    monkeypatch.setattr(scenes, "try_twins", lambda _action, layouts, *_: layouts)
    far = Family(0.9, moves.take, ("far",))
    monkeypatch.setattr(scenes, "labelled_pair", lambda _request, layouts, *_: (layouts, {}))
    head = replace(REQUEST, seed=1, domains=("order",), width_px=640, height_px=480)

    mixed = Domain("order", (far, Family(0.1, moves.restack, ("taken",))))
    monkeypatch.setattr(suites, "load_domain", lambda _: mixed)
    found = draw_pair(head, 0)
    assert not any(layout.by_reach for layout in cast(tuple[Layout, ...], found.scenes))
    assert any("'head' alone" in reason for reason in found.rejections)

    monkeypatch.setattr(suites, "load_domain", lambda _: Domain("order", (far,)))
    with pytest.raises(InvalidInputError, match=r"'order'.*'head'.*--domains"):
        draw_pair(head, 0)


def test_families_take_turns_by_their_weights() -> None:
    domain = load_domain("order")
    seeds = [list(suites.seeds_in_turn(domain, 3, number)) for number in range(40)]
    assert all(len(set(pair)) == len(pair) == suites._MAX_PAIRS for pair in seeds)
    firsts = Counter(domain.drawn_family(layout_rng(pair[0])) for pair in seeds)
    whole = sum(family.weight for family in domain.families)
    for family in domain.families:
        assert abs(firsts[family] - family.weight / whole * len(seeds)) < 2
        own = [domain.drawn_family(layout_rng(seed)) is family for seed in seeds[0]]
        if own[0]:  # all of the family whose turn it is come before any other
            assert own == sorted(own, reverse=True)


def test_seeds_differ_for_every_draw() -> None:
    drawn = [
        seed
        for suite, name, number in product(range(3), DOMAINS, range(5))
        for seed in batch_seeds(suite, name, number, 4)
    ]
    assert len(set(drawn)) == len(drawn) == 3 * len(DOMAINS) * 5 * 4
    assert all(0 <= seed < 2**63 for seed in drawn)
