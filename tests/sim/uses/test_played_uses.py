"""Creative uses, played: the thing made for the task's limit serves, its twin does not."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from pactwin.catalogue import load_catalogue
from pactwin.sim import uses
from pactwin.sim.generation.pairs.scenes import APPEARANCE
from pactwin.sim.generation.sampling import stream
from pactwin.sim.generation.uses.scenes import cause_of, try_use, use_twins, verdict_of
from pactwin.sim.objects.blocks import block
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials.using import DONE, HALF, NOT_DONE
from pactwin.sim.rendering.room import draw_appearance
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.sim.uses import deciding, load_use, use_names
from pactwin.sim.uses.base import PlayedTask, Rollout, UseWorld
from pactwin.sim.uses.deciding import (
    NOISE_SCALES,
    best_way,
    disturbances,
    parts_of,
    play,
    repeated,
    try_once,
)
from pactwin.sim.uses.declared import Piece
from pactwin.sim.uses.formulas import Choice, Size, computed
from pactwin.sim.uses.formulas import drawn as drawn_sizes
from pactwin.sim.uses.pieces import STIFF, links, straight
from pactwin.sim.uses.task import Task, Things, draw
from pactwin.sim.uses.things import ends, size_m, stretched, thing_of
from pactwin.suite import WHOLE, Constraint, InvalidInputError

CAUSES = [(name, cause) for name in use_names() for cause in load_use(name).causes]


def drawn(name: str, seed: int = 0, cause: Constraint | None = None) -> tuple[Task, Things]:
    use = load_use(name)
    return draw(use, np.random.default_rng(seed), cause or use.causes[0])


def best_share(use: PlayedTask, thing: Item) -> float:
    found = [best_way(use, thing, part) for part in parts_of(use, thing)]
    return max((way[1].share for way in found if way is not None), default=0.0)


@pytest.mark.parametrize(("name", "cause"), CAUSES)
def test_what_decides_decides(name: str, cause: Constraint) -> None:
    use, things = drawn(name, cause=cause)
    assert load_use(name).name == name and cause.of_things
    assert best_share(use, things.serving) > DONE
    assert best_share(use, things.failing) < NOT_DONE


@pytest.mark.parametrize("name", use_names())
def test_neither_words_nor_what_stands_there_tell_the_cause(name: str) -> None:
    """All causes have the same task, the same names, and the same thing that serves."""
    use = load_use(name)
    assert len(set(use.causes)) >= 3
    told = {
        (things.request, task.items, things.serving, things.failing.name)
        for task, things in (drawn(name, 7, cause) for cause in use.causes)
    }
    assert len(told) == 1


@pytest.mark.parametrize("name", use_names())
def test_a_pair_of_every_use_is_labelled(name: str) -> None:
    """All 20 of each, with all repetitions and pictures, are made every night."""
    for seed in range(10):
        try:
            twins = use_twins(name, seed)
            tried = try_use(twins, disturbances(seed, *NOISE_SCALES)[:1])
        except RejectedLayout:
            continue
        served, failed = (verdict_of(twins, tried, served=served) for served in (True, False))
        assert served.feasible and not failed.feasible
        assert served.perturbations.run == failed.perturbations.run == 1
        return
    pytest.fail("ten draws were all rejected")


@pytest.mark.parametrize(("name", "cause"), CAUSES)
def test_there_is_often_room_on_the_table(name: str, cause: Constraint) -> None:
    """Where there seldom is, 200 draws may all be rejected."""
    seeds = [seed for seed in range(60) if cause_of(name, seed) is cause][:10]
    assert len(seeds) == 10
    placed = 0
    for seed in seeds:
        try:
            use_twins(name, seed)
            placed += 1
        except RejectedLayout as rejected:
            assert "no room" in str(rejected)
        if placed == 2:
            return
    pytest.fail("of ten draws, fewer than two were placed")


def test_the_room_does_not_tell_the_cause() -> None:
    """Drawn from one stream of random numbers, each surface of the table went with one cause."""
    drawn_both = {
        (cause_of("lever_up", seed), draw_appearance(stream(seed, APPEARANCE)).table)
        for seed in range(300)
    }
    causes, tables = ({both[k] for both in drawn_both} for k in (0, 1))
    assert len(causes) == 3 and len(tables) > 3
    assert len(drawn_both) == len(causes) * len(tables)


@pytest.mark.parametrize("name", use_names())
def test_nothing_that_stands_upright_is_flat(name: str) -> None:
    """Seen edge-on, what is flat shows too little of itself to be asked about."""
    upright = [i for i in drawn(name)[0].items if np.argmin(i.size_m) != 2]
    assert is_flat(block("grey", (0.014, 0.17, 0.09)))
    assert not any(map(is_flat, upright))


def is_flat(item: Item) -> bool:
    thin, wide, _ = sorted(item.size_m)
    return thin < 0.25 * wide


def test_ten_uses_and_all_causes_of_things_are_played() -> None:
    assert len(use_names()) >= 10
    assert {cause for _, cause in CAUSES} == {c for c in Constraint if c.of_things}
    with pytest.raises(InvalidInputError, match="hook_and_pull"):
        load_use("stare_at")


def test_length_alone_decides_what_bridges_a_gap() -> None:
    use, things = drawn("bridge_gap", cause=Constraint.TOO_SHORT)
    longer = size_m(things.serving)[0] / size_m(things.failing)[0]
    assert best_share(use, stretched(things.failing, (longer, 1.0, 1.0))) > HALF
    assert best_share(use, stretched(things.serving, (1 / longer, 1.0, 1.0))) < HALF


@cache
def made_between(kind: str) -> tuple[np.ndarray, np.ndarray]:
    made = [size_m(thing_of(kind, np.random.default_rng(k))) for k in range(9)]
    return np.min(made, axis=0) / 1.25, np.max(made, axis=0) * 1.25


def test_things_have_the_sizes_that_they_are_made_in() -> None:
    """Nothing is stretched: these are sold, or sawn off, in such ranges of sizes (m)."""
    sold = {
        "cardboard_box": ((0.02, 0.02, 0.02), (0.3, 0.3, 0.3)),
        "conduit": ((0.08, 0.016, 0.016), (0.3, 0.1, 0.051)),
        "gutter": ((0.1, 0.07, 0.03), (0.3, 0.115, 0.06)),
        "hex_key": ((0.08, 0.008, 0.008), (0.32, 0.14, 0.02)),
        "plank": ((0.025, 0.025, 0.003), (0.42, 0.09, 0.04)),
        "ruler": ((0.1, 0.01, 0.002), (0.32, 0.06, 0.042)),
        "spatula": ((0.09, 0.035, 0.01), (0.42, 0.11, 0.02)),
        "tin": ((0.05, 0.05, 0.03), (0.112, 0.112, 0.12)),
    }
    known = load_catalogue().knows
    for name, cause in CAUSES:
        _, things = drawn(name, cause=cause)
        for thing in (things.serving, things.failing, *things.others):
            kind = thing.category
            assert known(thing.asset), kind
            fixed = thing in things.others or kind not in sold
            low, high = made_between(kind) if fixed else map(np.array, sold[kind])
            assert (size_m(thing) >= low).all() and (size_m(thing) <= high).all(), kind


def test_most_of_what_actions_name_are_everyday_things() -> None:
    """Tools, targets and places of a draw of each use; ramps and lids are of no kind."""
    known = load_catalogue().knows
    named = [
        known(item.asset)
        for use, things in map(drawn, use_names())
        for item in (things.serving, *use.items)
    ]
    assert np.mean(named) > 0.6


def test_stiffness_alone_decides_what_a_conduit_pushes() -> None:
    use, things = drawn("poke_through_gap", cause=Constraint.TOO_LIMP)
    limp = straight(things.failing)
    assert try_once(use, replace(limp, state=STIFF), WHOLE).share > DONE
    assert try_once(use, limp, WHOLE).share < NOT_DONE
    chain = links(things.failing)
    assert links(things.serving) == (things.serving,) and chain[0].name == things.failing.name
    assert [link.attached_to for link in chain[1:]] == [link.name for link in chain[:-1]]
    assert sum(link.mass_kg for link in chain) == pytest.approx(things.serving.mass_kg)


def test_an_edge_alone_decides_what_levers_up() -> None:
    use, things = drawn("lever_up")
    sharp, blunt = things.serving, things.failing
    assert sharp.size_m == pytest.approx(blunt.size_m)
    served = {part: try_once(use, sharp, part).serves for part in parts_of(use, sharp)}
    assert served == {"handle": False, "other end": True}
    assert not any(try_once(use, blunt, part).serves for part in parts_of(use, blunt))
    sharpened = replace(blunt, parts=(blunt.parts[0], *sharp.parts[1:]))
    assert try_once(use, sharpened, "other end").serves


def test_what_falls_or_tips_is_measured_as_it_happens() -> None:
    """What comes to lie by chance afterwards does not count: it would flip labels."""
    for name in ("bridge_gap", "weigh_down"):
        use, things = drawn(name, 1)
        for thing in (things.failing, *things.others):
            once = try_once(use, thing, WHOLE)
            if not once.serves:
                assert once.share == 0.0


def test_what_is_watched_ends_once_nothing_is_left_of_the_task() -> None:
    task, things = drawn("weigh_down")
    ended = {}
    for thing in (things.serving, things.failing):
        (way,) = task.candidates(thing)
        world = UseWorld(task, way, Perturbation())
        share = task.rollout(world, way).share
        ended[share > DONE] = world.data.time
    assert ended[False] < 0.9 < 1.15 < ended[True]


def test_what_stops_one_of_two_balls_is_not_enough() -> None:
    task, things = drawn("block_roll", cause=Constraint.TOO_SHORT)
    (whole,), (short,) = (task.candidates(t) for t in (things.serving, things.failing))
    assert played_share(task, whole) == 1.0
    for side in (-1, 1):
        before_one = short.world_from_object.moved(dy=side * task.sizes["aside"] / 1000)
        assert played_share(task, short.at(before_one)) < NOT_DONE


def played_share(task: PlayedTask, way: Item) -> float:
    found = play(task, way, Perturbation())
    assert found is not None
    return found.share


def test_a_light_tin_is_lighter_than_the_can_and_a_heavy_one_heavier() -> None:
    """Whatever is drawn: their arms are alike."""
    for seed in range(60):
        task, things = drawn("weigh_down", seed, Constraint.TOO_LIGHT)
        can_kg = task.items[0].mass_kg
        assert things.failing.mass_kg < 0.85 * can_kg < can_kg < 0.75 * things.serving.mass_kg


def test_only_the_end_with_the_head_hooks() -> None:
    use, things = drawn("hook_and_pull")
    parts = ("handle", "other end")
    served = {part: try_once(use, things.serving, part).serves for part in parts}
    assert served == {"handle": True, "other end": False}


def test_a_label_that_friction_flips_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    use, things = drawn("poke_through_gap")
    (part,) = parts_of(use, things.serving)
    friction = [Perturbation("less", friction_scale=0.8), Perturbation("more", friction_scale=1.25)]
    once = try_once(use, things.serving, part)
    tried = repeated(use, once, friction)
    assert tried.serves and tried.run == len(friction) == 2 and tried.margin <= once.margin

    def slips(use: PlayedTask, way: Item, perturbation: Perturbation) -> Rollout | None:
        return Rollout(0.0) if perturbation.friction_scale > 1 else play(use, way, perturbation)

    monkeypatch.setattr(deciding, "play", slips)
    with pytest.raises(RejectedLayout, match="flips under more"):
        repeated(use, once, friction)


def test_labels_stand_the_noise_of_a_retrial_and_more() -> None:
    tried, again = disturbances(1, *NOISE_SCALES), disturbances(2, 1.0)
    assert len(tried) == 2 * len(again) == 10
    assert len({run.seed for run in tried}) == 10
    mine, theirs = (
        sorted((r.pose_noise_m, r.pose_noise_rad) for r in runs) for runs in (tried, again)
    )
    np.testing.assert_allclose(mine[2:6], theirs[1:])
    np.testing.assert_allclose(mine[6:], 2 * np.array(theirs[1:]))


def test_the_narrowest_gap_lets_a_conduit_through_whatever_noise_a_retrial_draws() -> None:
    """With 4 mm to spare in all, every second one got stuck."""
    use = load_use("poke_through_gap")
    sizes = drawn_sizes(use.sizes, np.random.default_rng(0))
    gap = use.sizes["gap"]
    assert isinstance(gap, tuple)
    task = Task(use, sizes | {"gap": computed(gap[0], sizes)})
    thing = use.thing.made(sizes)
    noise = [run for seed in range(0, 60, 5) for run in disturbances(seed, 1.0)]
    once = try_once(task, thing, WHOLE)
    assert repeated(task, once, noise).run == len(noise)
    tight = Task(use, sizes | {"gap": sizes["wide"] + 4})
    with pytest.raises(RejectedLayout, match="flips"):
        repeated(tight, try_once(tight, thing, WHOLE), noise)


def test_no_other_thing_is_about_as_wide_as_a_gap() -> None:
    """Whether it got through was chance: a stapler of 41 mm in a gap of 42."""
    for seed in range(40):
        task, things = drawn("poke_through_gap", seed)
        assert all(1000 * size_m(thing)[1] > task.sizes["gap"] + 4 for thing in things.others)


def test_half_done_is_no_label_but_no_other_label(monkeypatch: pytest.MonkeyPatch) -> None:
    use, things = drawn("poke_through_gap")
    once = try_once(use, things.serving, WHOLE)

    monkeypatch.setattr(deciding, "play", lambda *_: Rollout(0.6))
    noise = disturbances(0, 1.0)
    assert repeated(use, once, noise, clearly=False).least_clear == 0.6
    with pytest.raises(RejectedLayout, match="flips under combination 2"):
        repeated(use, once, noise)


def test_stretching_scales_size_and_mass() -> None:
    hammer = thing_of("cross_peen_hammer", np.random.default_rng(0))
    longer = stretched(hammer, (1.5, 1.0, 1.0))
    assert size_m(longer) == pytest.approx(size_m(hammer) * (1.5, 1.0, 1.0), rel=1e-3)
    assert longer.mass_kg == pytest.approx(1.5 * hammer.mass_kg, rel=1e-3)
    assert set(ends(hammer)) == {"handle", "other end"}


def test_a_thing_made_larger_evenly_is_so_in_all_its_parts() -> None:
    can = thing_of("can", np.random.default_rng(3))
    small = stretched(can, (0.5, 0.5, 0.5))
    assert small.mass_kg == pytest.approx(can.mass_kg / 8, abs=1e-4)  # of a tenth of a gram
    for part, old in zip(small.parts, can.parts, strict=True):
        assert part.size_m == pytest.approx([0.5 * size for size in old.size_m], rel=1e-6)


def test_a_formula_says_what_it_does_not_know() -> None:
    assert computed("max(wide, -2) / 4 + atan(1)", {"wide": 8.0}) == pytest.approx(47.0)
    for formula, fault in (("wide + depth", "depth"), ("__import__('os')", "__import__")):
        with pytest.raises(InvalidInputError, match=f"{fault}.* is none of wide, asin"):
            computed(formula, {"wide": 8.0})
    with pytest.raises(InvalidInputError, match="'wide -' is not arithmetic"):
        computed("wide -", {"wide": 8.0})


def test_sizes_are_drawn_within_what_is_declared() -> None:
    rows = ((16.0, 25.0), (20.0, 32.0), (25.0, 40.0))
    sizes: dict[str, Size] = {
        "wide, more": Choice(any=rows, least=18, most=30),
        "gap": ("wide + 4", "wide + 8"),
        "half": "gap / 2",
    }
    drawn_rows = set()
    for seed in range(30):
        found = drawn_sizes(sizes, np.random.default_rng(seed))
        drawn_rows.add((found["wide"], found["more"]))
        assert 4 <= found["gap"] - found["wide"] <= 8
        assert found["half"] == found["gap"] / 2
    assert drawn_rows == set(rows[1:])
    with pytest.raises(RejectedLayout, match="no size"):
        drawn_sizes({"wide": Choice(any=(3.0,), least=4)}, np.random.default_rng(0))


def test_a_piece_that_nothing_makes_is_named() -> None:
    with pytest.raises(ValueError, match="spoke"):
        Piece.model_validate({"spoke": [1, 2]})


@pytest.mark.parametrize("name", use_names())
def test_every_size_and_every_fault_of_a_declaration_is_used(name: str) -> None:
    """A size that nothing refers to, or a fault that replaces nothing, is a slip of the pen."""
    use = load_use(name)
    sizes = [name for names in use.sizes for name in names.split(", ")]
    told = Path(uses.__file__).with_name(f"{name}.yaml").read_text(encoding="utf-8")
    for size in sizes:
        assert len(re.findall(rf"\b{size}\b", told)) > 1, size
    for fault in use.fails.values():
        assert fault and not fault.keys() - {*sizes, *use.thing.options}
