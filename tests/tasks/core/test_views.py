import pytest
from hypothesis import given
from hypothesis import strategies as st

from pactwin.suite import InvalidInputError
from pactwin.tasks import cameras_of, parse_views

CAMERAS = ("front", "agent", "side", "head")
sets = st.lists(st.sampled_from(CAMERAS), min_size=1, unique=True)


def test_each_together_and_sets() -> None:
    assert parse_views("each", CAMERAS) == CAMERAS
    assert parse_views("joint", CAMERAS) == ("joint",)
    assert parse_views("head,side,head+side", CAMERAS) == ("head", "side", "side+head")
    assert parse_views(" head , joint,head", CAMERAS) == ("head", "joint")
    assert parse_views("each,joint", CAMERAS) == (*CAMERAS, "joint")


def test_all_is_read_as_together() -> None:
    assert parse_views("head,all,together,joint", CAMERAS) == ("head", "joint")
    assert parse_views("all", ()) == parse_views("each", ()) == ("text",)


@given(st.lists(sets, min_size=1), st.randoms(use_true_random=False))
def test_a_condition_has_one_name_however_it_is_written(conditions: list, random) -> None:
    written = ["+".join(c) for c in conditions]
    shuffled = ["+".join(random.sample(c, len(c))) for c in conditions]
    names = parse_views(",".join(written), CAMERAS)
    assert names == parse_views(shuffled, CAMERAS)
    assert parse_views(names, CAMERAS) == names
    assert len(set(names)) == len(names)


@given(sets, sets)
def test_only_cameras_that_can_answer_are_sent(asked: list, answerable: list) -> None:
    (condition,) = parse_views("+".join(asked), CAMERAS)
    sent = cameras_of(condition, answerable)
    assert set(sent) == (set(asked) if set(asked) <= set(answerable) else set())
    assert cameras_of("joint", answerable) == tuple(answerable)


@pytest.mark.parametrize("views", ["heat", "head+", "", "head,,side", "each+head", "Head"])
def test_an_unknown_view_names_those_that_exist(views: str) -> None:
    with pytest.raises(InvalidInputError, match="front, agent, side, head"):
        parse_views(views, CAMERAS)


def test_a_camera_named_twice_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="twice"):
        parse_views("head+head", CAMERAS)
