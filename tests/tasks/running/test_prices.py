"""What a run is estimated to cost."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.dataset import Sample

from pactwin.suite import InvalidInputError
from pactwin.tasks.running.estimate import estimate
from pactwin.tasks.running.prices import PictureTokens, Price, load_prices, price_of

sides = st.integers(1, 4000)
rules = st.builds(
    PictureTokens,
    tile_px=st.floats(16, 800),
    per_tile=st.floats(0, 300),
    base=st.floats(0, 300),
    long_side_px=st.none() | st.floats(100, 4000),
    short_side_px=st.none() | st.floats(100, 4000),
)


@given(rules, sides, sides)
def test_a_picture_and_the_same_turned_count_alike(rule, width, height):
    assert rule.count(width, height) == rule.count(height, width) >= math.floor(rule.base)


def test_known_pictures() -> None:
    """The worked examples of OpenAI's and Google's pages on pictures."""
    tiles = PictureTokens(tile_px=512, per_tile=170, base=85, long_side_px=2048, short_side_px=768)
    assert tiles.count(1024, 1024) == 765
    assert tiles.count(2048, 4096) == 1105
    assert PictureTokens(tile_px=768, per_tile=258).count(960, 540) == 2 * 258


def test_the_examples_can_be_read_and_one_s_own_go_first(tmp_path: Path) -> None:
    assert price_of("pactwin/oracle", load_prices()) == Price(
        input=0, output=0, reply_tokens=20, seconds=0.02
    )
    assert price_of("openrouter/google/gemini-2.5-flash", load_prices()) is not None
    assert price_of("openai-api/my/own", load_prices()) is None
    own = tmp_path / "prices.yaml"
    own.write_text('"openai-api/my/": {input: 1, output: 2}\n"pactwin/": {input: 9, output: 9}\n')
    prices = load_prices(own)
    assert price_of("openai-api/my/own", prices) == Price(input=1, output=2)
    assert price_of("pactwin/oracle", prices) == Price(input=9, output=9)


@pytest.mark.parametrize(
    ("model", "dollars"),
    [
        ("openai/gpt-5", 1),
        ("openrouter/openai/gpt-5", 1),
        ("openai/gpt-5-2025-08-07", 1),
        ("openai/gpt-5-latest", 1),
        ("openai/gpt-5-mini", 2),
        ("azure/gpt-5-mini", 3),
        ("openai/gpt-5-mini-2025-08-07", None),
        ("openai/gpt-5-pro", None),
        ("openai/gpt-5-nano", None),
        ("openai/gpt-5-pro-2025-10-06", None),
        ("openai/gpt-5o", None),
        ("openai/gpt-5.1", None),
        ("openai/not-gpt-5", None),
        ("local/anything", 4),
        ("local/gpt-5", 1),
        ("other/local/anything", None),
    ],
)
def test_the_longest_name_counts_and_no_other_model_has_its_price(model, dollars, tmp_path):
    own = tmp_path / "prices.yaml"
    own.write_text(
        "gpt-5: {input: 1, output: 0, family: true}\ngpt-5-mini: {input: 2, output: 0}\n"
        "azure/gpt-5-mini: {input: 3, output: 0}\nlocal/: {input: 4, output: 0}\n",
        encoding="utf-8",
    )
    price = price_of(model, load_prices(own)[:1])
    assert (price and price.input) == dollars


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [", "prices"),
        ("- a", "a mapping"),
        ('"a": {input: 1}', "a.output"),
        ('"a": {input: -1, output: 2}', "a.input"),
        ('"a": {input: .nan, output: 2}', "a.input"),
        ('"a": {input: 1, output: 2, outputs: 3}', "a.outputs"),
        ('"*/gpt-5*": {input: 1, output: 2}', "names no model"),
        ('"/": {input: 1, output: 2}', "names no model"),
        ('"a": {input: 1, output: 2, picture: {tile_px: 0}}', "a.picture.tile_px"),
    ],
)
def test_bad_prices_say_which_line(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text(text)
    with pytest.raises(InvalidInputError, match=said) as error:
        load_prices(path)
    assert "\n" not in str(error.value)
    with pytest.raises(InvalidInputError, match=r"none\.yaml"):
        load_prices(tmp_path / "none.yaml")


def test_an_estimate_of_a_sample_counted_by_hand() -> None:
    """41 characters are eleven tokens; two pictures of 2 x 2 tiles are five each."""
    shown = [{"width_px": 128, "height_px": 96}] * 2
    said = Sample(input="Can the red block go into the white box?!", metadata={"pictures": shown})
    price = Price(input=2, output=3, reply_tokens=10, picture=PictureTokens(tile_px=64, base=1))
    found = estimate("m", [said, said], price, max_calls=3)
    assert (found.calls, found.pictures, found.picture_tokens) == (6, 12, 60)
    assert (found.tokens_in, found.tokens_out) == (6 * (11 + 10), 60)
