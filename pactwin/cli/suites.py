"""Commands about one suite: ``check`` and ``show``."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pactwin.cli.boundary import handle_errors, negative
from pactwin.cli.options import (
    Force,
    PicturePath,
    RobotChoice,
    RobotMapping,
    RobotModelPath,
    SuitePath,
)
from pactwin.cli.outputs import check_outputs

if TYPE_CHECKING:
    from pactwin.suite import Scene, Suite


@handle_errors
def check(
    suite: SuitePath,
    margins: Annotated[
        Path | None,
        typer.Option(metavar="PNG", help="Draw histograms of distances from limits, by check."),
    ] = None,
    retrial: Annotated[
        bool, typer.Option("--retrial", help="Repeat all trials with other noise.")
    ] = False,
    affordances: Annotated[
        bool,
        typer.Option(
            "--affordances", help="Compare simulated uses with the catalogue or the rules."
        ),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the noise of --retrial.")] = 1,
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
    force: Force = False,
) -> None:
    """List the faults of a suite: files, records, label leaks.

    --retrial and --affordances run afterwards, unless files or records have faults.
    """
    if retrial:  # refused before all is checked
        with_trials(suite, ladders=True)
        RobotChoice(None, robot_model, robot_mapping).load()
    check_outputs([margins], [suite], force=force)
    found = _check(suite, margins)
    if retrial:
        found += _retry(suite, seed)
    if affordances:
        compare_affordances(suite)
    if found:
        raise negative(f"{suite}: {', '.join(found)}")


def _check(suite: Path, margins: Path | None) -> list[str]:
    """Print faults and label leaks, and describe a suite without faults; returns leaks, counted.

    Raises Exit after faults of files or records: nothing else can be relied on then.
    """
    from pactwin.cli.progress import steps
    from pactwin.suite import Suite, check_leaks, check_suite, draw_margins, read_info

    read_info(suite)
    with steps() as progress:
        faults = check_suite(suite, progress)
        leaks = [] if faults else check_leaks(Suite.open(suite), progress)
    leaking = [fault for leak in leaks if (fault := leak.fault())]
    for fault in faults or leaking:
        typer.echo(str(fault))
    if faults:
        raise negative(f"{suite}: {_counted(len(faults), 'fault')}")
    _tell_versions(suite)
    opened = Suite.open(suite)
    counts = opened.info.counts
    units = "pairs" if counts["pairs"] else "scenes"
    shown = ", ".join(_counted(counts[key], key[:-1]) for key in (units, "views", "questions"))
    judged = sum(1 for leak in leaks if not leak.note)
    wrong = [_counted(len(leaking), "label leak")] if leaking else []
    leaks_found = f"{wrong[0] if wrong else 'no label leaks'} ({_counted(judged, 'test')})"
    if not judged:
        leaks_found = f"too few {units} to test for label leaks"
    typer.echo(f"{suite}: no faults in {shown}; {leaks_found}")
    if counts["pairs"]:
        _describe_pairs(opened)
    if margins is not None:
        typer.echo(draw_margins(opened.scenes(), margins))
    return wrong


def _describe_pairs(suite: "Suite") -> None:
    """Print the best single quantities, the share of everyday things, and distances by check."""
    import numpy as np

    from pactwin.cli.tables import add_row, console, plain_table
    from pactwin.suite import distances, fullest_bin, repetitions, score_shortcuts

    table = plain_table(["domain", "best single quantity"], ["pairs", "informedness"])
    for score in score_shortcuts(suite.pairs()):
        found = f"{score.informedness:+.2f} ± {score.within:.2f}"
        add_row(table, score.domain, score.quantity, score.pairs, found)
    if table.rows:
        console().print(table)
    scenes = list(suite.scenes())
    if named := _everyday(scenes):
        typer.echo(named)
    table = plain_table(["check"], ["least", "half", "most", "fullest of ten bins", "repeated"])
    times = repetitions(scenes)
    for check, left in distances(scenes).items():
        quartiles = (f"{value:+.3g}" for value in np.percentile(left, (0, 50, 100)))
        often = "{} to {}".format(*times.get(check.partition(",")[0], (0, 0)))
        add_row(table, f"{check} ({len(left)})", *quartiles, f"{fullest_bin(left):.0%}", often)
    table.caption = (
        "signed distances from the limits of checks, of all scenes; how often a check was repeated"
    )
    if table.rows:  # uses have trials, but no checks
        console().print(table)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _tell_versions(suite: Path) -> None:
    """Print packages whose versions differ from those that made the suite."""
    from pactwin.sim import environment_versions
    from pactwin.suite import Suite

    made_with, here = Suite.open(suite).info.packages, environment_versions()
    others = [
        f"{name} {version} (here {here[name]})"
        for name, version in made_with.items()
        if here.get(name, version) != version
    ]
    if others:
        typer.echo(
            f"{suite}: made with {', '.join(others)}: here the same seed may give another content "
            "hash, and trials near a limit another label"
        )


@handle_errors
def show(
    suite: SuitePath,
    scene: Annotated[
        str | None,
        typer.Argument(metavar="SCENE", help="Number in pactwin ls, or id; default: all pairs."),
    ] = None,
    out: PicturePath = Path("contact-sheet.png"),
    rerun: Annotated[bool, typer.Option("--rerun", help="Open the scene in Rerun.")] = False,
    detections: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Detections to show in Rerun; see pactwin detect."),
    ] = None,
    force: Force = False,
) -> None:
    """Draw scenes with their questions and gold answers."""
    from pactwin.suite import InvalidInputError, Suite, contact_sheet, show_in_rerun

    if detections is not None and not rerun:
        raise InvalidInputError("--detections are shown by --rerun: give both")
    if not rerun:
        check_outputs([out], [suite], force=force)
    opened = Suite.open(suite)
    if not rerun:
        typer.echo(contact_sheet(opened, scene, out))
    elif scene is None:
        first = next(opened.scenes())
        raise InvalidInputError(f"--rerun shows one scene: name its id, such as {first.id}")
    elif detections is None:
        show_in_rerun(opened, scene)
    else:
        from pactwin.perception import labelled_boxes, read_detections

        boxes = labelled_boxes(read_detections(opened, detections), opened.scene(scene).id)
        show_in_rerun(opened, scene, detected=boxes)


@handle_errors
def retry(
    suite: SuitePath,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the pose noise.")] = 1,
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
) -> None:
    """Repeat a suite's trials with different noise."""
    RobotChoice(None, robot_model, robot_mapping).load()
    if found := _retry(suite, seed):
        raise negative(f"{suite}: {', '.join(found)}")


