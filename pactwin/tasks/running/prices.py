"""Prices of models in a YAML file that users edit; ``prices.yaml`` here explains its keys."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from inspect_ai.model import Model, ModelCost, ModelInfo, get_model_info, set_model_info
from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter

from pactwin.suite import Record, parse_yaml, read_yaml

NonNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class PictureTokens(Record):
    """Tokens per picture; by default one per square of 28 px."""

    tile_px: Positive = 28
    per_tile: NonNegative = 1
    base: NonNegative = 0
    long_side_px: Positive | None = None
    short_side_px: Positive | None = None

    def count(self, width_px: int, height_px: int) -> int:
        """Tokens of one picture of this size."""
        long, short = max(width_px, height_px), min(width_px, height_px)
        scale = min(1.0, (self.long_side_px or long) / long, (self.short_side_px or short) / short)
        tiles = math.prod(math.ceil(side * scale / self.tile_px) for side in (width_px, height_px))
        return math.ceil(self.base + self.per_tile * tiles)


class Price(Record):
    """One entry of the file, in dollars per million tokens.

    With ``family`` it also applies to dated releases: the name, then a date.
    """

    input: NonNegative
    output: NonNegative
    cache_read: NonNegative | None = None
    cache_write: NonNegative | None = None
    reply_tokens: NonNegative = 100
    seconds: Positive = 5.0
    picture: PictureTokens = PictureTokens()
    family: bool = False

    def cost_usd(self, tokens_in: float, tokens_out: float) -> float:
        """Cost in dollars of these numbers of tokens, ignoring the provider's cache."""
        return (self.input * tokens_in + self.output * tokens_out) / 1e6


def _name(name: str) -> str:
    if not name.strip("/") or "*" in name:
        raise ValueError(
            f"{name!r} names no model: give a model's name, a provider's name with / at its end, "
            "or say family: true of a name for its dated releases"
        )
    return name


Prices = Sequence[Mapping[str, Price]]
"""Entries by name: the user's own, then the examples."""
_FILE = TypeAdapter(
    Annotated[
        dict[Annotated[str, AfterValidator(_name)], Price],
        BeforeValidator(lambda read: read or {}),
    ]
)
_RELEASE = re.compile(r"[-@](?:\d{4}-\d\d-\d\d|\d{8}|\d{3,4}|latest)")


def load_prices(path: Path | str | None = None) -> Prices:
    """Prices by model name: those in the file at ``path``, then the built-in examples.

    Raises InvalidInputError that names the entry of a fault.
    """
    own = [] if path is None else [read_yaml(_FILE, Path(path), "prices")[0]]
    return [*own, _examples()]


@cache
def _examples() -> Mapping[str, Price]:
    """The built-in lines."""
    ours = (files(__package__) / "prices.yaml").read_bytes()
    return _FILE.validate_python(parse_yaml(ours, "prices.yaml"))


def price_of(model: str, prices: Prices) -> Price | None:
    """Price of ``model``; None without an entry.

    The longest exact name has priority, then the longest name of a family, then the provider. The
    first file with an entry counts. A name may omit the providers before it.
    """
    for lines in prices:
        matches = [(rank, len(name), name) for name in lines if (rank := _rank(model, name, lines))]
        if matches:
            return lines[max(matches)[2]]
    return None


def _rank(model: str, name: str, lines: Mapping[str, Price]) -> int:
    """3 if ``name`` is that of ``model``, 2 if of its family, 1 if of its provider, else 0."""
    if name.endswith("/"):
        return int(model.startswith(name))
    tail = f"/{model}".rpartition(f"/{name}")
    if not tail[1]:
        return 0
    if not tail[2]:
        return 3
    return 2 if lines[name].family and _RELEASE.fullmatch(tail[2]) else 0


def line_to_add(model: str) -> str:
    """The missing entry for ``model`` in a file of prices."""
    return f'"{model}": {{input: DOLLARS, output: DOLLARS}}'


def register_prices(models: Iterable[Model], prices: Prices) -> None:
    """Register prices in Inspect, so that it computes the cost of every call."""
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
