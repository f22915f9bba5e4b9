"""Shapes felt by rays and sections, on things whose shape is known by construction."""

import numpy as np
import pytest

from pactwin.catalogue import load_uses
from pactwin.sim.generation.creative.measuring import measured_entity, specimen
from pactwin.sim.generation.creative.second_rule import Felt, serving_parts
from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.solids import Solid, solid_of
from pactwin.sim.scene.layout import Part
from pactwin.sim.scene.pose import Pose

UP = np.array([0.0, 0.0, 1.0])
ROOM = {"long": 5000.0, "heavy": 50_000.0}
SEED = 1


def box_of_walls(*, hole_m: float = 0.0) -> Solid:
    """An open box, 60 x 40 x 50 mm inside, its walls 2 mm thick; with a slot in its floor."""
    wide = 0.064 / 2 - hole_m / 2
    floors = [
        Part("box", (wide, 0.044, 0.002), Pose((s * (wide + hole_m) / 2, 0, 0.001)), role="body")
        for s in (-1, 1)
    ]
    walls = [
        Part("box", (0.002, 0.044, 0.05), Pose((s * 0.031, 0, 0.027)), role="body") for s in (-1, 1)
    ] + [
        Part("box", (0.064, 0.002, 0.05), Pose((0, s * 0.021, 0.027)), role="body") for s in (-1, 1)
    ]
    return solid_of(make_item("box", "grey", [*floors, *walls], material="plastic"))


def test_an_open_box_holds_what_its_walls_enclose_and_none_when_its_floor_has_a_slot() -> None:
    (hold,) = box_of_walls().rooms(UP)
    assert hold.volume_ml == pytest.approx(60 * 40 * 50 / 1e3, rel=0.1)
    assert hold.opening_mm == pytest.approx(40, rel=0.05)
    assert hold.rim_mm == pytest.approx(2, rel=0.2)
    assert not [*box_of_walls().rooms(-UP)]
    assert not [*box_of_walls(hole_m=0.004).rooms(UP)]


@pytest.mark.parametrize(
    ("kind", "use", "limits", "part"),
    [
        ("screwdriver", "press through a hole", {"depth": 40, "hole": 12}, {"blade"}),
        ("mug", "hold water", {"volume": 100, "mouth": 30}, {"body"}),
        ("funnel", "hold water", {"volume": 20, "mouth": 30}, set()),
        ("brick", "carry a hot pot", {"foot": 70, "high": 120}, {"body"}),
        ("brick", "carry a hot pot", {"foot": 70, "high": 20}, set()),
    ],
)
def test_what_serves_is_felt(kind: str, use: str, limits: dict[str, float], part: set[str]) -> None:
    item = specimen(kind, SEED)
    thing = Felt(item, measured_entity(item, kind).parts)
    assert serving_parts(use, {**limits, **ROOM}, thing) == part


def test_every_use_that_is_not_played_at_any_limits_has_a_second_rule() -> None:
    from pactwin.sim.generation.creative.second_rule import _RULES
    from pactwin.sim.generation.creative.trials import _PLAYED

    always = {use for use, (least, _) in _PLAYED.items() if not any(least.values())}
    assert {*load_uses().uses} == always | {*_RULES}
