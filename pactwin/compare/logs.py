"""From log files to scores, the JSON table and the report."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from pactwin.compare.metrics import Score, score
from pactwin.compare.objects.metrics import score_objects
from pactwin.compare.problems.agreement import LEAST_AGREEMENT, JudgeTrust, read_agreements
from pactwin.compare.problems.metrics import score_problems
from pactwin.compare.published import read_published
from pactwin.compare.report import write_report
from pactwin.compare.tools.metrics import score_tools
from pactwin.suite import InvalidInputError, Suite, SuiteError, load_suite, write_file
from pactwin.tasks import (
    AnswerRow,
    ObjectRow,
    ProblemRow,
    Row,
    ToolRow,
    is_macgyver,
    logs_in,
    published_rows,
    read_rows,
    require_asked,
)


def compare_logs(
    paths: Sequence[Path],
    out_html: Path | None = None,
    json_path: Path | None = None,
    suites: Sequence[Path] | None = None,
    published: Path | None = None,
    agreement: Path | None = None,
    least_agreement: float = LEAST_AGREEMENT,
) -> list[Score]:
    """Score the answers in logs (files, or folders of ``.eval`` files) and write what is asked for.

    ``suites`` fill the report's gallery. If None they are looked for where the logs say they were;
    a suite that is no longer there, or has changed, leaves the report without its gallery, and the
    report says so. ``published`` is what ``pactwin as-published --json`` wrote, for the report.
    ``json_path`` gets a list of rows with the fields of :class:`Score`, those about objects with
    the fields of :class:`ObjectScore`. ``agreement`` is what ``pactwin judge-agreement --json``
    wrote of the judges of problems: conclusions rest on one whose lower bound of agreement reaches
    ``least_agreement``. Released answers to the problems asked are scored beside.

    Raises InvalidInputError for logs that cannot be read, that answer what their suite does not
    ask, and for a suite that no log is about; SuiteError for a given folder that is not a suite.
    """
    logs = logs_in(paths)
    rows = read_rows(logs)
    cells = [] if published is None else read_published(published)
    opened = _suites_of(logs, rows) if suites is None else _given(suites, rows)
    for suite in opened:
        require_asked(suite, rows)
    trust = JudgeTrust(tuple(read_agreements(agreement)) if agreement else (), least_agreement)
    problems = [row for row in rows if isinstance(row, ProblemRow)]
    for suite in opened:
        if is_macgyver(suite):
            problems += published_rows(suite, {row.question_id for row in problems})
    scores = _scores(rows) + (score_problems(problems, trust) if problems else [])
    if json_path is not None:
        write_scores(scores, json_path)
    if out_html is not None:
        write_report(
            rows, scores, opened, out_html, published=cells, problems=problems, trust=trust
        )
    return scores


def _scores(rows: Sequence[Row]) -> list[Score]:
    """Scores of answers about constraints, then of those about objects, as far as there are any."""
    constraints = [row for row in rows if isinstance(row, AnswerRow)]
    objects = [row for row in rows if isinstance(row, ObjectRow)]
    scores = score(constraints) if constraints or not rows else []
    tools = [row for row in rows if isinstance(row, ToolRow)]
    return scores + (score_objects(objects) if objects else []) + score_tools(tools)


def write_scores(scores: Sequence[Score], path: Path) -> None:
    """Write scores as JSON: a list of rows, None as null."""
    lines = ",\n".join(json.dumps(asdict(s), allow_nan=False) for s in scores)
    write_file(path, f"[\n{lines}\n]\n")


def _given(paths: Sequence[Path], rows: Sequence[Row]) -> list[Suite]:
    asked = {row.suite_hash for row in rows}
    suites = [load_suite(path).suite for path in paths]
    for suite in suites:
        if suite.info.content_hash not in asked:
            raise InvalidInputError(
                f"no log is about {suite.path} (content hash {suite.info.content_hash[:12]}): "
                f"they are about {', '.join(sorted(h[:12] for h in asked))}"
            )
    return suites


def _suites_of(logs: Sequence[Path], rows: Sequence[Row]) -> list[Suite]:
    """The suites that the logs name, where they still are what was asked."""
    from inspect_ai.log import read_eval_log

    missing = {row.suite_hash for row in rows}
    suites = []
    for log in logs:
        named = read_eval_log(str(log), header_only=True).eval.task_args.get("suite")
        try:
            suite = load_suite(Path(str(named))).suite
        except (SuiteError, OSError, ValueError):  # no file can have any text as its path
            continue  # moved or changed: the report has no gallery of it, and says so
        if suite.info.content_hash in missing:
            missing.remove(suite.info.content_hash)
            suites.append(suite)
    return suites
