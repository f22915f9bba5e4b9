"""Check a command's output paths before it does any work; report what it wrote."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from pactwin.suite import Record, SuiteInfo


def check_outputs(
    outputs: Iterable[Path | None], inputs: Iterable[Path | None], *, force: bool
) -> None:
    """Raise InvalidInputError if an output would overwrite something.

    An output must not be an input, another output, a folder or a file of a suite; with ``force`` it
    may be an existing file. Empty files count as absent. None is an output that was not requested.
    ``inputs`` may be files or folders.
    """
    from pactwin.suite import InvalidInputError, refuse_inside_suite

    taken = {path.resolve() for path in inputs if path is not None}
    for path in outputs:
        if path is None:
            continue
        target = path.resolve()
        if target in taken:
            raise InvalidInputError(f"{path} is an input or another output: name another file")
        taken.add(target)
        if target.is_dir():
            raise InvalidInputError(f"{path} is a folder: name a file to write")
        refuse_inside_suite(path)
        if target.is_file() and target.stat().st_size and not force:
            raise InvalidInputError(f"{path} exists: --force writes over it")


def write_records(path: Path, records: "Iterable[Record]") -> None:
    """Write a JSON list, one record per line, and print the path."""
    from pactwin.suite import write_file

    lines = ",\n".join(record.model_dump_json() for record in records)
    write_file(path, f"[\n{lines}\n]\n")
    typer.echo(path)


def print_summary(out: str, info: "SuiteInfo", units: str, notes: Sequence[str] = ()) -> None:
    """Print the counts of a suite."""
    from pactwin.suite import shown_url

    counts = ", ".join(f"{info.counts[key]} {key}" for key in (units, "views", "questions"))
    typer.echo(f"{shown_url(out)}: {'; '.join((counts, *notes, info.content_hash))}")
