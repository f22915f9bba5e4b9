"""``pactwin mirror``: copies of simulated scenes on a real table."""

from collections.abc import Iterator
from pathlib import Path

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pactwin.cli.progress import steps
from pactwin.real import (
    MASS_TOLERANCE,
    PRINT_WALL_M,
    Material,
    bill_of_materials,
    write_bill,
    write_prints,
)
from pactwin.suite import Scene, Suite


def materials(path: Path, out: Path | None, stl: Path | None) -> None:
    """Print what the suite's scenes need, or write it to ``out``; and prints into ``stl``."""
    suite = Suite.open(path)
    with steps() as progress:

        def counted() -> Iterator[Scene]:
            for done, scene in enumerate(suite.scenes(), start=1):
                yield scene
                progress("scenes", done, suite.info.counts["scenes"])

        bill = bill_of_materials(counted())
    if out is None:
        Console().print(_table(bill))
    else:
        write_bill(bill, out)
        typer.echo(out)
    if stl is not None:
        typer.echo(f"{stl}: {write_prints(bill, stl)} shapes to print")
    for material in bill:
        if material.doubt:
            typer.echo(f"{material.item.name} ({material.shape}): {material.doubt}")
    shapes = len({material.shape for material in bill})
    typer.echo(f"{path}: {len(bill)} things of {shapes} shapes")


def _table(bill: list[Material]) -> Table:
    table = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        caption=(
            f"prints: walls of {1e3 * PRINT_WALL_M:.1f} mm, infill for the mass within "
            f"{MASS_TOLERANCE:.0%}; sizes may be off by 1 mm"
        ),
    )
    for head in ("thing", "shape", "material", "get"):
        table.add_column(head, overflow="fold")
    for head in ("count", "scenes", "mm", "g"):
        table.add_column(head, justify="right", no_wrap=True)
    for material in bill:
        size = " x ".join(f"{1e3 * extent:.0f}" for extent in material.size_m)
        cells = (
            material.item.name,
            material.shape,
            material.item.material,
            _where(material),
            str(material.count),
            str(len(material.scenes)),
            size,
            f"{1e3 * material.item.mass_kg:.0f}",
        )
        table.add_row(*map(escape, cells))
    return table


def _where(material: Material) -> str:
    if material.infill is None:
        return material.get
    least, most = material.infill
    printed = f"print, {least:.0%} to {most:.0%} infill"
    return f"{printed}; or {material.get}" if material.get else printed
