"""Quantities are told as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pactwin.catalogue import quantity


@pytest.mark.parametrize(("value", "unit", "words"), [
    (97.0, "mm", "97 mm"),
    (104.0, "mm", "100 mm"),
    (999.0, "mm", "1 m"),
    (64_000.0, "N", "64 kN"),
    (1250.0, "g", "1.2 kg"),
    (3_000_000.0, "N", "3,000 kN"),
    (0.0347, "ml", "0.035 ml"),
    (0.00002, "N", "less than 0.01 N"),
    (0.0, "g", "0 g"),
    (0.83, "", "0.83"),
    (1250.0, "", "1,200"),
])  # fmt: skip
def test_two_digits_and_a_unit_that_fits(value: float, unit: str, words: str) -> None:
    assert quantity(value, unit) == words


@given(st.floats(0.01, 1e9), st.sampled_from(["", "mm", "g", "ml", "N"]))
def test_what_is_told_is_within_a_twentieth_and_has_no_exponent(value: float, unit: str) -> None:
    number, _, told = quantity(value, unit).removeprefix("less than ").partition(" ")
    assert "e" not in number
    larger = 1000 if told != unit else 1
    assert float(number.replace(",", "")) * larger == pytest.approx(value, rel=0.051)
