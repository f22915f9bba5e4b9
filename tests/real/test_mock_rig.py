"""Who works at the rehearsed bench says what is missing before a world is started."""

import numpy as np
import pytest
from fakes import make_fake_suite

from pactwin.real.rehearsal import world
from pactwin.real.rehearsal.disturbance import Disturbance
from pactwin.real.rehearsal.mock_rig import MockRig
from pactwin.real.rehearsal.world import SimulatedTable
from pactwin.suite import InvalidInputError, Suite


def test_an_order_that_cannot_be_carried_out_ends_no_world(monkeypatch, tmp_path):
    """Asked for a thing that is not there, the world ended, and nobody was told."""
    suite = make_fake_suite(tmp_path / "suite", n_pairs=1)
    scene = next(Suite.open(suite).scenes()).id
    built = SimulatedTable.__new__(SimulatedTable)
    vars(built).update(
        _suite=Suite.open(suite), _seed=0, by=Disturbance(), items={}, _template_off=np.eye(3)
    )
    monkeypatch.setattr(world, "rebuild_layout", lambda scene: None)
    monkeypatch.setattr(world, "moved", lambda item, off: item)
    monkeypatch.setattr(world, "disturbed_items", lambda *_: {"cup": None})
    wrong = {"do": "place", "scene": scene, "mistake": "missing", "name": "spoon"}
    swapped = {"do": "place", "scene": scene, "mistake": "swapped", "name": "cup", "other": "fork"}
    gone = {"do": "place", "scene": "f" * 16}
    said = [world.carry_out(built, order)["error"] for order in (wrong, swapped, gone)]
    assert "unknown thing on the table 'spoon': use one of cup" in said[0]
    assert "unknown thing on the table 'fork'" in said[1]
    assert "no scene" in said[2]


def test_pictures_that_are_too_small_to_calibrate_by_are_refused_before_anything_starts(tmp_path):
    with pytest.raises(InvalidInputError, match="too small to calibrate it by: use 1280x720"):
        MockRig(tmp_path, tmp_path / "rig.yaml", 0, (960, 540))
    assert not (tmp_path / "rig.yaml").exists()
