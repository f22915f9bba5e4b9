"""Tables for the terminal and for log files."""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import typer
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from pactwin.real import TableCheck

LOG_WIDTH = 120
"""Width of lines in a log file, in characters."""
_LONGEST_WORD = 30


def console() -> Console:
    """Console on standard output that does not crop wide tables."""
    return Console(width=None if sys.stdout.isatty() else LOG_WIDTH, soft_wrap=True)


def plain_table(words: Iterable[str], numbers: Iterable[str]) -> Table:
    """An empty table: columns of words, which may wrap, followed by columns of numbers.

    Words of up to 30 characters are never split.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for head in words:
        width = _longest_word(head)
        table.add_column(head, overflow="fold", min_width=width)
    for head in numbers:
        table.add_column(head, justify="right", no_wrap=True)
    return table


def add_row(table: Table, *cells: object) -> None:
    """Add a row; markup in cells is escaped, None is a dash."""
    from pactwin.suite import printable

    shown = ["-" if cell is None else printable(str(cell)) for cell in cells]
    for column, text in zip(table.columns, shown, strict=True):
        if column.min_width is not None:
            column.min_width = max(column.min_width, _longest_word(text))
    table.add_row(*map(escape, shown))


def print_check(check: "TableCheck") -> None:
    """Print the placement of each object and other faults of the table."""
    table = plain_table(["thing", "state"], ["off mm", "yaw deg"])
    for found in check.placements:
        said = f"{found.state} ({found.detail})" if found.detail else found.state
        off = "" if found.position_mm is None else f"{found.position_mm:.0f}"
        yaw = "" if found.yaw_deg is None else f"{found.yaw_deg:.0f}"
        add_row(table, found.name, said, off, yaw)
    console().print(table)
    for line in (*check.faults, *check.remarks):
        typer.echo(str(line))


def _longest_word(text: str) -> int:
    return min(_LONGEST_WORD, max((cell_len(word) for word in text.split()), default=0))
