"""The commands and their options; the modules beside this one carry them out."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from pactwin.cli.arguments import (
    Address,
    EngineName,
    FailUnder,
    LogPaths,
    NewSuite,
    PictureSize,
    ReasoningEffort,
    RobotMapping,
    RobotModelPath,
    RobotName,
    Seed,
    SuitePath,
    Workers,
    group,
)
from pactwin.cli.boundary import shown
from pactwin.cli.layouts import as_published, reading, writing

app = typer.Typer(
    name="pactwin",
    help="Does a vision-language model understand what must hold before a robot acts?",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)
make = group("Make suites.")
annotate = group("Have people answer.")
mirror = group("Set simulated scenes up on a real table.")
app.add_typer(make, name="make")
app.add_typer(annotate, name="annotate")
app.add_typer(mirror, name="mirror")
app.add_typer(reading, name="import")
app.add_typer(writing, name="export")


def main() -> None:
    """Run the command line."""
    app()


@make.command()
@shown
def constraints(
    out: NewSuite,
    seed: Seed,
    pairs: Annotated[int, typer.Option(min=1, help="Twin pairs in all, domains in turn.")],
    domains: Annotated[str, typer.Option(help="Names with commas; default: all.")] = "all",
    robot: RobotName = None,
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
    cameras: Annotated[str, typer.Option(help="Names with commas; default: all.")] = "all",
    size: PictureSize = "640x480",
    engine: EngineName = "local",
    address: Address = None,
    workers: Workers = None,
) -> None:
    """Simulate twin scenes in which an action can and cannot be done, and ask about them."""
    from pactwin.cli.constraints import run
    from pactwin.cli.robots import RobotChoice

    choice = RobotChoice(robot, robot_model, robot_mapping)
    run(out, seed, pairs, domains, choice, cameras, size, engine, address, workers)


@make.command()
@shown
def objects(
    out: NewSuite,
    seed: Seed,
    kinds: Annotated[
        str, typer.Option("--kinds", "--categories", help="Names with commas; default: all.")
    ] = "all",
    assets: Annotated[
        str, typer.Option(help="Where objects come from: builtin, robosuite or robocasa.")
    ] = "builtin",
    background: Annotated[
        Literal["plain", "transparent", "table"], typer.Option(help="Of the turntable.")
    ] = "plain",
    size: PictureSize = "512x512",
    engine: EngineName = "local",
    address: Address = None,
    workers: Workers = None,
) -> None:
    """Photograph objects from 24 sides and among others; ask what they are like and good for."""
    from pactwin.cli.objects import run

    run(out, seed, kinds, assets, background, size, engine, address, workers)


@app.command()
@shown
def check(suite: SuitePath) -> None:
    """Name every fault of a suite: files, records, twins, visibility, leaks of the label."""
    from pactwin.cli.suites import check as run

    run(suite)


@app.command()
@shown
def show(
    suite: SuitePath,
    scene: Annotated[str | None, typer.Argument(help="Id of a scene; default: all pairs.")] = None,
    out: Annotated[Path, typer.Option(help="The PNG to write.")] = Path("contact-sheet.png"),
    rerun: Annotated[bool, typer.Option("--rerun", help="Open the scene in Rerun.")] = False,
) -> None:
    """Draw scenes with questions and truth, beside their twins if they have any."""
    from pactwin.cli.suites import show as run

    run(suite, scene, out, rerun)


@app.command()
@shown
def retrial(
    suite: SuitePath,
    seed: Annotated[int, typer.Option(min=0, help="Of the pose noise.")] = 1,
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
) -> None:
    """Simulate every trial of a suite again with other noise; say how many labels agree."""
    from pactwin.cli.retrial import run
    from pactwin.cli.robots import RobotChoice

    run(suite, seed, RobotChoice(None, robot_model, robot_mapping))


@app.command()
@shown
def robot(
    name: RobotName = None,
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
    out: Annotated[Path, typer.Option(help="The PNG to write.")] = Path("robot.png"),
) -> None:
    """Draw a robot at the table with its hands and what it reaches; say what it is made of."""
    from pactwin.cli.robots import RobotChoice, run

    run(RobotChoice(name, robot_model, robot_mapping), out)


@mirror.command()
@shown
def materials(
    suite: SuitePath,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a .csv, .html or .json instead.")
    ] = None,
    stl: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write what can be printed as STL files.")
    ] = None,
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
) -> None:
    """List what has to be owned to copy a suite's scenes: sizes, masses, where to get it."""
    from pactwin.cli.mirror import materials as run
    from pactwin.cli.robots import RobotChoice

    run(suite, out, stl, RobotChoice(None, robot_model, robot_mapping))


