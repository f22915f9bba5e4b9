"""Read the three published files (allenai/MacGyver, Apache-2.0) row by row, with corrected types.

``problem_solution_pair.xlsx`` has all problems, each with one rated answer of GPT-4;
``additional_human_solutions.xlsx`` has unrated answers of people to some of them;
``benchmark_results.json`` has rated answers of people and machines to the problems it evaluates.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from pactwin.suite import InvalidInputError, RatedAnswer, read_untrusted
from pactwin.tasks.kinds.problem.scoring import RATINGS
from pactwin.tasks.published.issues import IssueKind, IssueLog
from pactwin.tasks.published.macgyver.workbook import MAX_BYTES, read_cells

PROBLEMS = "problem_solution_pair.xlsx"
HUMAN = "additional_human_solutions.xlsx"
BENCHMARK_FILE = "benchmark_results.json"

SOLVED = ("efficient", "inefficient", "correct_right_reason")
"""Labels of correct answers: any other label in the file of problems means no solution."""
LABELS = {
    "Yes": ("efficient", "inefficient", "infeasible", "none"),
    "No": ("correct_right_reason", "correct_wrong_reason", "wrong_solution"),
}
"""Labels of GPT-4's answers, by ``Solvable?``."""
CLAIMS: dict[str, Literal["solvable", "unsolvable"]] = {"Yes": "solvable", "No": "unsolvable"}
"""Published values of ``Solvable?``, in pactwin's words."""
_UNCONVENTIONAL = {"Yes": ("unconventional", "conventional"), "No": ("N/A",)}
SYSTEMS = {
    "Prolific": "human",
    "solutions_gpt4": "GPT-4",
    "gpt4-prompt-2": "GPT-4 prompt 2",
    "gpt4-prompt-3": "GPT-4 prompt 3",
    "gpt4-prompt-4": "GPT-4 prompt 4",
    "solutions_gpt35": "GPT-3.5",
    "solutions_claude2": "Claude 2",
    "solutions_bard": "PaLM 2",
    "llama2_7b_solutions": "Llama 2 7B",
    "llama2_13b_solutions": "Llama 2 13B",
    "llama2_70b_solutions": "Llama 2 70B",
}
"""Sources of answers, by the benchmark's name, with the name in tables."""

_COLUMNS = {
    PROBLEMS: ("ID", "Problem", "Solvable?", "Unconventional?", "Solution", "Label"),
    HUMAN: ("ID", "Problem", "Solvable?", "Solution"),
}
_LINE_END = re.compile(r"<br\s*/?>[^\S\n]*\n?|\r\n?|_x000D_\n?", re.I)


@dataclass(frozen=True)
class PublishedProblem:
    """A problem with GPT-4's answer: flags and label as published, text cleaned."""

    row: int
    id: str
    problem: str
    solvable: str
    unconventional: str
    solution: str
    label: str


class _Entry(BaseModel):
    """One record of the benchmark."""

    model: str = Field(pattern=r"\S")
    annotation: str = ""
    solution: str = Field(pattern=r"\S")


@dataclass
class PublishedFiles:
    """All usable rows in file order, and counts of the values in each column."""

    problems: dict[str, PublishedProblem] = field(default_factory=dict)
    answers: dict[str, list[RatedAnswer]] = field(default_factory=lambda: defaultdict(list))
    values: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))


def read_files(folder: Path, issues: IssueLog) -> PublishedFiles:
    """Read the rows of all three files; issues go to ``issues``.

    Raises InvalidInputError for a folder without the file of problems, and for an unreadable file.
    """
    if not (folder / PROBLEMS).is_file():
        raise InvalidInputError(f"{folder} is not MacGyver's data: there is no {PROBLEMS} in it")
    found = PublishedFiles()
    _read_problems(folder / PROBLEMS, found, issues)
    readers: dict[str, Callable[[Path, PublishedFiles, IssueLog], None]] = {
        HUMAN: _read_human,
        BENCHMARK_FILE: _read_benchmark,
    }
    for name, read in readers.items():
        if (folder / name).is_file():
            read(folder / name, found, issues)
        else:
            issues.note(IssueKind.MISSING_FILE, name)
    return found


