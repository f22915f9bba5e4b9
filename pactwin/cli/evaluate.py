"""``pactwin eval`` and ``judge-agreement``: answers, and how well they are read."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

import typer

from pactwin.cli.boundary import handle_errors, negative
from pactwin.cli.compare import check_conditions, print_scores
from pactwin.cli.options import FailUnder, JsonPath, SuitePath
from pactwin.cli.outputs import AGREEMENT, check_outputs

ASKED, HOW, SETTINGS, RUNNING = "What is asked", "How it is asked", "Model settings", "Running"
"""Panels of the help of ``eval``."""


@handle_errors
def evaluate(
    suite: SuitePath,
    model: Annotated[
        list[str],
        typer.Option(
            metavar="MODEL", help="Model, as Inspect names it, or pactwin/BASELINE. Repeatable."
        ),
    ],
    model_arg: Annotated[
        list[str] | None,
        typer.Option(
            "--model-arg",
            "-M",
            metavar="NAME=VALUE",
            help="Argument of the models, as masks=true. Repeatable.",
            rich_help_panel=SETTINGS,
        ),
    ] = None,
    kind: Annotated[
        str,
        typer.Option(
            help="Kind of question: constraint, property, affordance, problem, recognition, plan, "
            "named_plan, creative_use, or all.",
            rich_help_panel=ASKED,
        ),
    ] = "all",
    views: Annotated[
        str,
        typer.Option(
            help="View conditions, comma-separated: each, together, or as head+side.",
            rich_help_panel=ASKED,
        ),
    ] = "each",
    form: Annotated[
        str,
        typer.Option(
            help="Form of constraint questions: yes_no, choice, open, all of these, checklist, "
            "outcome, repair, thing, part or told.",
            rich_help_panel=ASKED,
        ),
    ] = "all",
    topic: Annotated[
        str, typer.Option(help="Property asked about, e.g. WEIGHT, or all.", rich_help_panel=ASKED)
    ] = "all",
    limit: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Number of pairs, or single scenes; default: all.",
            rich_help_panel=ASKED,
        ),
    ] = None,
    strategy: Annotated[
        str,
        typer.Option(
            help="Prompting strategy: direct, reason, describe, affordances, verify, views, "
            "self-reflect, divergent-convergent, explore, inspect-last, inspect-all, inspect-text.",
            rich_help_panel=HOW,
        ),
    ] = "direct",
    prompts: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="YAML prompt pack; default: built-in.", rich_help_panel=HOW
        ),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="Judge model for open answers that parsing leaves unclear.",
            rich_help_panel=HOW,
        ),
    ] = None,
    judge_self: Annotated[
        bool,
        typer.Option(
            "--judge-self", help="Allow a model to judge its own answers.", rich_help_panel=HOW
        ),
    ] = False,
    embeddings: Annotated[
        bool,
        typer.Option(
            "--embeddings",
            help="Match affordances by sentence embeddings, too.",
            rich_help_panel=HOW,
        ),
    ] = False,
    epochs: Annotated[
        int,
        typer.Option(
            min=1,
            max=1000,
            metavar="N",
            help="Times that every question is asked.",
            rich_help_panel=ASKED,
        ),
    ] = 1,
    judge_votes: Annotated[
        int,
        typer.Option(
            min=1, help="Verdicts of the judge on an answer to a problem.", rich_help_panel=HOW
        ),
    ] = 3,
    structured: Annotated[
        bool | None,
        typer.Option(
            "--structured/--text",
            help="Ask for answers as JSON that fits a schema, or in words; default: JSON where the "
            "provider is known to keep to schemas.",
            rich_help_panel=HOW,
        ),
    ] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option(
            min=1, help="Maximum output tokens, reasoning included.", rich_help_panel=SETTINGS
        ),
    ] = None,
    reasoning_effort: Annotated[
        Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None,
        typer.Option(
            metavar="LEVEL",
            help="Reasoning effort: none, minimal, low, medium, high, xhigh or max.",
            rich_help_panel=SETTINGS,
        ),
    ] = None,
    reasoning_tokens: Annotated[
        int | None,
        typer.Option(
            min=1, help="Maximum reasoning tokens; some providers only.", rich_help_panel=SETTINGS
        ),
    ] = None,
    log_dir: Annotated[
        Path,
        typer.Option(metavar="DIR", help="Folder of the Inspect logs.", rich_help_panel=RUNNING),
    ] = Path("logs"),
    resume: Annotated[
        bool,
        typer.Option(
            "--resume", help="Continue the unfinished logs in --log-dir.", rich_help_panel=RUNNING
        ),
    ] = False,
    fresh: Annotated[
        bool,
        typer.Option(
            "--fresh", help="Do not reuse replies cached by other runs.", rich_help_panel=RUNNING
        ),
    ] = False,
    max_cost: Annotated[
        float | None,
        typer.Option(metavar="USD", help="Budget of all models together.", rich_help_panel=RUNNING),
    ] = None,
    prices: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="YAML of token prices; overrides the built-in ones.",
            rich_help_panel=RUNNING,
        ),
    ] = None,
    timeout: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="SECONDS",
            help="Retry a call that takes longer than this.",
            rich_help_panel=RUNNING,
        ),
    ] = None,
    max_connections: Annotated[
        int | None,
        typer.Option(
            min=1, help="Maximum concurrent calls; default: adaptive.", rich_help_panel=RUNNING
        ),
    ] = None,
    log_images: Annotated[
        bool | None,
        typer.Option(
            help="Store pictures in the logs; default: if they are few.", rich_help_panel=RUNNING
        ),
    ] = None,
    vision_check: Annotated[
        bool,
        typer.Option(
            help="Refuse models that fail a vision check: naming two colours.",
            rich_help_panel=RUNNING,
        ),
    ] = True,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Only say what it would take: calls, tokens, dollars."),
    ] = False,
    fail_under: FailUnder = None,
) -> None:
    """Ask models a suite's questions; print their scores."""
    from inspect_ai.model import GenerateConfig

    from pactwin.cli.run_display import RunDisplay
    from pactwin.compare import compare_logs
    from pactwin.suite import InvalidInputError, load_suite
    from pactwin.tasks import EvalRequest, read_rows, require_answers, run_eval

    check_conditions(fail_under)
    is_sealed = bool(load_suite(suite).suite.info.request.get("sealed"))
    if is_sealed and fail_under:
        raise InvalidInputError(f"--fail-under: {suite} is sealed, and has no scores here")
    with RunDisplay() as display:
        request = EvalRequest(
            suite=suite,
            models=tuple(model),
            model_args=parse_model_args(model_arg or ()),
            log_dir=log_dir,
            kind=kind,
            views=views,
            form=form,
            topic=topic,
            limit=limit,
            strategy=strategy,
            prompts=prompts,
            judge=judge,
            judge_self=judge_self,
            embeddings=embeddings,
            epochs=epochs,
            judge_votes=judge_votes,
            structured=structured,
            resume=resume,
            fresh=fresh,
            max_cost_usd=max_cost,
            prices=prices,
            log_images=log_images,
            vision_check=vision_check,
            dry_run=dry_run,
            config=GenerateConfig(
                max_tokens=max_tokens,
                reasoning_effort=reasoning_effort,
                reasoning_tokens=reasoning_tokens,
                attempt_timeout=timeout,
                max_connections=max_connections,
            ),
        )
        logs = run_eval(request, display)
    if dry_run:
        return
    display.print_replayed(fresh=fresh)
    if any(asked.failed for asked in display.asked.values()):
        display.print_errors(read_rows(logs))
    stopped = (
        f"stopped at --max-cost: {display.left_out} questions were not asked; the same command "
        "with --resume and a larger budget continues"
    )
    if not logs:
        raise negative(stopped)
    for log in logs:
        typer.echo(log)
    require_answers(read_rows(logs))
    if is_sealed:
        typer.echo(f"{suite} is sealed: its organiser's `pactwin challenge grade` tells the scores")
    else:
        print_scores(compare_logs(logs), fail_under)
    if display.left_out:
        raise negative(stopped)