def _retry(suite: Path, seed: int) -> list[str]:
    """Print which labels a repeated trial gives again; returns how many differ, if any do."""
    from pactwin.cli.progress import steps
    from pactwin.sim import other_versions, retry_trials
    from pactwin.suite import bin_of

    opened = with_trials(suite, ladders=True)
    tried: Counter[str] = Counter()
    agreed: Counter[str] = Counter()
    done = same = 0
    bins = {s.id: bin_of(s.verdict) for s in opened.scenes() if s.verdict is not None}
    for trial, (then, now) in sorted(other_versions(opened.scenes()).items()):
        typer.echo(f"{trial}: labelled by trials of version {then}, repeated by version {now}")
    with steps() as progress:
        for done, outcome in enumerate(retry_trials(opened, seed), start=1):
            same += outcome.agrees
            for group in (outcome.domain, bins[outcome.scene_id]):
                tried[group] += 1
                agreed[group] += outcome.agrees
            if not outcome.agrees:
                typer.echo(f"{outcome.scene_id} ({outcome.domain}): {outcome.reason}")
            progress("trials", done, len(bins))
    for group in sorted(tried, key=lambda g: (g in bins.values(), g)):
        typer.echo(f"{group}: {agreed[group]} of {tried[group]} labels agree")
    typer.echo(f"{suite}: {same} of {done} labels agree")
    differ = done - same
    return [f"{differ} label{'s differ' if differ > 1 else ' differs'}"] if differ else []


