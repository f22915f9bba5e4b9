"""``pactwin compare``: scores, tests, tables, figures and the gates for CI."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pactwin.cli.boundary import handle_errors, negative
from pactwin.cli.options import FailUnder, Force, JsonPath, SuitePath
from pactwin.cli.outputs import check_outputs

if TYPE_CHECKING:
    from pactwin.compare import Change, Perceived, PlainTable, Score, SimToReal


WRITE, RULES, MORE = "Written files", "Rules of published benchmarks", "Evidence from elsewhere"
"""Panels of the help of ``compare``."""

Verifier = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL",
        help="Model that judges replies, where the published rules ask one.",
        rich_help_panel=RULES,
    ),
]
VerifierSelf = Annotated[
    bool,
    typer.Option(
        "--judge-self", help="Allow a model to verify its own answers.", rich_help_panel=RULES
    ),
]
VerifierLogs = Annotated[
    Path,
    typer.Option(metavar="DIR", help="Folder of the verifier's log.", rich_help_panel=RULES),
]


def _file(metavar: str, text: str, panel: str) -> Any:
    return typer.Option(metavar=metavar, help=text, rich_help_panel=panel)


@handle_errors
def compare(
    logs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="LOG...",
            help="Inspect logs, or folders of them; the newest completed run counts.",
        ),
    ] = None,
    suite: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="SUITE",
            help="Suite that the logs answer; default: as the logs say. Repeatable.",
        ),
    ] = None,
    baseline: Annotated[
        list[Path] | None,
        typer.Option(metavar="LOG", help="Log or folder of an older run, to test for losses."),
    ] = None,
    fail_under: FailUnder = None,
    out: Annotated[Path | None, _file("FILE", "Report to write, one HTML page.", WRITE)] = None,
    json_file: Annotated[
        Path | None,
        typer.Option(
            "--json", metavar="FILE", help="JSON file of all scores.", rich_help_panel=WRITE
        ),
    ] = None,
    markdown: Annotated[Path | None, _file("FILE", "Markdown tables, for comments.", WRITE)] = None,
    latex: Annotated[Path | None, _file("FILE", "LaTeX tables, for papers.", WRITE)] = None,
    figures: Annotated[
        Path | None, _file("DIR", "Folder of figures, as SVG and PDF.", WRITE)
    ] = None,
    answers: Annotated[
        Path | None, _file("FILE", "Table of all answers: .csv or .parquet.", WRITE)
    ] = None,
    force: Annotated[
        bool,
        typer.Option("--force", help="Write over files that exist.", rich_help_panel=WRITE),
    ] = False,
    by_rules: Annotated[
        bool,
        typer.Option(
            "--as-published",
            help="Score by the own rules of the published benchmark that the suite was made of; "
            "where answers were published with it, name --suite and no logs.",
            rich_help_panel=RULES,
        ),
    ] = False,
    verifier: Verifier = None,
    judge_self: VerifierSelf = False,
    log_dir: VerifierLogs = Path("verifier-logs"),
    published: Annotated[
        Path | None, _file("FILE", "Add what --as-published --json wrote to the report.", RULES)
    ] = None,
    agreement: Annotated[
        Path | None, _file("FILE", "Add what people agreement --json wrote of a judge.", MORE)
    ] = None,
    least_agreement: Annotated[
        float, _file("KAPPA", "Agreement that a judge of problems needs for conclusions.", MORE)
    ] = 0.6,
    detections: Annotated[
        str | None,
        _file("NAME", "Compare detections of this name, simulated and captured.", MORE),
    ] = None,
) -> None:
    """Compare models: tables, intervals, a report page."""
    from pactwin.compare import (
        changes,
        check_table_name,
        figure_paths,
        outcome_tables,
        read_comparison,
        write_answers,
        write_figures,
        write_latex,
        write_markdown,
        write_scores,
    )
    from pactwin.suite import InvalidInputError
    from pactwin.tasks import FOREIGN_LOGS, logs_in, read_newest, require_alike

    logs = logs or []
    if by_rules:
        extra = (baseline, fail_under, out, markdown, latex, figures, answers, published, agreement)
        if any(extra) or detections or len(suite or ()) > 1:
            raise InvalidInputError(
                "--as-published takes the logs, one --suite, --json, --verifier, --judge-self and "
                "--log-dir, nothing else"
            )
        (about,) = suite or (None,)
        from pactwin.cli.published import print_as_published

        return print_as_published(about, logs, verifier, judge_self, log_dir, json_file, force)
    if not logs:
        raise InvalidInputError("name the logs to compare, or folders of them")
    check_conditions(fail_under)
    inputs = [*logs, *(suite or []), *(baseline or []), published, agreement]
    outputs = [out, json_file, markdown, latex, answers]
    if answers is not None:
        check_table_name(answers)
    drawn = [] if figures is None else figure_paths(figures)
    check_outputs([*outputs, *drawn], inputs, force=force)
    found = read_comparison(logs, suite or None, published, agreement, least_agreement, detections)
    _say_replaced(found.replaced)
    changed: list[Change] = []
    if baseline:
        older, replaced = read_newest(logs_in(baseline, FOREIGN_LOGS))
        _say_replaced(replaced)
        require_alike([*found.rows, *older])
        changed = changes(found.rows, older)
    if out is not None:
        found.write_report(out)
    if json_file is not None:
        write_scores(found.scores, json_file)
    if markdown is not None:
        write_markdown(found.scores, changed, markdown)
    if latex is not None:
        write_latex(found.scores, latex)
    if answers is not None:
        write_answers(found.rows, answers)
    written = [] if figures is None else write_figures(found.scores, found.curves, figures)
    for path in (*outputs, *written):
        if path is not None:
            typer.echo(path)
    print_scores(found.scores, fail_under=None)
    _print_sim_to_real(found.sim_to_real)
    _print_perceived(found.perceived)
    _print_outcomes(outcome_tables(found.scenes.values()))
    _print_changes(changed)
    lost = [f"{c.model} is worse than the baseline ({c.kind})" for c in changed if c.is_loss]
    missed = _missed(found.scores, fail_under)
    if lost or missed:
        raise negative("; ".join([*lost, *missed]))


@handle_errors
def as_published(
    suite: SuitePath,
    logs: Annotated[list[Path] | None, typer.Argument(metavar="LOG...")] = None,
    verifier: Verifier = None,
    judge_self: VerifierSelf = False,
    log_dir: VerifierLogs = Path("verifier-logs"),
    json_file: JsonPath = None,
    force: Force = False,
) -> None:
    """The former command ``as-published``."""
    from pactwin.cli.published import print_as_published

    print_as_published(suite, logs or [], verifier, judge_self, log_dir, json_file, force)


def _print_sim_to_real(panels: "Sequence[SimToReal]") -> None:
    """Each model's gap over all domains, and its score on captures."""
    from pactwin.cli.tables import add_row, console, plain_table

    for panel in panels:
        table = plain_table(
            [f"model, {panel.source} minus simulated"],
            ("pairs", "gap", "95 %", "p (Holm)", "informedness (95 %)", "unanswered", "p (Holm)"),
        )
        gaps = {gap.model: gap.test for gap in panel.gaps if gap.domain == "all"}
        for silence in panel.silences:
            test, ppi = gaps.get(silence.model), panel.ppi.get(silence.model)
            cells: list[object] = ["", "", "", ""]
            if test is not None:
                interval = f"{test.low:+.2f} {test.high:+.2f}"
                cells = [test.pairs, f"{test.difference:+.2f}", interval, f"{test.p_holm:.3g}"]
            score = ppi and (
                f"{2 * ppi.value - 1:.2f} {2 * ppi.low - 1:5.2f} {2 * ppi.high - 1:5.2f}"
            )
            captured, sim = (sum(silence.captured.values()), sum(silence.sim.values()))
            p = "" if silence.test is None else f"{silence.test.p_holm:.3g}"
            add_row(table, silence.model, *cells, score, f"{captured} (sim {sim})", p)
        left_out = f"; {len(panel.misplaced)} scenes misplaced" if panel.misplaced else ""
        table.caption = f"{panel.scenes} scenes copied{left_out}"
        if panel.source == "rehearsal":
            table.caption += "; a rehearsal is no measure of reality"
        console().print(table)


