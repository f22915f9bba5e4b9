"""Declaration of a published benchmark, which importing and scoring use."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

from pactwin.suite import Question, Record, Scene, Suite, View
from pactwin.tasks.core.results import Row

R = TypeVar("R", bound=Row)

ConsensusRule = Literal["unanimous", "majority", "all"]
"""Selection of questions: all annotators agree, more than half do, or all questions."""
Scores = dict[str, str | int | float | None]
Verify = Callable[[Iterable[Any]], Mapping[Any, Any]]
"""Asks a verifier model about claims; returns its verdicts."""


@dataclass(frozen=True)
class ImportedScene:
    """A scene, its questions, and its files by path."""

    scene: Scene
    questions: Sequence[Question]
    files: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Source:
    """Published data as read, before it becomes a suite.

    ``data`` is a hash of everything that determines the suite's content. ``scenes`` yields
    ``total`` scenes, None for one whose pictures cannot be read. ``found`` is called after the last
    of them; it returns additional fields of the report.
    """

    data: str
    total: int
    scenes: Callable[[], Iterator[ImportedScene | None]]
    found: Callable[[], Mapping[str, Any]] = dict


class PublishedTable(Record):
    """Scores by a benchmark's own rules, one row per model and cell.

    Strings are row headings, integers are counts, fractions are shares; None is an undefined share.
    """

    title: str
    note: str = ""
    rows: tuple[Scores, ...]

    @property
    def heads(self) -> tuple[str, ...]:
        """Column heads."""
        return tuple(dict.fromkeys(head for row in self.rows for head in row))


@dataclass(frozen=True)
class Benchmark:
    """One published benchmark.

    ``title`` is its name in sentences; ``suite_name`` is the name of suites made from it, also in
    their request. ``packages`` made them.

    ``read`` reads a folder and logs issues. It raises InvalidInputError for a folder or file that
    is not the benchmark's. If annotators ``vote``, it also takes the ConsensusRule.

    ``score`` makes tables of answers to a suite by the published rules. If these ask a verifier
    model, ``verifier`` prepares it (its name, the folder of its log), and ``unverified`` says what
    is left out without one. ``released`` are answers that were published with the suite, for
    questions with the given ids; then ``score`` needs no others.
    """

    title: str
    suite_name: str
    read: Callable[..., Source]
    score: Callable[[Suite, Sequence[Row], Verify | None], Sequence[PublishedTable]]
    packages: tuple[str, ...] = ()
    vote: bool = False
    verifier: Callable[[str, Path | str], Verify] | None = None
    unverified: str = ""
    released: Callable[[Suite, Collection[str]], list[Row]] | None = None


def imported_scene(id: str, domain: str, views: Sequence[View] = (), robot: str = "") -> Scene:
    """A scene with its pictures, if any, and no further records."""
    return Scene(
        id=id, domain=domain, source="imported", seed=0, robot=robot, objects=(), views=tuple(views)
    )


def content_digest(files: Iterable[Path]) -> "hashlib._Hash":
    """Hash over names and contents of the existing ``files``."""
    digest = hashlib.sha256()
    for path in files:
        if path.is_file():
            digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest


def by_model(rows: Iterable[R]) -> dict[str, list[R]]:
    """Rows of each model, in order."""
    found: dict[str, list[R]] = {}
    for row in rows:
        found.setdefault(row.model, []).append(row)
    return found
