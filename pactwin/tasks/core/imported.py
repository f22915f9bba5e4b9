"""Writing a suite of what others published, and a report of all that was odd beside it."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from pactwin.suite import Question, Scene, SuiteInfo, SuiteWriter, View, write_file
from pactwin.tasks.core.import_issues import IssueReport

Report = TypeVar("Report", bound=IssueReport)


@dataclass(frozen=True)
class ImportedScene:
    """A scene, what is asked about it, and its files by path."""

    scene: Scene
    questions: Sequence[Question]
    files: Mapping[str, bytes] = field(default_factory=dict)


def imported_scene(id: str, domain: str, views: Sequence[View] = (), robot: str = "") -> Scene:
    """A scene that others published: nothing is known of it but its pictures, if it has any."""
    return Scene(
        id=id, domain=domain, source="imported", seed=0, robot=robot, objects=(), views=tuple(views)
    )


def import_report_path(out: Path) -> Path:
    """Where the report of an import into the suite at ``out`` is: beside it."""
    return out.with_name(out.name + ".import.json")


def write_imported(
    out: Path,
    source: str,
    request: Mapping[str, str],
    packages: Iterable[str],
    scenes: Iterable[ImportedScene],
    report: Callable[[Sequence[Question]], Report],
) -> tuple[SuiteInfo, Report]:
    """Write the suite at ``out``, or go on with one that is half-written, and its report.

    ``source`` is the suite's name; ``request`` tells apart what else decides its content;
    ``packages`` made it. ``report`` is called once all ``scenes`` are read, with all questions.
    Raises SuiteError if ``out`` holds something else, EnvironmentFaultError where it cannot be
    written.
    """
    questions: dict[str, Sequence[Question]] = {}
    with SuiteWriter.open(
        out,
        name=source,
        request={"source": source, **request},
        packages={package: version(package) for package in packages},
        gl_renderer="none",
    ) as writer:
        for done, part in enumerate(scenes, start=1):
            questions[part.scene.id] = part.questions
            if writer.info is None and done > writer.units_done:
                writer.add((part.scene,), part.files, {})
        found = report([question for asked in questions.values() for question in asked])
        _write_report(found, import_report_path(out))
        if writer.info is None:
            writer.finish(lambda scenes: questions[scenes[0].id])
    if writer.info is None:
        raise RuntimeError("a finished suite has its info")
    return writer.info, found


def content_digest(files: Iterable[Path]) -> "hashlib._Hash":
    """A hash over names and contents of those of ``files`` that are there."""
    digest = hashlib.sha256()
    for path in files:
        if path.is_file():
            digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest


def _write_report(report: IssueReport, path: Path) -> None:
    """Write a report as JSON, one issue a line."""
    head = report.model_dump_json(indent=1, exclude={"issues"})[:-2]
    lines = ",\n".join(issue.model_dump_json() for issue in report.issues)
    write_file(path, f'{head},\n "issues": [\n{lines}\n ]\n}}\n')
