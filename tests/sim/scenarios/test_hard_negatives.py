"""What looks like a cause and is none: both twins show its sign, and trials tell them apart."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count, islice, product

import numpy as np
import pytest
from drawn_scenes import usable

from pactwin.sim.actions.base import Action, outcomes
from pactwin.sim.actions.handling import PutInto, SetOn, Take, Write
from pactwin.sim.actions.lift_level import LiftLevel
from pactwin.sim.domains import load_domain
from pactwin.sim.generation.pairs.scenes import layout_rng
from pactwin.sim.objects.blocks import open_box
from pactwin.sim.objects.closures import capped, on_its_tail
from pactwin.sim.objects.everyday import ball, marker, marker_cap, notepad
from pactwin.sim.objects.household import dumbbell
from pactwin.sim.objects.palette import COLORS
from pactwin.sim.objects.posing import ON_SIDE, resting_at, standing_at
from pactwin.sim.objects.standard_sizes import DUMBBELLS_KG, NOTEPAD_M
from pactwin.sim.objects.trays import FLOOR_M, handled_tray
from pactwin.sim.physics.perturbation import Perturbation, perturbations
from pactwin.sim.preconditions.handling import hand_brings, hand_gets_to
from pactwin.sim.preconditions.settled_scene import SettledScene
from pactwin.sim.rendering.cameras import _visible_shares, camera_at, looking_at, towards
from pactwin.sim.scenarios import handreach, hard_negatives, lifts, moves, things, uses, vessels
from pactwin.sim.scenarios.common import Colors
from pactwin.sim.scenarios.twins import Pair, Twins
from pactwin.sim.scene.layout import Item, Layout, object_record
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Constraint, Scene, Verdict, find_shortcut, single_quantities

HERE = (0.25, 0.0)
RED_BALL = ball("red", 0.045)


def rng_and_colors() -> tuple[np.random.Generator, Colors]:
    rng = np.random.default_rng(3)
    colors = Colors(rng)
    for _ in range(len(COLORS) - 6):
        colors.next()
    return rng, colors


def built(pair: Pair, first: bool, second: bool = False) -> tuple[Item, ...]:
    """What stands at the pair's first place."""
    site = pair.sites(first, second)[0]
    return site.build(*HERE)


def slender(colors: Colors) -> tuple[Item, Item]:
    for seed in range(30):
        names = "orange", "white"
        both = things.two_things(np.random.default_rng(seed), names, "block", tall=True)
        if hard_negatives.carries_bridge(both[0]):
            return both
    raise AssertionError("no block is high and slender")


def failing(action: Action, *items: Item) -> set[Constraint]:
    """What prevents the action by its first trials: those of the thing and the place."""
    named = [item.name for item in items if item.name in vars(action).values()]
    situation = SettledScene(Layout(items, "", tuple(named)), Perturbation(), "g1")
    assert not situation.settle_error
    found = [o for trial in action.trials()[:2] for o in trial(situation).values()]
    assert all(outcome.feasible is not None for outcome in found), found
    return {outcome.constraint for outcome in found} - {Constraint.NONE}


def test_a_bridge_falls_without_a_pillar_that_is_needed_and_only_then() -> None:
    """Statics: the board's middle is between what still carries it, or it is not."""
    rng, colors = rng_and_colors()
    pair = hard_negatives.bridged(rng, colors, slender(colors))
    for needed in product((False, True), repeat=2):
        *pillars, board = built(pair, *needed)
        along = np.array(board.world_from_object.matrix()[:2, 0])
        middle = np.array(board.world_from_object.pos[:2])
        offsets = [np.subtract(p.world_from_object.pos[:2], middle) for p in pillars]
        under = [o @ along for o in offsets if abs(np.linalg.norm(o) - abs(o @ along)) < 0.02]
        for k in (0, 1):
            rest = [at for j, at in enumerate(under) if j != k]
            half = pillars[0].size_m[0] / 2
            holds = min(rest) - half < -0.005 and max(rest) + half > 0.005
            assert holds is not needed[k]


def of_vessels(
    make: Callable[[np.random.Generator, Colors, vessels.Vessels], Pair],
) -> Callable[[np.random.Generator, Colors, str], Pair]:
    return lambda rng, colors, kind: make(
        rng, colors, vessels.two_vessels(rng, colors, kind, RED_BALL)
    )


def with_a_ring(rng: np.random.Generator, colors: Colors, kind: str) -> Pair:
    room = hard_negatives.ring_room_m(rng, RED_BALL) - vessels.needed_m(RED_BALL, kind)
    both = vessels.two_vessels(rng, colors, kind, RED_BALL, room)
    return hard_negatives.ringed(rng, colors, both)


