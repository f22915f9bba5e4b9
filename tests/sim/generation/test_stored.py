"""Suites carry their scenes: what was labelled is tried, drawn and exported as it was stored."""

import base64
import json
import zlib
from copy import deepcopy
from typing import Any

import pytest

from pactwin.sim.actions.handling import Pour, PutInto, Restack, SetOn, Take, TakeOut, Write
from pactwin.sim.actions.lift_level import LiftLevel
from pactwin.sim.generation.pairs.stored import ACTIONS, restored, stored
from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.scene.layout import Layout, object_record
from pactwin.suite import Constraint, Measurement, Perturbations, Scene, SuiteError, Verdict

RED, BLUE = (
    standing_at(block(color, (0.05, 0.05, 0.05)), 0.25, y)
    for color, y in (("red", 0.15), ("blue", -0.15))
)
LAYOUT = Layout((RED, BLUE), "pick it up", (RED.name,), fixed=frozenset((BLUE.name,)))


def scene_of(text: str, layout: Layout = LAYOUT) -> Scene:
    return Scene(
        id="0" * 16,
        domain="support",
        source="sim",
        seed=1,
        robot="g1",
        objects=tuple(object_record(item, k + 1) for k, item in enumerate(layout.items)),
        views=(),
        verdict=Verdict(
            action="pick it up",
            objects=(RED.name,),
            feasible=True,
            constraint=Constraint.NONE,
            trial="take",
            trial_version=1,
            measurements={"gap": Measurement(value=1.0, unit="m")},
            margin=1.0,
            perturbations=Perturbations(agreed=0, run=0),
        ),
        layout=text,
    )


@pytest.mark.parametrize(
    "action",
    [
        Take("a"),
        PutInto("a", "b"),
        SetOn("a", "b"),
        Restack("a", "b", "c"),
        LiftLevel("a"),
        Write("a", "b"),
        Pour("a", "b"),
        TakeOut("ball", "b"),
    ],
    ids=lambda action: action.kind,
)
def test_an_action_and_a_layout_come_back_as_they_were(action: Any) -> None:
    assert restored(scene_of(stored(action, LAYOUT))) == (action, LAYOUT)
    assert action.kind in ACTIONS


PLAIN = json.loads(zlib.decompress(base64.b64decode(stored(Take(RED.name), LAYOUT))))
ITEMS = PLAIN["layout"]["items"]


def changed(**changes: Any) -> str:
    whole = deepcopy(PLAIN)
    for path, value in changes.items():
        *above, last = path.split("__")
        at = whole
        for key in above:
            at = at[int(key) if key.isdigit() else key]
        at[last] = value
    return base64.b64encode(zlib.compress(json.dumps(whole).encode())).decode()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no base64!", "cannot be read"),
        (stored(Take(RED.name), LAYOUT)[:400], "is cut|cannot be read"),
        (base64.b64encode(zlib.compress(b" " * 2**26 + b"{}")).decode(), "larger than 64 MiB"),
        (changed(layout__items__0__mass_kg=float("nan")), "cannot be read"),
        (changed(layout__items__0__mass_kg=9.0), "not that of its objects"),
        (changed(layout__items__0__attached_to="ghost"), "not there"),
        (changed(layout__items__0__parts__0__mesh_file="/etc/passwd"), "names files"),
        (changed(layout__items=[ITEMS[0], *ITEMS]), "two of one name"),
        (changed(action={"kind": "explode"}), "no action"),
    ],
)
def test_what_cannot_be_trusted_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(SuiteError, match=said):
        restored(scene_of(text))
