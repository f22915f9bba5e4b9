"""Import published data as a suite, with a report of all issues."""

from importlib.metadata import version
from pathlib import Path

from pactwin.suite import (
    InvalidInputError,
    ProgressCallback,
    Question,
    SuiteInfo,
    SuiteWriter,
    silent,
    write_file,
)
from pactwin.tasks.published import benchmark
from pactwin.tasks.published.contract import ConsensusRule
from pactwin.tasks.published.issues import FileCount, ImportReport, IssueLog


def import_report_path(out: Path) -> Path:
    """Path of the import report, beside the suite at ``out``."""
    return out.with_name(out.name + ".import.json")


def import_published(
    name: str,
    root: Path,
    out: Path,
    consensus: ConsensusRule | None = None,
    progress: ProgressCallback = silent,
) -> tuple[SuiteInfo, ImportReport]:
    """Write the suite at ``out`` and its report, or resume an unfinished one.

    Every row and picture of the benchmark ``name`` is either in the suite or among the report's
    issues with a reason. Pictures keep their bytes. Nothing outside ``root`` is read, whatever
    names and links say. ``consensus`` is for benchmarks whose annotators vote; the default is
    majority.

    Raises InvalidInputError for an unknown benchmark, a ``consensus`` that it does not use, and a
    folder or file that is not the benchmark's; SuiteError if ``out`` holds something else;
    EnvironmentFaultError if it cannot be written.
    """
    declared, issues = benchmark(name), IssueLog()
    if consensus and not declared.vote:
        raise InvalidInputError(f"{declared.title} holds no votes: leave out --consensus")
    rules = {"consensus": consensus or "majority"} if declared.vote else {}
    source = declared.read(root, issues, *rules.values())
    questions: dict[str, tuple[Question, ...]] = {}
    with SuiteWriter.open(
        out,
        name=declared.suite_name,
        request={"source": declared.suite_name, **rules, "data": source.data},
        packages={package: version(package) for package in declared.packages},
        gl_renderer="none",
    ) as writer:
        for done, unit in enumerate(source.scenes(), start=1):
            if unit is not None:
                questions[unit.scene.id] = tuple(unit.questions)
                if writer.info is None and len(questions) > writer.units_done:
                    writer.add((unit.scene,), unit.files, {})
            progress("scenes", done, source.total)
        fields = {"pictures": FileCount(), "data": source.data, **source.found()}
        kinds = dict.fromkeys(sorted({issue.kind for issue in issues.all}), 0)
        for issue in issues.all:
            kinds[issue.kind] += 1
        report = ImportReport(
            files=issues.files(), issues_by_kind=kinds, issues=tuple(issues.all), **fields
        )
        _write_report(report, import_report_path(out))
        if writer.info is None:
            writer.finish(lambda scenes: questions[scenes[0].id])
    if writer.info is None:
        raise RuntimeError("a finished suite has its info")
    return writer.info, report


def _write_report(report: ImportReport, path: Path) -> None:
    """Write a report as JSON, one issue a line."""
    head = report.model_dump_json(indent=1, exclude={"issues"})[:-2]
    lines = ",\n".join(issue.model_dump_json() for issue in report.issues)
    write_file(path, f'{head},\n "issues": [\n{lines}\n ]\n}}\n')
