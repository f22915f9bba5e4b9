"""What is not there, as models write it."""

import pytest

from pactwin.solvers import parse_names


@pytest.mark.parametrize(
    "reply",
    [
        "tape measure\nmissing: hand saw",
        "1. tape measure\n2. missing hand saw",
        "1. tape measure\n2. hand saw (missing)",
        "- tape measure\n- Missing - hand saw",
        "tape measure, missing: hand saw",
    ],
)
def test_a_missing_thing_is_an_item_of_its_own(reply: str) -> None:
    assert parse_names(reply).items == ("tape measure", "missing hand saw")