def clean(text: str) -> str:
    """``text`` with line ends for ``<br>`` and the like, and without white space around lines."""
    lines = (line.strip() for line in _LINE_END.sub("\n", text).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _read_problems(path: Path, found: PublishedFiles, issues: IssueLog) -> None:
    known: dict[str, str] = {}
    for row, fields in _sheet_rows(path, found, issues):
        id, flag, label = fields["ID"], fields["Solvable?"], fields["Label"]
        if id in found.problems:
            issues.skip(IssueKind.REPEATED_ID, PROBLEMS, id, row)
            continue
        every = [name for names in LABELS.values() for name in names]
        if flag not in LABELS or label not in every:
            issues.skip(IssueKind.UNKNOWN_VALUE, PROBLEMS, id, row, f"{flag} {label}")
            continue
        if label not in LABELS[flag] or fields["Unconventional?"] not in _UNCONVENTIONAL[flag]:
            what = f"Solvable? {flag}, {fields['Unconventional?']}, {label}"
            issues.skip(IssueKind.UNFIT_LABEL, PROBLEMS, id, row, what)
            continue
        words = " ".join(fields["Problem"].casefold().split())
        if known.setdefault(words, id) != id:
            issues.note(IssueKind.REPEATED_PROBLEM, PROBLEMS, id, row, known[words])
        if label not in SOLVED:
            issues.note(IssueKind.NO_REFERENCE, PROBLEMS, id, row, label)
        found.problems[id] = PublishedProblem(
            row, id, fields["Problem"], flag, fields["Unconventional?"], fields["Solution"], label
        )


def _read_human(path: Path, found: PublishedFiles, issues: IssueLog) -> None:
    for row, fields in _sheet_rows(path, found, issues):
        id, claim = fields["ID"], fields["Solvable?"]
        problem = found.problems.get(id)
        if problem is None:
            issues.skip(IssueKind.UNKNOWN_ID, HUMAN, id, row)
            continue
        if claim not in LABELS:
            issues.skip(IssueKind.UNKNOWN_VALUE, HUMAN, id, row, claim)
            continue
        if fields["Problem"] != problem.problem:
            issues.note(IssueKind.OTHER_TEXT, HUMAN, id, row, fields["Problem"])
        if claim != problem.solvable:
            issues.note(IssueKind.OTHER_CLAIM, HUMAN, id, row, claim)
        found.answers[id].append(
            RatedAnswer(source=HUMAN, claim=CLAIMS[claim], text=fields["Solution"])
        )


def _read_benchmark(path: Path, found: PublishedFiles, issues: IssueLog) -> None:
    for id, row, record in _records(path):
        issues.count_rows(BENCHMARK_FILE)
        try:
            entry = _Entry.model_validate(record)
        except ValidationError:
            issues.skip(IssueKind.BLANK_FIELD, BENCHMARK_FILE, id, row)
            continue
        source, rating, text = entry.model, entry.annotation, entry.solution
        found.values[f"{BENCHMARK_FILE}: model"][source] += 1
        found.values[f"{BENCHMARK_FILE}: annotation"][rating or "(none)"] += 1
        if id not in found.problems:
            issues.skip(IssueKind.UNKNOWN_ID, BENCHMARK_FILE, id, row)
            continue
        if rating and rating not in RATINGS:
            issues.skip(IssueKind.UNKNOWN_VALUE, BENCHMARK_FILE, id, row, rating)
            continue
        if not rating:
            issues.note(IssueKind.NO_RATING, BENCHMARK_FILE, id, row, source)
        if source not in SYSTEMS:
            issues.note(IssueKind.UNKNOWN_SYSTEM, BENCHMARK_FILE, id, row, source)
        cleaned = clean(text)
        if cleaned != text:
            issues.note(IssueKind.MARKUP, BENCHMARK_FILE, id, row)
        before = [a for a in found.answers[id] if a.source == source and a.text == cleaned]
        if before:
            same = any(a.rating == rating for a in before)
            kind = IssueKind.REPEATED_ANSWER if same else IssueKind.RERATED_ANSWER
            issues.note(kind, BENCHMARK_FILE, id, row, f"{source}: {rating}")
        found.answers[id].append(RatedAnswer(source=source, rating=rating, text=cleaned))


def _sheet_rows(
    path: Path, found: PublishedFiles, issues: IssueLog
) -> Iterator[tuple[int, dict[str, str]]]:
    """Line and fields of each row of a workbook's first sheet that has all its fields, cleaned."""
    file, columns = path.name, _COLUMNS[path.name]
    rows = read_cells(path)
    head = [str(cell).strip() for _, cells in rows[:1] for cell in cells if cell is not None]
    if missing := [name for name in columns if name not in head]:
        raise InvalidInputError(f"{path} has no column {missing[0]!r}: it needs {columns}")
    for number, cells in rows[1:]:
        issues.count_rows(file)
        raw = dict(zip(head, cells, strict=False))
        id = raw.get("ID")
        if isinstance(id, float) and id.is_integer():
            id = int(id)
        if isinstance(id, int) and not isinstance(id, bool):
            issues.note(IssueKind.NUMBER_AS_ID, file, str(id), number)
            raw["ID"] = id = str(id)
        texts = {name: raw.get(name) for name in columns}
        for name in columns:
            if name.endswith("?") or name == "Label":
                found.values[f"{file}: {name}"][str(texts[name])] += 1
        blank = [n for n, text in texts.items() if not isinstance(text, str) or not text.strip()]
        if blank:
            issues.skip(IssueKind.BLANK_FIELD, file, str(id or ""), number, blank[0])
            continue
        fields = {name: clean(str(text)) for name, text in texts.items()}
        if fields != texts:
            issues.note(IssueKind.MARKUP, file, fields["ID"], number)
        yield number, fields


def _records(path: Path) -> Iterator[tuple[str, int, dict[str, object]]]:
    """Id, number under that id (from 1) and fields of each record of the benchmark."""
    try:
        # As pairs, so that an id that stands there twice keeps both lists.
        entries = json.loads(read_untrusted(path, MAX_BYTES), object_pairs_hook=_Pairs.of)
    except OSError as error:
        raise InvalidInputError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"{path} is not JSON: {error}") from error
    if not isinstance(entries, _Pairs):
        raise InvalidInputError(f"{path} is not an object of ids with lists of answers")
    numbers: Counter[str] = Counter()
    for id, records in entries:
        if not isinstance(records, list) or not all(isinstance(r, _Pairs) for r in records):
            raise InvalidInputError(f"{path}: {id!r} has no list of answers")
        for record in records:
            numbers[id] += 1
            yield id, numbers[id], dict(record)


class _Pairs(list):  # a JSON object, as a list of its keys with their values
    @classmethod
    def of(cls, pairs: list[tuple[str, object]]) -> "_Pairs":
        """``pairs``; lone surrogates, which no file can hold, are written as escapes."""
        return cls((_kept(key), _kept(value)) for key, value in pairs)


def _kept(value: Any) -> Any:
    return value.encode(errors="backslashreplace").decode() if isinstance(value, str) else value