def _print_perceived(perceived: "Mapping[str, Perceived]") -> None:
    """Detections of the same objects, simulated and captured."""
    from pactwin.cli.tables import add_row, console, plain_table

    for source, seen in perceived.items():
        columns = ("scenes", "AP, sim", f"AP, {source}", "recall gap", "95 %")
        table = plain_table([f"detector, {source} minus simulated"], columns)
        between = "" if seen.interval is None else "{:+.2f} to {:+.2f}".format(*seen.interval)
        cells = (f"{seen.sim.ap:.2f}", f"{seen.captured.ap:.2f}", f"{seen.recall_gap:+.2f}")
        add_row(table, seen.detector, seen.scenes, *cells, between)
        console().print(table)


def _print_outcomes(tables: "Sequence[PlainTable]") -> None:
    """Labels against outcomes that people recorded."""
    from pactwin.cli.tables import add_row, console, plain_table

    for each in tables:
        table = plain_table([each.first], each.heads)
        for row in each.rows:
            add_row(table, *row)
        table.title, table.caption = each.title, each.note
        console().print(table)


def _say_replaced(logs: "Mapping[Path, str]") -> None:
    """Say which logs do not count, or not with all answers, and why."""
    for log, reason in logs.items():
        typer.echo(f"other answers count in place of those in {log}: {reason}", err=True)


def check_conditions(fail_under: Sequence[str] | None) -> None:
    """Raise InvalidInputError for a malformed condition before any model is asked."""
    from pactwin.compare import gate

    for condition in fail_under or ():
        gate([], condition)


def print_scores(scores: "Sequence[Score]", fail_under: Sequence[str] | None) -> None:
    """Print the tables; exit with 1 if a model is under a limit."""
    from pactwin.cli.tables import console
    from pactwin.compare import rankings, terminal_table

    out = console()
    for table in rankings(scores, brief=True):
        out.print(terminal_table(table))
    if missed := _missed(scores, fail_under):
        raise negative("; ".join(missed))


def _missed(scores: "Sequence[Score]", fail_under: Sequence[str] | None) -> list[str]:
    from pactwin.compare import gate

    return [str(v) for condition in fail_under or () for v in gate(scores, condition)]


def _print_changes(changed: "Sequence[Change]") -> None:
    """Correct answers before and now, with a paired test per model."""
    if not changed:
        return
    from pactwin.cli.tables import add_row, console, plain_table
    from pactwin.compare import change_cells

    heads = ("before", "now", "difference", "95 %", "p (Holm)", "")
    table = plain_table(["model, correct since the baseline", "kind"], heads)
    for change in changed:
        add_row(table, change.model, change.kind, *change_cells(change))
    console().print(table)
