"""Tools of trades: what the catalogue says of them holds, and look-alikes are alike."""

import numpy as np
import pytest

from pactwin.catalogue import load_catalogue
from pactwin.sim.objects.building import build_thing, kind_names, tool_names, trades
from pactwin.sim.objects.declared import Thing
from pactwin.sim.scene.layout import ENVELOPE, Item


def built(name: str, seed: int = 0) -> Item:
    return build_thing(name, np.random.default_rng(seed))


def test_there_are_sixty_tools_of_eight_trades_in_a_group_of_their_own() -> None:
    kinds = load_catalogue().kinds.values()
    assert set(tool_names()) == {kind.name for kind in kinds if "tools" in kind.sources}
    assert len(tool_names()) >= 60
    assert len(trades()) >= 8
    assert sum(map(len, trades().values())) == len(tool_names())  # each of one trade
    assert not set(tool_names()) & set(kind_names())


def test_a_tool_is_what_the_catalogue_says() -> None:
    for name in tool_names():
        kind, item = load_catalogue().kinds[name], built(name, 1)
        assert item.state in kind.states, name
        roles = {part.role: part.material for part in item.parts if part.role != ENVELOPE}
        assert roles == kind.parts, name
        ratio = np.sort(item.size_m) / np.sort(kind.size_m)
        assert (ratio > 0.9).all() and (ratio < 1.1).all(), (name, item.size_m)
        assert item.mass_kg == pytest.approx(kind.mass_kg, rel=0.1), name


@pytest.mark.parametrize(
    ("one", "other", "role"),
    [
        ("slotted_screwdriver", "crosshead_screwdriver", "grip"),
        ("plastering_trowel", "notched_trowel", "handle"),
        ("flat_file", "round_file", "handle"),
    ],
)
def test_look_alikes_of_one_draw_differ_in_their_working_end_alone(
    one: str, other: str, role: str
) -> None:
    for seed in range(3):
        a, b = built(one, seed), built(other, seed)
        assert (a.color, a.rgba) == (b.color, b.rgba)
        handles = [[part for part in item.parts if part.role == role] for item in (a, b)]
        assert [part.rgba for part in handles[0]] == [part.rgba for part in handles[1]]
        assert [part.size_m for part in handles[0]] == [part.size_m for part in handles[1]]
        assert a.parts != b.parts


@pytest.mark.parametrize(
    ("shape", "says"),
    [
        ({"flat": "0 0, 1 0, 0 1"}, "flat: missing a required argument: 'thick'"),
        ({"oval": "3 3 3", "thick": 2}, "oval: got an unexpected keyword argument 'thick'"),
        ({"cube": 3}, "one shape is wanted, not none"),
        ({"oval": "3 3 3", "pin": 3}, "one shape is wanted, not oval, pin"),
        ({"oval": "3 3 3", "of": "nylon"}, "nylon has no colour of its own"),
        ({"oval": "3 3 3", "tint": "teal"}, "unknown tint 'teal'"),
        ({"oval": "3 3 3", "of": "dyed jade"}, "unknown material 'jade'"),
        ({"oval": "3 3 3", "at": 3}, "3 is not a list of points"),
        ({"oval": "3 3 3", "at": "1 2"}, "'1 2': a place has x, y and z"),
        ({"oval": "3 3 3", "turn": "u 90"}, "unknown axis 'u'"),
        ({"oval": "3 3 3", "turn": "x"}, "could not convert string to float"),
        ({"oval": "3 3 3", "of": ""}, "unknown material ''"),
        ({"oval": ""}, "'' is not a list of points"),
        ({"oval": []}, "oval: no sizes are given"),
        ({"oval": None}, "size None is neither a length nor a list of points"),
        ({"oval": "3 3 3", "of": 3}, "of\n  Input should be a valid string"),
        ({"oval": "3 3 3", "of": "handle nylon"}, "unknown dye 'handle': use one of black, dyed"),
    ],
)
def test_what_a_declared_piece_lacks_or_has_too_much_is_named(shape: dict, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Thing.model_validate({"parts": [{"part": "head", "of": "iron", **shape}]})


def test_a_colour_that_nobody_knows_is_named() -> None:
    piece = {"part": "head", "of": "dyed nylon", "oval": "3 3 3"}
    with pytest.raises(ValueError, match="unknown colour 'teal'"):
        Thing.model_validate({"dyes": {"dyed": ["red", "teal"]}, "parts": [piece]})
