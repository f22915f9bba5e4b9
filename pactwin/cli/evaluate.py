"""``pactwin eval``: ask models, and print their scores."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from pactwin.cli.boundary import handle_errors, negative
from pactwin.cli.compare import check_conditions, print_scores
from pactwin.cli.options import FailUnder, SuitePath

ASKED, HOW, SETTINGS, RUNNING = "What is asked", "How it is asked", "Model settings", "Running"
"""Panels of the help of ``eval``."""


def _option(text: str, panel: str, *names: str, **settings: Any) -> Any:
    return typer.Option(*names, help=text, rich_help_panel=panel, **settings)


@handle_errors
def evaluate(
    suite: SuitePath,
    model: Annotated[
        list[str],
        typer.Option(
            metavar="MODEL",
            help="Models as Inspect names them, or pactwin/BASELINE; joined by commas or repeated.",
        ),
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only estimate calls, tokens and dollars.")
    ] = False,
    fail_under: FailUnder = None,
    kind: Annotated[
        str,
        _option(
            "Kind of question: constraint, property, affordance, problem, recognition, plan, "
            "named_plan, creative_use, ladder, or all.",
            ASKED,
        ),
    ] = "all",
    views: Annotated[
        str,
        _option("View conditions, comma-separated: each, joint, or as head+side.", ASKED),
    ] = "each",
    form: Annotated[
        str,
        _option(
            "Form of constraint questions: yes_no, choice, open, all of these, checklist, "
            "outcome, repair, thing, part or told.",
            ASKED,
        ),
    ] = "all",
    topic: Annotated[str, _option("Property asked about, e.g. WEIGHT, or all.", ASKED)] = "all",
    limit: Annotated[
        int | None,
        _option("Number of pairs, or single scenes; default: all.", ASKED, min=1, metavar="N"),
    ] = None,
    epochs: Annotated[
        int,
        _option("Times that every question is asked.", ASKED, min=1, max=1000, metavar="N"),
    ] = 1,
    strategy: Annotated[
        str,
        _option(
            "Prompting strategy: direct, reason, describe, affordances, verify, views, "
            "self-reflect, divergent-convergent, explore, inspect-last, inspect-all, inspect-text.",
            HOW,
        ),
    ] = "direct",
    prompts: Annotated[
        Path | None, _option("YAML prompt pack; default: built-in.", HOW, metavar="FILE")
    ] = None,
    structured: Annotated[
        bool | None,
        _option(
            "Ask for answers as JSON that fits a schema, or in words; default: JSON where the "
            "provider is known to keep to schemas.",
            HOW,
            "--structured/--text",
        ),
    ] = None,
    confidence: Annotated[
        bool,
        _option(
            "Ask yes/no questions alone, for a probability beside yes, no or unsure.",
            HOW,
            "--confidence",
        ),
    ] = False,
    logprobs: Annotated[
        int | None,
        _option(
            "Log probabilities of N candidates for each token, as 5 or 20, where the provider "
            "gives them.",
            HOW,
            min=1,
            max=20,
            metavar="N",
        ),
    ] = None,
    judge: Annotated[
        str | None,
        _option("Judge of open answers that parsing leaves unclear.", HOW, metavar="MODEL"),
    ] = None,
    judge_self: Annotated[
        bool, _option("Allow a model to judge its own answers.", HOW, "--judge-self")
    ] = False,
    judge_votes: Annotated[
        int, _option("Verdicts of the judge on an answer to a problem.", HOW, min=1)
    ] = 3,
    embeddings: Annotated[
        bool, _option("Match affordances by sentence embeddings, too.", HOW, "--embeddings")
    ] = False,
    log_dir: Annotated[Path, _option("Folder of the Inspect logs.", RUNNING, metavar="DIR")] = Path(
        "logs"
    ),
    resume: Annotated[
        bool, _option("Continue the unfinished logs in --log-dir.", RUNNING, "--resume")
    ] = False,
    no_cache: Annotated[
        bool, _option("Do not reuse replies cached by other runs.", RUNNING, "--no-cache")
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", hidden=True)] = False,
    max_cost: Annotated[
        float | None, _option("Budget of all models together.", RUNNING, metavar="USD")
    ] = None,
    prices: Annotated[
        Path | None,
        _option("YAML of token prices; overrides the built-in ones.", RUNNING, metavar="FILE"),
    ] = None,
    timeout: Annotated[
        int | None,
        _option("Retry a call that takes longer than this.", RUNNING, min=1, metavar="SECONDS"),
    ] = None,
    max_connections: Annotated[
        int | None, _option("Maximum concurrent calls; default: adaptive.", RUNNING, min=1)
    ] = None,
    log_images: Annotated[
        bool | None,
        _option("Store pictures in the logs; default: if they are few.", RUNNING),
    ] = None,
    vision_check: Annotated[
        bool, _option("Refuse models that fail a vision check: naming two colours.", RUNNING)
    ] = True,
    model_arg: Annotated[
        list[str] | None,
        _option(
            "Argument of the models, as masks=true. Repeatable.",
            SETTINGS,
            *("--model-arg", "-M"),
            metavar="NAME=VALUE",
        ),
    ] = None,
    max_tokens: Annotated[
        int | None, _option("Maximum output tokens, reasoning included.", SETTINGS, min=1)
    ] = None,
    reasoning_effort: Annotated[
        Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None,
        _option(
            "Reasoning effort: none, minimal, low, medium, high, xhigh or max.",
            SETTINGS,
            metavar="LEVEL",
        ),
    ] = None,
    reasoning_tokens: Annotated[
        int | None, _option("Maximum reasoning tokens; some providers only.", SETTINGS, min=1)
    ] = None,
) -> None:
    """Ask models a suite's questions; print their scores."""
    from inspect_ai.model import GenerateConfig

    from pactwin.cli.run_display import RunDisplay
    from pactwin.compare import compare_logs
    from pactwin.suite import InvalidInputError, load_suite
    from pactwin.tasks import EvalRequest, read_rows, require_answers, run_eval

    check_conditions(fail_under)
    if fresh:
        typer.echo("pactwin: `--fresh` is now `--no-cache`", err=True)
    is_sealed = load_suite(suite).suite.is_sealed
    if is_sealed and fail_under:
        raise InvalidInputError(f"--fail-under: {suite} is sealed and has no scores here")
    with RunDisplay() as display:
        request = EvalRequest(
            suite=suite,
            models=tuple(name.strip() for one in model for name in one.split(",")),
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
            confidence=confidence,
            resume=resume,
            no_cache=no_cache or fresh,
            max_cost_usd=max_cost,
            prices=prices,
            log_images=log_images,
            vision_check=vision_check,
            dry_run=dry_run,
            config=GenerateConfig(
                max_tokens=max_tokens,
                reasoning_effort=reasoning_effort,
                reasoning_tokens=reasoning_tokens,
                logprobs=None if logprobs is None else True,
                top_logprobs=logprobs,
                attempt_timeout=timeout,
                max_connections=max_connections,
            ),
        )
        logs = run_eval(request, display)
    if dry_run:
        display.print_free()
        return
    display.print_replayed(no_cache=no_cache or fresh)
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
        typer.echo(
            f"{suite} is sealed: its organiser computes the scores with `pactwin challenge grade`"
        )
    else:
        print_scores(compare_logs(logs), fail_under)
    if display.left_out:
        raise negative(stopped)


def parse_model_args(given: Iterable[str]) -> dict[str, object]:
    """Parse ``NAME=VALUE`` arguments, values in YAML; InvalidInputError for anything else."""
    from pactwin.suite import InvalidInputError, parse_yaml

    arguments: dict[str, object] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier():
            raise InvalidInputError(f"model argument {text!r}: give NAME=VALUE, as masks=true")
        arguments[name] = parse_yaml(value, f"model argument {text!r}")
    return arguments