@app.command("eval")
@shown
def evaluate(
    suite: SuitePath,
    model: Annotated[
        list[str], typer.Option(help="As Inspect names it, or pactwin/BASELINE. Repeatable.")
    ],
    kind: Annotated[
        str, typer.Option(help="constraint, property, affordance, or all that the suite asks.")
    ] = "all",
    views: Annotated[
        str, typer.Option(help="each, all, or cameras joined by +; commas separate conditions.")
    ] = "each",
    form: Annotated[
        str, typer.Option(help="Of constraint questions: yes_no, choice, open or all.")
    ] = "all",
    topic: Annotated[
        str, typer.Option(help="Of property questions: WEIGHT, or another, or all.")
    ] = "all",
    limit: Annotated[
        int | None, typer.Option(min=1, help="Ask about this many pairs, or single scenes.")
    ] = None,
    strategy: Annotated[
        str, typer.Option(help="direct, reason, describe, affordances, verify or views.")
    ] = "direct",
    prompts: Annotated[
        Path | None, typer.Option(metavar="FILE", help="YAML pack of prompts; default: ours.")
    ] = None,
    judge: Annotated[
        str | None, typer.Option(help="Model that reads open answers ours cannot.")
    ] = None,
    judge_self: Annotated[
        bool, typer.Option("--judge-self", help="Let a model judge answers of its own.")
    ] = False,
    embeddings: Annotated[
        bool, typer.Option("--embeddings", help="Compare affordances by a sentence encoder too.")
    ] = False,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, help="Longest reply, thoughts too.")
    ] = None,
    reasoning_effort: ReasoningEffort = None,
    reasoning_tokens: Annotated[
        int | None, typer.Option(min=1, help="Most tokens it thinks; some providers only.")
    ] = None,
    log_dir: Annotated[Path, typer.Option(help="Folder of the Inspect logs.")] = Path("logs"),
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the logs that are in --log-dir.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Use no replies that were given for other --log-dirs.")
    ] = False,
    max_cost: Annotated[
        float | None, typer.Option(metavar="USD", help="Stop before more than this is spent.")
    ] = None,
    prices: Annotated[
        Path | None, typer.Option(metavar="FILE", help="YAML of prices; goes before our examples.")
    ] = None,
    timeout: Annotated[
        int | None, typer.Option(min=1, metavar="SECONDS", help="Try a call anew after this long.")
    ] = None,
    max_connections: Annotated[
        int | None, typer.Option(min=1, help="Calls at once; default: adapts to the provider.")
    ] = None,
    log_images: Annotated[
        bool | None, typer.Option(help="Put pictures into the logs; default: if they are few.")
    ] = None,
    sight: Annotated[
        bool, typer.Option(help="Refuse models that cannot name a picture's colour.")
    ] = True,
    fail_under: FailUnder = None,
) -> None:
    """Ask models a suite's questions; print their scores."""
    from pactwin.cli.scores import evaluate as run

    run(
        suite,
        model,
        log_dir,
        fail_under or [],
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
        max_tokens=max_tokens,
        reasoning_effort=reasoning_effort,
        reasoning_tokens=reasoning_tokens,
        resume=resume,
        fresh=fresh,
        max_cost_usd=max_cost,
        prices=prices,
        attempt_timeout=timeout,
        max_connections=max_connections,
        log_images=log_images,
        sight=sight,
    )


@app.command()
@shown
def compare(
    logs: LogPaths,
    suite: Annotated[
        list[Path] | None, typer.Option(help="Suite to show; default: where the logs found it.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write the report, one HTML page.")] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write every score as rows.")
    ] = None,
    published: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Show what as-published --json wrote.")
    ] = None,
    fail_under: FailUnder = None,
) -> None:
    """Compare what models answered: tables, intervals, a page with pictures."""
    from pactwin.cli.scores import compare as run

    run(logs, suite or [], out, json_file, fail_under or [], published)


@app.command("judge-agreement")
@shown
def judge_agreement(
    labels: Annotated[Path, typer.Argument(metavar="LABELS", help="JSONL of labelled answers.")],
    judge: Annotated[
        str | None, typer.Option(help="Model to compare; default: our own reading alone.")
    ] = None,
    log_dir: Annotated[Path, typer.Option(help="Folder of the judge's log.")] = Path("logs"),
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the figures as JSON.")
    ] = None,
) -> None:
    """Compare how open answers are read with labels given by hand."""
    from pactwin.cli.judging import run

    run(labels, judge, log_dir, json_file)


@annotate.command("export")
@shown
def annotate_export(
    suite: SuitePath,
    out: Annotated[Path, typer.Argument(metavar="FOLDER", help="New folder of the projects.")],
    view: Annotated[str, typer.Option(help="What people see: a camera, or some joined by +.")],
    seed: Annotated[int, typer.Option(min=0, help="Of the tasks' order.")] = 0,
) -> None:
    """Write a suite's questions as Label Studio projects."""
    from pactwin.cli.annotating import export as run

    run(suite, out, view, seed)


@annotate.command("import")
@shown
def annotate_import(
    suite: SuitePath,
    exports: Annotated[
        list[Path], typer.Argument(metavar="EXPORT...", help="Label Studio's JSON exports.")
    ],
    out: Annotated[Path, typer.Option(help="New folder of the answers.")],
    log_dir: Annotated[
        Path | None, typer.Option(help="Also score people, as models; folder of their logs.")
    ] = None,
) -> None:
    """Read what people answered, how far they agree, and what it took them."""
    from pactwin.cli.annotating import read as run

    run(suite, exports, out, log_dir)


app.command("as-published")(as_published)


@app.command()
@shown
def doctor() -> None:
    """Say what works on this machine, and how to mend what does not."""
    from pactwin.cli.doctor import run

    run()
