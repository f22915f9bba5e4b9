"""What a command may write over: checked for all its outputs before it does any work.

An output is refused if it is an input too, or if a file stands there that is not an earlier output
of the same kind: a shell that expands ``--out logs/*.eval`` makes the first log the target.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from pactwin.suite import Record

# How files of each kind begin.
REPORT = rb"<!doctype html>(?s:.){,900}<title>pactwin report"
SCORES = rb"\[\n(\{\"(model|system)\": ?\"|\n?\]\n)"
GATE = rb"<!doctype html>(?s:.){,900}<title>pactwin gate"
GATE_ROWS = rb"\[\n\{\"rule\": "
EPISODE = rb"\{\n \"scene\": "
LEADERBOARD = rb"<!doctype html>(?s:.){,900}<title>pactwin leaderboard"
BOARDS = rb"\[\n\{\"suite_name\": "
AGREEMENT = rb"\[\n \{\n  \"(reader|judge)\": "
ENTITIES = rb"\[(\]|\n \{\n  \"entity_name\": )"
IMPORT_REPORT = rb"\{\n \"(consensus|files)\": "
PICTURE = rb"\x89PNG\r\n\x1a\n(?s:.){,40}tEXtSoftware\0pactwin"
PRINT = rb"pactwin"
MARKDOWN = rb"<!-- pactwin compare -->"
LATEX = rb"% pactwin compare;"
ANSWERS = {".csv": rb"kind,model,strategy,", ".parquet": rb"PAR1"}
FIGURES = {".svg": rb"<\?xml (?s:.){,300}<svg ", ".pdf": rb"%PDF-"}
PDF = rb"%PDF-1(?s:.){,60}ReportLab"
RIG = rb"# The capture rig"
BILLS = {
    ".csv": rb"name,shape,count,",
    ".html": rb"<!doctype html><meta charset='utf-8'><title>Bill of materials",
    ".json": rb"\[(\n \{\n  \"name\":|\])",
}
_HEAD_BYTES = 1000


def check_outputs(
    outputs: Sequence[tuple[Path | None, bytes]], inputs: Iterable[Path | None]
) -> None:
    """Raise InvalidInputError for an output that would destroy something.

    ``outputs`` are files with how their kind begins, a regular expression; None is one not asked
    for. ``inputs`` may be files or folders.
    """
    from pactwin.suite import InvalidInputError, refuse_inside_suite

    taken = {path.resolve() for path in inputs if path is not None}
    for path, beginning in outputs:
        if path is None:
            continue
        target = path.resolve()
        if target in taken:
            raise InvalidInputError(f"{path} is an input or another output: name another file")
        taken.add(target)
        if target.is_dir():
            raise InvalidInputError(f"{path} is a folder: name a file to write")
        refuse_inside_suite(path)
        if target.is_file() and target.stat().st_size:
            with target.open("rb") as file:
                ours = re.match(beginning, file.read(_HEAD_BYTES))
            if not ours:
                raise InvalidInputError(
                    f"{path} exists and is not an earlier output of this kind: name another file"
                )


def write_records(path: Path, records: "Iterable[Record]") -> None:
    """Write a JSON list, a record a line, and tell where."""
    from pactwin.suite import write_file

    lines = ",\n".join(record.model_dump_json() for record in records)
    write_file(path, f"[\n{lines}\n]\n")
    typer.echo(path)
