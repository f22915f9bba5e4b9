"""``pactwin compare``: scores, tests, tables, figures and the gates for CI."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pactwin.cli.boundary import handle_errors, negative
from pactwin.cli.options import FailUnder, JsonPath, LogPaths
from pactwin.cli.outputs import (
    ANSWERS,
    FIGURES,
    LATEX,
    MARKDOWN,
    REPORT,
    SCORES,
    check_outputs,
)

if TYPE_CHECKING:
    from pactwin.compare import Change, Comparison, Perceived, PlainTable, Score, SimToReal


@handle_errors
def compare(
    logs: LogPaths,
    suite: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="SUITE",
            help="Suite of the report's pictures; default: as the logs say. Repeatable.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Report to write, one HTML page.")
    ] = None,
    json_file: JsonPath = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Markdown tables to write, for comments.")
    ] = None,
    latex: Annotated[
        Path | None, typer.Option(metavar="FILE", help="LaTeX tables to write, for papers.")
    ] = None,
    figures: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of figures, as SVG and PDF.")
    ] = None,
    answers: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Table of all answers to write: .csv or .parquet."),
    ] = None,
    published: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Add scores written by as-published --json."),
    ] = None,
    agreement: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What people agreement --json wrote of a suite's judge."),
    ] = None,
    least_agreement: Annotated[
        float, typer.Option(help="Kappa that a judge of problems must reach for conclusions.")
    ] = 0.6,
    detections: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Detections in simulated and captured suites: compare."),
    ] = None,
    baseline: Annotated[
        list[Path] | None,
        typer.Option(metavar="LOG", help="Log or folder of an older run to test for losses."),
    ] = None,
    fail_under: FailUnder = None,
) -> None:
    """Compare models: tables, intervals, a report page."""
    from pactwin.compare import (
        changes,
        check_table_name,
        figure_paths,
        outcome_tables,
        read_comparison,
        write_answers,
        write_latex,
        write_markdown,
        write_scores,
    )
    from pactwin.tasks import logs_in, read_rows, require_alike

    check_conditions(fail_under)
    inputs = [*logs, *(suite or []), *(baseline or []), published, agreement]
    outputs = [(out, REPORT), (json_file, SCORES), (markdown, MARKDOWN), (latex, LATEX)]
    if answers is not None:
        check_table_name(answers)
        outputs.append((answers, ANSWERS[answers.suffix]))
    drawn = [] if figures is None else figure_paths(figures)
    check_outputs([*outputs, *((path, FIGURES[path.suffix]) for path in drawn)], inputs)
    found = read_comparison(logs, suite or None, published, agreement, least_agreement, detections)
    changed: list[Change] = []
    if baseline:
        older = read_rows(logs_in(baseline))
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
    written = [] if figures is None else _draw(found, figures)
    for path in (*(path for path, _ in outputs), *written):
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


def _draw(found: "Comparison", folder: Path) -> list[Path]:
    from pactwin.compare import write_figures

    return write_figures(found.scores, found.curves, folder)


def _print_sim_to_real(panels: "Sequence[SimToReal]") -> None:
    """Each model's gap over all domains, and its score on the table."""
    from pactwin.cli.tables import add_row, console, plain_table

    for panel in panels:
        table = plain_table(
            [f"model, {panel.source} minus simulated"],
            ("pairs", "gap", "95 %", "p (Holm)", "informedness (95 %)", "unanswered", "p (Holm)"),
        )
        gaps = {gap.model: gap.test for gap in panel.gaps if gap.domain == "all"}
        for silence in panel.silences:
            test, powered = gaps.get(silence.model), panel.powered.get(silence.model)
            cells: list[object] = ["", "", "", ""]
            if test is not None:
                interval = f"{test.low:+.2f} {test.high:+.2f}"
                cells = [test.pairs, f"{test.difference:+.2f}", interval, f"{test.p_holm:.3g}"]
            score = powered and (
                f"{2 * powered.value - 1:.2f} "
                f"{2 * powered.low - 1:5.2f} {2 * powered.high - 1:5.2f}"
            )
            captured, sim = (sum(silence.captured.values()), sum(silence.sim.values()))
            p = "" if silence.test is None else f"{silence.test.p_holm:.3g}"
            add_row(table, silence.model, *cells, score, f"{captured} (sim {sim})", p)
        left_out = f"; {len(panel.misplaced)} scenes misplaced" if panel.misplaced else ""
        table.caption = f"{panel.scenes} scenes copied{left_out}"
        if panel.source == "rehearsal":
            table.caption += "; rehearsal says nothing of reality"
        console().print(table)


def _print_perceived(perceived: "Mapping[str, Perceived]") -> None:
    """What a detector finds of the same things, simulated and captured."""
    from pactwin.cli.tables import add_row, console, plain_table

    for source, seen in perceived.items():
        columns = ("scenes", "AP, sim", f"AP, {source}", "recall gap", "95 %")
        table = plain_table([f"detector, {source} minus simulated"], columns)
        between = "" if seen.interval is None else "{:+.2f} to {:+.2f}".format(*seen.interval)
        cells = (f"{seen.sim.ap:.2f}", f"{seen.captured.ap:.2f}", f"{seen.recall_gap:+.2f}")
        add_row(table, seen.detector, seen.scenes, *cells, between)
        console().print(table)


def _print_outcomes(tables: "Sequence[PlainTable]") -> None:
    """Labels against what people saw happen."""
    from pactwin.cli.tables import add_row, console, plain_table

    for told in tables:
        table = plain_table([told.first], told.heads)
        for row in told.rows:
            add_row(table, *row)
        table.title, table.caption = told.title, told.note
        console().print(table)


def check_conditions(fail_under: Sequence[str] | None) -> None:
    """Find mistakes in the gate before anything is paid for."""
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
    """Right answers then and now, with a paired test per model."""
    if not changed:
        return
    from pactwin.cli.tables import add_row, console, plain_table
    from pactwin.compare import change_cells

    heads = ("then", "now", "difference", "95 %", "p (Holm)", "")
    table = plain_table(["model, right since the baseline", "about"], heads)
    for change in changed:
        add_row(table, change.model, change.kind, *change_cells(change))
    console().print(table)
