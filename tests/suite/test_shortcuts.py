"""Rules over a single quantity: found where one gives the label away, near chance elsewhere."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from drawn_scenes import scenes_of, usable
from fakes import FakePair, make_fake_suite
from hypothesis import given
from hypothesis import strategies as st

from pactwin.sim.domains import load_domain
from pactwin.sim.generation.pairs.scenes import layout_rng
from pactwin.sim.scenarios import beams
from pactwin.suite import (
    Scene,
    Suite,
    find_shortcut,
    held_out_shortcuts,
    score_shortcuts,
    single_quantities,
)

numbers = st.lists(st.floats(-10, 10).map(lambda v: round(v, 3)), min_size=4, max_size=30)


@given(numbers, st.randoms(use_true_random=False))
def test_no_limit_on_one_quantity_does_better(values: list[float], random) -> None:
    feasible = [random.random() < 0.5 for _ in values]
    if all(feasible) or not any(feasible):
        feasible[0] = not feasible[0]

    def informedness(said: list[bool]) -> float:
        yes = [s for s, f in zip(said, feasible, strict=True) if f]
        no = [s for s, f in zip(said, feasible, strict=True) if not f]
        return float(np.mean(yes) - np.mean(no))

    rule = find_shortcut([{"x": v} for v in values], feasible)
    found = informedness([rule.says_feasible({"x": v}) for v in values])
    tried = [
        informedness([(v > limit) == above for v in values])
        for limit in [*values, min(values) - 1]
        for above in (True, False)
    ]
    assert found == pytest.approx(max(tried))


def nearer_is_feasible(pair: FakePair) -> FakePair:
    """The target of every feasible twin stands half a metre nearer."""

    def moved(scene: Scene) -> Scene:
        objects = []
        for obj in scene.objects:
            pose = np.array(obj.world_from_object)
            if obj.name == scene.decided.objects[0] and scene.decided.feasible:
                pose[0, 3] -= 0.5
            matrix = tuple(map(tuple, pose.tolist()))
            objects.append(obj.model_copy(update={"world_from_object": matrix}))
        return scene.model_copy(update={"objects": tuple(objects)})

    scenes = tuple(moved(scene) for scene in pair.scenes)
    return FakePair((scenes[0], scenes[1]), pair.files, pair.rejections)


def test_a_planted_quantity_is_found_and_a_coin_is_not(tmp_path: Path) -> None:
    domains = ("support",)
    planted = Suite.open(
        make_fake_suite(tmp_path / "a", n_pairs=30, domains=domains, change=nearer_is_feasible)
    )
    honest = Suite.open(make_fake_suite(tmp_path / "b", n_pairs=30, domains=domains))
    (found,) = score_shortcuts(planted.pairs())
    (chance,) = score_shortcuts(honest.pairs())
    assert found.informedness > 0.9
    assert found.quantity == "target x"
    assert abs(chance.informedness) < 0.4
    assert abs(chance.informedness) < 1.6 * chance.within  # 0 is within three sigma
    assert found.informedness - found.within > 0.8


def test_a_few_pairs_that_all_agree_leave_much_open(tmp_path: Path) -> None:
    pairs = 2, 8
    suites = [make_fake_suite(tmp_path / f"{n}", n_pairs=n, domains=("support",)) for n in pairs]
    few, more = (score_shortcuts(Suite.open(suite).pairs())[0] for suite in suites)
    assert few.within > 0.6
    assert more.within > 0.2


def test_a_scene_s_rule_was_not_found_on_its_own_pair(fake_suite_path: Path) -> None:
    pairs = list(Suite.open(fake_suite_path).pairs())
    rules = held_out_shortcuts(pairs)
    assert len(rules) == 2 * len(pairs)
    for scene, twin in pairs:
        assert rules[scene.id] == rules[twin.id]
        exchanged = (
            scene.model_copy(update={"verdict": twin.verdict}),
            twin.model_copy(update={"verdict": scene.verdict}),
        )
        flipped = [exchanged if pair[0].id == scene.id else pair for pair in pairs]
        assert held_out_shortcuts(flipped)[scene.id] == rules[scene.id]


def test_which_of_two_weights_on_a_board_is_the_outer_one_is_a_quantity(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Some twins exchange them: what is said of the one is then said of the other."""
    monkeypatch.setattr(beams, "_KINDS", {"exchange": 1.0})
    stability, exchanged = load_domain("stability"), 0
    boards = usable(lambda seed: (seed, stability.propose(layout_rng(seed), "g1")), range(12))
    for seed, twins in islice(boards, 6):
        infeasible, feasible = map(single_quantities, scenes_of("stability", seed, twins))
        off = "off its support's middle"
        names = [n.removesuffix(f" {off}") for n in infeasible if n.endswith(off)]
        for other in (n for n in names if n != "target"):
            middles = [infeasible[f"target {off}"], feasible[f"{other} {off}"]]
            if middles[0] != pytest.approx(middles[1]):
                continue
            for what in (off, "off its support's foot", "things farther out"):
                weights = [f"{name} {what}" for name in ("target", other)]
                assert [infeasible[name] for name in weights] == pytest.approx(
                    [feasible[name] for name in reversed(weights)]
                )
            farther = "target things farther out"
            exchanged += infeasible[farther] != feasible[farther]
            assert infeasible["target volume beside it there"] > 0.0
    assert exchanged


def test_nothing_compares_two_objects(fake_suite_path: Path) -> None:
    scene = next(Suite.open(fake_suite_path).scenes())
    first = scene.decided.objects[0]
    grown = tuple(
        obj.model_copy(update={"mass_kg": obj.mass_kg * 2}) if obj.name != first else obj
        for obj in scene.objects
    )
    before = single_quantities(scene)
    after = single_quantities(scene.model_copy(update={"objects": grown}))
    changed = {name for name in before if before[name] != after[name]}
    assert changed
    assert not any("target" in name for name in changed)