def parse_model_args(given: Iterable[str]) -> dict[str, object]:
    """``NAME=VALUE`` as {name: value}, values in YAML; InvalidInputError for anything else."""
    from pactwin.suite import InvalidInputError, parse_yaml

    arguments: dict[str, object] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier():
            raise InvalidInputError(f"model argument {text!r}: give NAME=VALUE, as masks=true")
        arguments[name] = parse_yaml(value, f"model argument {text!r}")
    return arguments


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
    votes: Annotated[int, typer.Option(min=1, help="Verdicts on an answer; of suites.")] = 3,
    answers: Annotated[int, typer.Option(min=1, help="Published answers drawn of a suite.")] = 300,
) -> None:
    """Measure how well open answers are read or graded."""
    import json

    from pactwin.cli.tables import add_row, console, plain_table
    from pactwin.suite import InvalidInputError, write_file
    from pactwin.tasks import holds_labelled_uses, measure_agreement, measure_use_agreement

    check_outputs([(json_file, AGREEMENT)], [labels])
    if labels.is_dir():
        from pactwin.cli.macgyver import print_agreement

        return print_agreement(labels, judge, votes, answers, log_dir, json_file)
    if holds_labelled_uses(labels):
        if judge is None:
            raise InvalidInputError("name the judge to compare with --judge")
        found = measure_use_agreement(labels, judge, log_dir=log_dir)
    else:
        found = measure_agreement(labels, judge, log_dir=log_dir)
    if json_file is not None:
        rows = [agreement.model_dump(mode="json") for agreement in found]
        write_file(json_file, json.dumps(rows, indent=1) + "\n")
        typer.echo(json_file)
    heads = ("answers", "failed", "accuracy", "kappa", "definite", "misread")
    table = plain_table(["reader"], heads)
    for a in found:
        kappa = None if a.kappa is None else f"{a.kappa:.3f}"
        add_row(table, a.reader, a.n, a.failed, f"{a.accuracy:.3f}", kappa, a.definite, a.misread)
    console().print(table)