def with_a_flat_thing(rng: np.random.Generator, colors: Colors, both: vessels.Vessels) -> Pair:
    filler = vessels.fillers(rng, colors, both, RED_BALL)[0]
    return hard_negatives.shallow(rng, colors, both, filler)


@pytest.mark.parametrize("violated", [True, False])
@pytest.mark.parametrize(
    ("make", "kinds", "up", "cause"),
    [
        (
            of_vessels(lambda rng, _, both: hard_negatives.hollow_foot(rng, both)),
            ("box", "cup"),
            -1.0,
            Constraint.OPENING_DOWN,
        ),
        (of_vessels(hard_negatives.framed), ("box", "cup"), 1.0, Constraint.COVERED),
        (with_a_ring, ("box", "cup", "pen_stand"), 1.0, Constraint.OCCUPIED),
        (of_vessels(with_a_flat_thing), ("box",), 1.0, Constraint.OCCUPIED),
        (of_vessels(hard_negatives.propped), ("pen_stand",), 0.0, Constraint.UNSTABLE_SUPPORT),
    ],
    ids=["a hollow foot", "a lid with a hole", "a ring", "a flat thing", "a raised opening"],
)
def test_a_vessel_takes_the_ball_where_its_cue_is_no_cause(make, kinds, up, cause, violated):
    for kind in kinds:
        pair = make(*rng_and_colors(), kind)
        stood = built(pair, violated)
        assert stood[0].world_from_object.matrix()[2, 2] == pytest.approx(up, abs=0.5)
        thing = standing_at(RED_BALL, 0.25, 0.3)
        found = failing(PutInto(thing.name, pair.things[0].name), thing, *stood)
        assert found == ({cause} if violated else set()), kind


@pytest.mark.parametrize("violated", [True, False])
def test_a_pillar_may_go_and_a_notepad_takes_more_where_the_cue_is_no_cause(violated: bool) -> None:
    rng, colors = rng_and_colors()
    pair = hard_negatives.bridged(rng, colors, slender(colors))
    found = failing(Take(pair.things[0].name), *built(pair, violated))
    assert found == ({Constraint.SUPPORTS_OTHER} if violated else set())
    rng, colors = rng_and_colors()
    thing = standing_at(slender(colors)[0], 0.25, 0.3)
    pair = hard_negatives.roomy(rng, colors, thing)
    found = failing(SetOn(thing.name, pair.things[0].name), thing, *built(pair, violated))
    assert found == ({Constraint.OCCUPIED} if violated else set())


def test_a_ring_hides_as_much_of_a_vessel_as_what_occupies_it() -> None:
    """Or more: of one that is filled or not, more is seen where there is room."""

    def difference(pair: Pair) -> float:
        """How much more of the vessel is seen where there is room."""
        shares: list[float] = []
        for violated, elevation in product((True, False), (0.45, 0.9)):
            items, target = built(pair, violated), np.array((*HERE, 0.05))
            camera = camera_at(
                "any", looking_at(target + towards(0.1, elevation), target), (640, 480)
            )
            shares += _visible_shares(items, [pair.things[0].name], camera)
        return float(np.mean(shares[2:]) - np.mean(shares[:2]))

    ringed, filled = [], []
    for seed in range(12):
        for kind in ("box", "cup"):
            rng = np.random.default_rng(seed)
            ringed.append(difference(with_a_ring(rng, Colors(rng), kind)))
            colors = Colors(rng)
            both = vessels.two_vessels(rng, colors, kind, RED_BALL, showing_floor=True)
            filled.append(difference(vessels.filled(rng, colors, both, RED_BALL)))
    assert -0.25 < np.mean(ringed) < 0.05, ringed
    assert np.mean(filled) > 0.2, filled


def test_what_is_put_on_a_flat_thing_is_well_within_the_shallowest_vessel() -> None:
    """At 0.8 of the depth labels flip."""
    for seed in range(30):
        rng, colors = np.random.default_rng(seed), Colors(np.random.default_rng(seed))
        both = vessels.two_vessels(rng, colors, "box", RED_BALL, showing_floor=True)
        filler = vessels.fillers(rng, colors, both, RED_BALL)[0]
        flat = built(hard_negatives.shallow(rng, colors, both, filler), False)[1]
        assert 1.0 - flat.size_m[2] / both.depth_m > 0.85


