"""Read logs of other harnesses that ran an export: lmms-eval and VLMEvalKit.

Besides each reply they hold its row of the flat configuration. Replies are parsed and marked here
again, by this version's parser. They also hold the number of planned questions, so that a log with
lost answers is incomplete.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter

from pactwin.suite import (
    SET_FORMS,
    InvalidInputError,
    Record,
    first_fault,
    parse_json,
    read_json,
    read_lines,
)
from pactwin.tasks.core.log_files import check_size
from pactwin.tasks.core.results import Call
from pactwin.tasks.kinds.constraint.marking import mark_row
from pactwin.tasks.kinds.constraint.records import AnswerRow, ConstraintOutcome, SampleFacts

LMMS_EVAL = "*_samples_pactwin_*.jsonl"
VLMEVALKIT = "*_pactwin_openended_*.xlsx"
FOREIGN_LOGS = (LMMS_EVAL, VLMEVALKIT)
"""File name patterns of answer files."""


class _Part(Record):
    """A part of a log; only the keys named here are read."""

    model_config = ConfigDict(extra="ignore", protected_namespaces=())


class _Asked(_Part):
    """A row of the flat configuration, as far as answers need it."""

    kind: str
    question_id: str
    scene_id: str
    pair_id: str
    domain: str
    view: str
    form: str
    truth: str
    feasible: bool
    constraint: str | None
    options: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    equivalent_constraints: tuple[str, ...] = ()
    sample_id: str
    asked: str
    suite_name: str
    suite_hash: str
    picture_paths: tuple[str, ...] = ()
    picture_sha256: tuple[str, ...] = ()


class _Answered(_Part):
    row: _Asked
    reply: str


class _LmmsLine(_Part):
    informedness_strict: _Answered


class _Samples(_Part):
    effective: Annotated[int, Field(ge=0)] = 0


class _LmmsResults(_Part):
    model_name: str
    asked: dict[str, _Samples] = Field(default={}, alias="n-samples")


def _text(value: Any) -> str:
    """The text of a cell; an empty cell is an empty reply."""
    return "" if value is None else str(value)


class _Cells(_Part):
    index: Annotated[int, Field(ge=0)] = 0
    facts: str
    prediction: Annotated[str, BeforeValidator(_text)] = ""


def foreign_reader(path: Path) -> Callable[[Path], Iterator[AnswerRow]] | None:
    """Reader of another harness's answer file; None for any other file."""
    return next((read for name, read in _READERS.items() if path.match(name)), None)


def _lmms_eval(path: Path) -> Iterator[AnswerRow]:
    """The samples of a task; the model's name stands in the results beside them."""
    run, _, task = path.stem.partition("_samples_")
    results = path.with_name(f"{run}_results.json")
    told = _LmmsResults(model_name=path.parent.name)
    if results.is_file():
        told = read_json(TypeAdapter(_LmmsResults), results, "results of lmms-eval")
    lines = read_lines(_LmmsLine, path, "samples of an exported task")
    planned = told.asked.get(task, _Samples()).effective
    yield from _rows(path, told.model_name, [line.informedness_strict for line in lines], planned)


def _vlmevalkit(path: Path) -> Iterator[AnswerRow]:
    """A table of predictions; its name begins with the model's."""
    records, planned = [], 0
    for number, cells in enumerate(_sheet(path), start=2):
        try:
            found = _Cells.model_validate(cells)
            row = _Asked.model_validate(parse_json(found.facts.encode()))
        except ValueError as error:
            raise InvalidInputError(f"{path}, row {number}: {first_fault(error)}") from error
        records.append(_Answered(row=row, reply=found.prediction))
        planned = max(planned, found.index + 1)  # the table counts its rows
    yield from _rows(path, path.name.partition("_pactwin_openended_")[0], records, planned)


_READERS = {LMMS_EVAL: _lmms_eval, VLMEVALKIT: _vlmevalkit}


def _sheet(path: Path) -> Iterator[Mapping[str, Any]]:
    """The rows of a workbook's first sheet by the names in its head."""
    from zipfile import BadZipFile

    from openpyxl import load_workbook

    try:
        check_size(path)
        sheet = load_workbook(path, read_only=True, data_only=True).worksheets[0]
        head, *rows = sheet.iter_rows(values_only=True)
    except (OSError, ValueError, KeyError, IndexError, BadZipFile) as error:
        raise InvalidInputError(
            f"{path} is not a readable table of predictions: {error}"
        ) from error
    for row in rows:
        yield dict(zip(map(str, head), row, strict=False))


def _rows(path: Path, model: str, records: list[_Answered], planned: int) -> Iterator[AnswerRow]:
    """Answers in the order of sample ids; ``planned`` questions were to be asked."""
    for record in sorted(records, key=lambda record: record.row.sample_id):
        row = record.row
        shown = zip(row.picture_paths, row.picture_sha256, strict=False)
        try:
            outcome = ConstraintOutcome(**mark_row(row.model_dump(), record.reply))
            call = Call(
                model=model,
                suite_name=row.suite_name,
                suite_hash=row.suite_hash,
                sample_id=row.sample_id,
                reply=record.reply,
                pictures=dict(shown),
                asked=row.asked,
                run_id=str(path),
                planned=max(planned, len(records)),
                calls=1,
            )
            facts = SampleFacts.model_validate(
                {
                    **row.model_dump(include=set(SampleFacts.model_fields)),
                    "options": row.options if row.form in SET_FORMS else (),
                    "truth_feasible": row.feasible,
                    "truth_constraint": row.constraint,
                }
            )
        except ValueError as error:
            raise InvalidInputError(f"{path}: {first_fault(error)}") from error
        yield AnswerRow(**dict(facts), **dict(outcome), **dict(call))
