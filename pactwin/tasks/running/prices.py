"""What models cost: a YAML file that users edit. ``prices.yaml`` here says what its keys mean."""

import math
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from inspect_ai.model import Model, ModelCost, ModelInfo, get_model_info, set_model_info
from pydantic import BeforeValidator, Field, TypeAdapter

from pactwin.suite import Record, parse_yaml, read_yaml

NonNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class PictureTokens(Record):
    """How many tokens a picture counts as. Without a line of its own: one per 28 px square."""

    tile_px: Positive = 28
    per_tile: NonNegative = 1
    base: NonNegative = 0
    long_side_px: Positive | None = None
    short_side_px: Positive | None = None

    def count(self, width_px: int, height_px: int) -> int:
        """Tokens of one picture."""
        long, short = max(width_px, height_px), min(width_px, height_px)
        scale = min(1.0, (self.long_side_px or long) / long, (self.short_side_px or short) / short)
        tiles = math.prod(math.ceil(side * scale / self.tile_px) for side in (width_px, height_px))
        return math.ceil(self.base + self.per_tile * tiles)


class Price(Record):
    """One line of the file. Dollars per million tokens."""

    input: NonNegative
    output: NonNegative
    cache_read: NonNegative | None = None
    cache_write: NonNegative | None = None
    reply_tokens: NonNegative = 100
    seconds: Positive = 5.0
    picture: PictureTokens = PictureTokens()

    def cost_usd(self, tokens_in: float, tokens_out: float) -> float:
        """Dollars for so many tokens, none of them cached by the provider."""
        return (self.input * tokens_in + self.output * tokens_out) / 1e6


Prices = Mapping[str, Price]
_FILE = TypeAdapter(Annotated[dict[str, Price], BeforeValidator(lambda read: read or {})])


def load_prices(path: Path | str | None = None) -> Prices:
    """Prices by pattern of model name: those of the file at ``path`` first, then the examples.

    Raises InvalidInputError, naming the line, for a file that cannot be read as prices.
    """
    ours = (files(__package__) / "prices.yaml").read_bytes()
    examples = _FILE.validate_python(parse_yaml(ours, "prices.yaml"))
    if path is None:
        return examples
    own, _ = read_yaml(_FILE, Path(path), "prices")
    return {**own, **{name: price for name, price in examples.items() if name not in own}}


def price_of(model: str, prices: Prices) -> Price | None:
    """The first line that matches ``model``, None if none does."""
    return next((price for name, price in prices.items() if fnmatchcase(model, name)), None)


def tell_inspect(models: Iterable[Model], prices: Prices) -> None:
    """Have Inspect reckon the cost of every call to these models, where the price is known."""
    for model in models:
        price = price_of(str(model), prices)
        if price is not None:
            cost = ModelCost(
                input=price.input,
                output=price.output,
                input_cache_read=_or(price.cache_read, price.input),
                input_cache_write=_or(price.cache_write, price.input),
            )
            known = get_model_info(model) or ModelInfo()
            set_model_info(str(model), known.model_copy(update={"cost": cost}))


def _or(value: float | None, default: float) -> float:
    return default if value is None else value