@pytest.mark.parametrize("kind", ["box", "cup", "pen_stand"])
@pytest.mark.parametrize("clear_m", [0.012, -0.012])
def test_what_is_long_goes_in_lengthwise(kind: str, clear_m: float) -> None:
    rng, colors = rng_and_colors()
    long = things.two_things(rng, (colors.next(), colors.next()), things.LONG)[0]
    vessel = vessels.two_vessels(rng, colors, kind, long).build("white", clear_m)
    assert max(long.size_m) > max(vessel.size_m[:2]) - 0.03
    expected = {Constraint.DOES_NOT_FIT} if clear_m < 0 else set()
    thing, stood = standing_at(long, 0.25, 0.3), standing_at(vessel, *HERE)
    assert failing(PutInto(thing.name, vessel.name), thing, stood) == expected


@pytest.mark.parametrize("clear_m", [0.012, -0.012])
def test_a_shallow_box_takes_what_fits_into_it(clear_m: float) -> None:
    rng, colors = rng_and_colors()
    cube = slender(colors)[0]
    vessel = vessels.two_vessels(rng, colors, "box", cube).build("pink", clear_m, 0.015)
    expected = {Constraint.DOES_NOT_FIT} if clear_m < 0 else set()
    thing, stood = standing_at(cube, 0.25, 0.3), standing_at(vessel, *HERE)
    assert failing(PutInto(thing.name, vessel.name), thing, stood) == expected


def drawn(draw: Callable[..., Twins], cause: str, seen: Callable[[Twins], bool]) -> Twins:
    """The first twins of a family that show what is looked for."""
    for seed in range(60):
        try:
            twins = draw(layout_rng(seed), "g1", cause)
        except RejectedLayout:
            continue
        if seen(twins):
            return twins
    raise AssertionError("nothing of the kind is drawn")


def causes_of(twins: Twins) -> list[set[Constraint]]:
    """What prevents the action in each twin, by all of its trials."""
    found = []
    for layout in (twins.infeasible, twins.feasible):
        here = SettledScene(layout, Perturbation(), "g1")
        assert not here.settle_error
        found.append({o.constraint for _, o in outcomes(twins.action, here) if not o.feasible})
    return found


def test_a_lid_that_is_a_mere_rim_leaves_the_ball_free() -> None:
    def on_it(twins: Twins) -> bool:
        lids = [i for i in twins.feasible.items if i.category == "lid"]
        return any(lid.world_from_object.pos[2] > 0.05 for lid in lids[:1])

    twins = drawn(uses.take_out, "covered", on_it)
    assert causes_of(twins) == [{Constraint.COVERED}, set()]


@pytest.mark.parametrize("kind", ["cage", "fence", "screen"])
def test_what_is_low_or_open_keeps_no_hand_away(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handreach, "guards_against", lambda robot: (kind,))
    _, colors = rng_and_colors()
    both = slender(colors)

    def stood(pair: Pair, violated: bool) -> tuple[Item, ...]:
        site = pair.sites(violated, False)[0]
        assert site.at is not None
        return site.build(*site.at)

    for seed in range(20):
        pair = handreach.guarded(np.random.default_rng(seed), rng_and_colors()[1], "g1", both)
        heights = [stood(pair, violated)[-1].size_m[2] for violated in (False, True)]
        if pair.form == "change" and heights[0] < 0.7 * heights[1]:
            break
    for violated, expected in ((True, Constraint.PATH_BLOCKED), (False, Constraint.NONE)):
        thing, guard = stood(pair, violated)
        assert guard.category == kind
        here = SettledScene(Layout((thing, guard), "", (thing.name,)), Perturbation(), "g1")
        (outcome,) = hand_gets_to(here, thing.name).values()
        assert outcome.constraint is expected


@pytest.mark.parametrize("kind", ["cage", "fence", "screen"])
def test_a_place_is_kept_from_hands_by_each_kind_and_by_none_that_is_open_low_or_behind(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handreach, "guards_against", lambda robot: (kind, "shelf", "closed shelf"))
    held, over = slender(rng_and_colors()[1])[0], Constraint.PATH_BLOCKED
    for seed in range(20):
        rng, colors = np.random.default_rng(seed), rng_and_colors()[1]
        pads = notepad("white", *NOTEPAD_M), notepad("yellow", *NOTEPAD_M)
        pair = handreach.guarded(rng, colors, "g1", pads, over_m=handreach.over_m(held))
        if pair.form == "change":
            break
    for violated, expected in ((True, over), (False, Constraint.NONE)):
        site = pair.sites(violated, False)[0]
        assert site.at is not None
        pad, guard = site.build(*site.at)
        assert guard.category == kind
        thing = standing_at(held, 0.2, -np.sign(site.at[1]) * 0.3)
        here = SettledScene(Layout((thing, pad, guard), "", (thing.name,)), Perturbation(), "g1")
        found = hand_brings(here, thing.name, pad.name)
        assert found[f"hand_gets_to: {pad.name}"].constraint is expected


