"""``pactwin people agreement``: how well parser and judges agree with people."""

from pathlib import Path
from typing import Annotated

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import Force, JsonPath
from pactwin.cli.outputs import check_outputs, write_records


@handle_errors
def judge_agreement(
    labels: Annotated[
        Path,
        typer.Argument(metavar="LABELS", help="JSONL of labelled answers, or a MacGyver suite."),
    ],
    judge: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="Judge model to compare; default: only the parser."),
    ] = None,
    log_dir: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the judge's log.")] = Path(
        "logs"
    ),
    json_file: JsonPath = None,
    force: Force = False,
    votes: Annotated[int, typer.Option(min=1, help="Verdicts on an answer; of suites.")] = 3,
    answers: Annotated[int, typer.Option(min=1, help="Published answers drawn of a suite.")] = 300,
) -> None:
    """Measure how well open answers are parsed or graded."""
    from pactwin.cli.tables import add_row, console, plain_table
    from pactwin.suite import InvalidInputError
    from pactwin.tasks import holds_labelled_uses, measure_agreement, measure_use_agreement

    check_outputs([json_file], [labels], force=force)
    if labels.is_dir():
        return _grade_published(labels, judge, votes, answers, log_dir, json_file)
    if holds_labelled_uses(labels):
        if judge is None:
            raise InvalidInputError("name the judge to compare with --judge")
        found = measure_use_agreement(labels, judge, log_dir=log_dir)
    else:
        found = measure_agreement(labels, judge, log_dir=log_dir)
    if json_file is not None:
        write_records(json_file, found)
    heads = ("answers", "failed", "accuracy", "kappa", "definite", "misread")
    table = plain_table(["reader"], heads)
    for a in found:
        kappa = None if a.kappa is None else f"{a.kappa:.3f}"
        add_row(table, a.reader, a.n, a.failed, f"{a.accuracy:.3f}", kappa, a.definite, a.misread)
    console().print(table)


def _grade_published(
    path: Path, judge: str | None, votes: int, answers: int, log_dir: Path, json_file: Path | None
) -> None:
    """Have published answers graded; print and write how that agrees with people's ratings."""
    from pactwin.cli.tables import add_row, console, plain_table
    from pactwin.compare import judge_agreement
    from pactwin.suite import InvalidInputError, Suite
    from pactwin.tasks import CATEGORIES, grade_published, judge_name

    suite = Suite.open(path)
    if not any(question.answers for question in suite.questions()):
        raise InvalidInputError(f"{path} has no answers that people rated: import MacGyver's")
    if judge is None:
        raise InvalidInputError("name the judge to compare with --judge")
    graded = grade_published(suite, judge, votes=votes, answers=answers, log_dir=log_dir)
    found = judge_agreement(judge_name(judge, votes), graded)
    if json_file is not None:
        write_records(json_file, [found])
    table = plain_table([found.judge], ("value", "95 %", "answers"))
    named = {"accuracy": found.accuracy, "correct or not": found.correct, "kappa": found.kappa}
    named |= {f"recall {c}": found.recall[c] for c in CATEGORIES}
    named |= {f"precision {c}": found.precision[c] for c in CATEGORIES}
    for name, e in named.items():
        value = None if e.value is None else f"{e.value:.3f}"
        bounds = None if e.low is None or e.high is None else f"{e.low:.3f} to {e.high:.3f}"
        add_row(table, name, value, bounds, e.n)
    console().print(table)
    typer.echo(f"{found.by_rule} graded by rule, without the judge; {found.failed} failed")
