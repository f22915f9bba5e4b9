"""Tables of words, as the page shows them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PlainTable:
    """A table of words: ``first`` heads the names of the rows, which come first in each."""

    title: str
    first: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
