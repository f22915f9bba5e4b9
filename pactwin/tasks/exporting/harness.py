"""Folders that other harnesses run unchanged: rows, reader, the harness's own files, README.

A target is a folder of templates. Each file is copied without the suffix ``.in``, with its
placeholders replaced; a file with FORM in its name is written once per form.
"""

import csv
import json
from base64 import b64encode
from collections.abc import Iterator
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Any

from pactwin.solvers import PARSER_VERSION
from pactwin.suite import (
    SET_FORMS,
    InvalidInputError,
    ProgressCallback,
    Suite,
    needs,
    new_folder,
    one_line,
    silent,
    unknown_name,
)
from pactwin.tasks.core.views import EACH
from pactwin.tasks.exporting.flat import flat_features, flat_rows
from pactwin.tasks.exporting.parquet import write_parquet
from pactwin.tasks.exporting.reader_file import READER_FILE, reader_source

TARGETS = {"lmms-eval": "", "inspect": "", "verifiers": "pactwin_constraints", "vlmevalkit": ""}
"""Targets, each with the folder in which it looks for rows and reader."""
_KINDS = ("constraint",)
_DATA = "data"

Rows = Iterator[dict[str, Any]]


def export_harness(
    suite: Suite,
    out: Path,
    target: str,
    views: str = EACH,
    forms: str | None = None,
    progress: ProgressCallback = silent,
) -> dict[str, int]:
    """Write the new folder ``out`` for ``target``; returns the number of questions of each form.

    ``forms`` are forms of questions about constraints, joined by commas; by default all forms of
    the suite. Raises InvalidInputError for an unknown target, view or form, a suite that is sealed
    or has no questions about constraints, and a folder that is not new; SuiteError for a missing or
    changed picture.
    """
    if target not in TARGETS:
        raise unknown_name("target", target, tuple(TARGETS))
    with needs(f"the export to {target} needs datasets", "export"):
        import datasets
    chosen = _forms(suite, forms)
    source = files("pactwin.tasks.exporting") / "templates" / target.replace("-", "_")
    total = suite.info.counts.get("questions", 0)
    written = {}
    with new_folder(out) as folder:
        inside = folder / TARGETS[target]
        for form in chosen:
            rows = _counted(flat_rows(suite, views, _KINDS, form), form, total, progress)
            if target == "vlmevalkit":
                written[form] = write_tsv(folder / f"{table_name(form)}.tsv", rows)
            else:
                written[form] = write_parquet(inside / _DATA / form, flat_features(datasets), rows)
        if not any(written.values()):
            raise InvalidInputError(f"{suite.path} has no question that the views {views} answer")
        (inside / READER_FILE).write_text(reader_source(), encoding="utf-8")
        _copy(source, folder, _words(suite, chosen, written))
    return written


def _forms(suite: Suite, forms: str | None) -> tuple[str, ...]:
    """The forms to write; InvalidInputError for one that the suite does not have."""
    suite.require_truths()
    asked = dict.fromkeys(q.form for q in suite.questions() if q.kind in _KINDS)
    if not asked:
        raise InvalidInputError(f"{suite.path} has no question about constraints")
    chosen = tuple(asked) if forms is None else tuple(form.strip() for form in forms.split(","))
    for form in chosen:
        if form not in asked:
            raise unknown_name("form", form, tuple(asked))
    return tuple(dict.fromkeys(chosen))


def table_name(form: str) -> str:
    """Name of VLMEvalKit's table, which it accepts unchanged because of "openended"."""
    return f"pactwin_openended_{form}"


def _counted(rows: Rows, name: str, total: int, progress: ProgressCallback) -> Rows:
    for number, row in enumerate(rows, start=1):
        progress(name, number, max(number, total))
        yield row


def write_tsv(path: Path, rows: Rows) -> int:
    """Write a table for VLMEvalKit, which keeps the column ``facts`` beside predictions.

    Rows without a picture are left out, because VLMEvalKit would not ask them.
    """
    number = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter="\t", lineterminator="\n")
        table.writerow(("index", "image", "question", "answer", "category", "facts"))
        for row in rows:
            images = row.pop("images")
            if not images:
                continue
            if len(images) > 1:  # it has no place for captions between them
                raise InvalidInputError(
                    f"view {row['view']!r}: VLMEvalKit is sent one picture a question; name "
                    "cameras, or each"
                )
            facts = {name: value for name, value in row.items() if name != "prompt"}
            picture = b64encode(images[0]["bytes"]).decode()
            said = (row["prompt"], row["truth"], row["domain"], json.dumps(facts))
            table.writerow((number, picture, *said))
            number += 1
    return number


def _words(suite: Suite, chosen: tuple[str, ...], written: dict[str, int]) -> dict[str, str]:
    """Values for the templates."""
    return {
        "forms": ",".join(chosen),
        "name": one_line(suite.info.name),
        "made_by": one_line(suite.info.made_by),
        "content_hash": suite.info.content_hash,
        "version": f"pactwin {version('pactwin')}, parser {PARSER_VERSION}",
        "tasks": ",".join(f"pactwin_{form}" for form in chosen),
        "tables": " ".join(map(table_name, chosen)),
        "set_forms": ", ".join(SET_FORMS),
        "table": "\n".join(f"| `{form}` | {n:,} |" for form, n in written.items()),
    }


def _copy(source: Traversable, out: Path, words: dict[str, str]) -> None:
    """Copy a folder of templates."""
    for entry in source.iterdir():
        if entry.is_dir():
            (out / entry.name).mkdir(exist_ok=True)
            _copy(entry, out / entry.name, words)
            continue
        text = entry.read_text(encoding="utf-8")
        name = entry.name.removesuffix(".in")
        forms = list(words["forms"].split(",")) if "FORM" in name else [""]
        for form in forms:
            files = ", ".join(
                str(p.relative_to(out)) for p in sorted(out.glob(f"{_DATA}/{form}/*"))
            )
            given = {**words, "form": form, "files": files}
            filled = Template(text).substitute(given) if name != entry.name else text
            (out / name.replace("FORM", form)).write_text(filled, encoding="utf-8")
