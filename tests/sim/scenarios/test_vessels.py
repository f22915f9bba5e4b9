"""Openings of vessels: too narrow ones are openings still; and how wide things are."""

from collections import Counter

import numpy as np
import pytest

from pactwin.sim.preconditions.handling import grip_width_m
from pactwin.sim.scenarios import moves, things, vessels
from pactwin.sim.scenarios.common import Colors


@pytest.mark.parametrize("what", ["block", things.LONG])
def test_too_narrow_a_box_is_still_open_by_a_centimetre(what: str) -> None:
    """Whatever a box looks like, and however short its opening is, its walls have a length."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        colors = Colors(rng)
        (thing, _) = things.two_things(rng, (colors.next(), colors.next()), what)
        both = vessels.two_vessels(rng, colors, "box", thing)
        (site, _) = vessels.narrow(rng, both).sites(True, True)
        (narrow,) = site.build(0.0, 0.0)
        _, (wall, along, _), _, (across, _, _), _ = (part.size_m for part in narrow.parts)
        assert min(across, along - 2 * wall) >= 0.01 - 1e-9


@pytest.mark.parametrize("kind", ["block", "cylinder"])
def test_things_of_a_kind_leave_a_hand_room_by_many_amounts(kind: str) -> None:
    colors = "red", "blue"
    wide = Counter(
        min(things.two_things(np.random.default_rng(seed), colors, kind)[0].size_m[:2])
        for seed in range(300)
    )
    assert max(wide.values()) < 0.18 * wide.total()


def test_hands_hold_things_of_all_widths_about_as_often() -> None:
    """Cans and tins have few widths: were they as frequent as blocks, widths would cluster."""
    wide = []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        wide.append(grip_width_m(moves.thing_pair(rng, Colors(rng), "g1", "").things[0]))
    counts, _ = np.histogram(wide, 10)
    assert counts.max() < 0.17 * len(wide)
