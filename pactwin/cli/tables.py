"""Tables on the terminal, and how wide they may be where there is none."""

import sys
from collections.abc import Iterable

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

LOG_WIDTH = 120
"""Characters in a line of a log file; a terminal has a width of its own."""


def console() -> Console:
    """Standard output."""
    return Console(width=None if sys.stdout.isatty() else LOG_WIDTH)


def plain_table(words: Iterable[str], numbers: Iterable[str]) -> Table:
    """A table without rows: heads of columns of words, which may wrap, then of numbers."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in words:
        table.add_column(head, overflow="fold")
    for head in numbers:
        table.add_column(head, justify="right", no_wrap=True)
    return table


def add_row(table: Table, *cells: object) -> None:
    """A row of anything, none of it taken for markup; None is a dash."""
    table.add_row(*("-" if cell is None else escape(str(cell)) for cell in cells))