def _everyday(scenes: "Sequence[Scene]") -> str:
    """How many of the things that actions name, targets and places, are everyday things, if any.

    "The two white cans" name the left one and the right one. Scenes of a table whose label is not
    verified have no verdict, and name nothing.
    """
    from pactwin.catalogue import load_catalogue

    known = load_catalogue().knows
    named = [
        known(obj.asset)
        for scene in scenes
        if scene.verdict is not None
        for obj in scene.objects
        if obj.name in scene.decided.objects and _one_of_two(obj.name) in scene.decided.action
    ]
    if not named:
        return ""
    share = f"{100 * sum(named) / len(named):.0f} %"
    return f"{sum(named)} of {len(named)} targets and places ({share}) are everyday things"


def _one_of_two(name: str) -> str:
    """The name without a leading side: "white can" of "left white can"."""
    side, _, both = name.partition(" ")
    return both if side in ("left", "right", "near", "far") else name


@handle_errors
def compare_affordances(suite: SuitePath) -> None:
    """Compare simulated uses with affordances or with rules."""
    from pactwin.cli.tables import add_row, console, plain_table
    from pactwin.sim import affordance_agreement, use_names
    from pactwin.suite import InvalidInputError, Suite
    from pactwin.tasks import knowledge_path

    if knowledge_path(suite).exists():
        return _print_rules(Suite.open(suite))
    scenes = [scene for scene in with_trials(suite).scenes() if scene.domain in use_names()]
    if not scenes:
        raise InvalidInputError(f"{suite} has no uses: it was not made by `pactwin make uses`")
    columns = ["both", "catalogue only", "trial only", "neither", "kappa", "as labelled"]
    table = plain_table(["use"], columns)
    for row in affordance_agreement(scenes):
        counts = row.both, row.rule_only, row.trial_only, row.neither
        kappa = f"{row.kappa:+.2f}"
        add_row(table, row.use, *counts, kappa, f"{row.as_labelled} of {row.asked}")
    table.caption = "things by who says that they serve: the catalogue's affordances, the trial"
    console().print(table)


def _print_rules(suite: "Suite") -> None:
    """Print how the rules of creative tasks agree with trials, for uses that have one."""
    from pactwin.cli.tables import add_row, console, plain_table
    from pactwin.sim import MeantUse, rule_agreement
    from pactwin.suite import InvalidInputError
    from pactwin.tasks import knowledge_path, read_knowledge

    seed = suite.info.request.get("seed")
    if not isinstance(seed, int):
        raise InvalidInputError(f"{suite.path} has no seed in its request: its things are unknown")
    known = read_knowledge(knowledge_path(suite.path))
    tasks = [MeantUse(p.use, p.limits, p.kind, p.part, p.others) for p in known.plans.values()]
    columns = ["both", "rule only", "trial only", "neither", "no room", "agreed"]
    columns += ["meant serve", "alone"]
    table = plain_table(["use"], columns)
    rows = rule_agreement(tasks, known.entities, seed)
    if not rows:
        raise InvalidInputError(
            f"{suite.path} asks for no use that can be played: there is no trial"
        )
    for row in rows:
        counts = row.both, row.rule_only, row.trial_only, row.neither
        agreed = None if row.agreed is None else f"{row.agreed:.1%}"
        meant = [f"{count} of {row.meant}" for count in (row.meant_serve, row.unique)]
        add_row(table, row.use, *counts, row.no_room, agreed, *meant)
    table.caption = "things by who says that they serve: the rule of the needs played, the trial"
    console().print(table)


def with_trials(path: Path, *, ladders: bool = False) -> "Suite":
    """The suite at ``path``; InvalidInputError if no scene has a twin.

    With ``ladders``, steps of ladders are accepted too.
    """
    from pactwin.suite import InvalidInputError, Suite

    suite = Suite.open(path)
    stepped = ladders and any(scene.step for scene in suite.scenes())
    if not suite.info.counts["pairs"] and not stepped:
        raise InvalidInputError(
            f"{path} has no trials: it was not made by `pactwin make constraints`"
        )
    return suite