def test_a_large_empty_box_is_light() -> None:
    tray = standing_at(handled_tray("red", (0.30, 0.21)), 0.25, 0.0)
    for load, expected in (
        (open_box("blue", lifts._EMPTY_BOX_M, lifts._CARDBOARD_M), Constraint.NONE),
        (dumbbell("green", DUMBBELLS_KG[0]), Constraint.NEEDS_TWO_HANDS),
    ):
        lying = standing_at(load, 0.16, 0.0, on_z=FLOOR_M)
        here = SettledScene(Layout((tray, lying), "", (tray.name,)), Perturbation(), "g1")
        (outcome,) = LiftLevel(tray.name).trials()[0](here).values()
        assert outcome.constraint is expected


def test_a_propped_stand_lies_still() -> None:
    """A low and wide one would tip back onto its foot, also if its block is moved a little."""
    low = 0
    for seed in range(20):
        rng, colors = np.random.default_rng(seed), Colors(np.random.default_rng(seed))
        both = vessels.two_vessels(rng, colors, "pen_stand", RED_BALL)
        try:
            items = built(hard_negatives.propped(rng, colors, both), False)
        except RejectedLayout:
            low += 1
            continue
        layout = Layout(items, "", (items[0].name,))
        for moved in (Perturbation(), *perturbations(seed, 1.5), *perturbations(seed + 100, 1.5)):
            assert not SettledScene(layout, moved, "g1").settle_error, (seed, moved.name)
    assert low < 15


def test_a_narrow_opening_need_not_look_small() -> None:
    """Some are as large outside as a wide one, or larger."""
    ratios = []
    for seed in range(40):
        rng, colors = np.random.default_rng(seed), Colors(np.random.default_rng(seed))
        both = vessels.two_vessels(rng, colors, "box", RED_BALL)
        pair = vessels.narrow(rng, both)
        bad, good = (np.prod(built(pair, violated)[0].size_m[:2]) for violated in (True, False))
        ratios.append(round(float(bad / good), 3))
    assert min(ratios) < 0.95
    assert max(ratios) > 1.01
    assert 1.0 in ratios


@pytest.mark.parametrize(("where", "cause"), [(capped, Constraint.COVERED), (on_its_tail, None)])
def test_a_cap_on_the_wrong_end_covers_nothing(where, cause):
    tool = resting_at(marker("red", 0.022, 0.12), 0.2, 0.15, ON_SIDE, state="on_side")
    cap = marker_cap("blue", 0.022)
    cap = replace(cap.at(where(tool, cap)), attached_to=tool.name)
    pad = standing_at(notepad("white", 0.074, 0.105, 0.01), 0.2, -0.15)
    assert failing(Write(tool.name, pad.name), tool, cap, pad) == ({cause} - {None})


def scene(twins: Twins, k: int) -> Scene:
    """Of a layout alone, as a scene whose label is what it is meant to be."""
    layout = (twins.infeasible, twins.feasible)[k]
    records = (object_record(item, n + 1) for n, item in enumerate(layout.items))
    verdict = Verdict.model_construct(objects=layout.critical_objects)
    return Scene.model_construct(objects=tuple(records), views=(), verdict=verdict)


@pytest.mark.parametrize(
    ("name", "decoys_of"),
    [
        ("support", "bridged"),
        ("two_hands", "not_thin"),
        ("opening", "_HOLLOW_FEET"),
        ("closure", "_FRAMES"),
    ],
)
@pytest.mark.slow
def test_no_single_quantity_tells_what_is_meant(name, decoys_of, monkeypatch):
    """Without its decoys one feature would decide a domain."""

    def informedness(without: str = "") -> float:
        domain = load_domain(name)
        # Of those which `moves` draws: others have decoys of their own.
        own = tuple(f for f in domain.families if f.draw.__module__ == moves.__name__)
        own = tuple(f for f in own if without not in f.causes)
        domain = replace(domain, families=own)
        propose = usable(lambda seed: domain.propose(layout_rng(seed), "g1"), count())
        drawn = list(islice(propose, 60))
        asked = [[single_quantities(scene(twins, k)) for k in (0, 1)] for twins in drawn]
        rule = find_shortcut([q for pair in asked[30:] for q in pair], [False, True] * 30)
        said = [[rule.says_feasible(q) for q in pair] for pair in asked[:30]]
        return float(np.mean([yes - no for no, yes in said]))

    assert informedness() < 0.8
    if hasattr(moves, decoys_of):
        monkeypatch.setattr(moves, decoys_of, 0.0)
    assert informedness(decoys_of) > 0.85
