"""``pactwin check`` and ``pactwin show``: is a suite what it says, and what is in it."""

from pathlib import Path

import typer

from pactwin.cli.boundary import found
from pactwin.cli.progress import steps
from pactwin.suite import (
    InvalidInputError,
    Suite,
    check_leaks,
    check_suite,
    contact_sheet,
    is_url,
    local_copy,
    read_info,
    show_in_rerun,
)


def fetched(place: str) -> Path:
    """The folder of the suite at a path, or of a copy of the one at a URL."""
    if not is_url(place):
        return Path(place)
    with steps() as progress:
        return local_copy(place, progress)


def with_trials(path: Path) -> Suite:
    """The suite at ``path``; InvalidInputError if no scene of it has a twin, and so a trial."""
    suite = Suite.open(path)
    if not suite.info.counts["pairs"]:
        raise InvalidInputError(
            f"{path} has no trials: it is no suite of `pactwin make constraints`"
        )
    return suite


def check(path: Path) -> None:
    """Print every fault of the suite, one a line; exit code 1 if there is any.

    Raises SuiteError if there is no suite to be checked.
    """
    read_info(path)
    with steps() as progress:
        faults = check_suite(path, progress)
        if not faults:
            leaks = check_leaks(Suite.open(path), progress)
            faults = [fault for leak in leaks if (fault := leak.fault())]
    for fault in faults:
        typer.echo(str(fault))
    if faults:
        raise found(f"{path}: {len(faults)} fault{'s' if len(faults) > 1 else ''}")
    counts = Suite.open(path).info.counts
    units = "pairs" if counts["pairs"] else "scenes"
    shown = ", ".join(f"{counts[key]} {key}" for key in (units, "views", "questions"))
    if not counts["pairs"]:
        typer.echo(f"{path}: no faults in {shown}")
        return
    judged = sum(1 for leak in leaks if not leak.note)
    leaks_found = f"nothing gives the labels away ({judged} tests)"
    if not judged:
        leaks_found = "too few pairs to test for leaks"
    typer.echo(f"{path}: no faults in {shown}; {leaks_found}")


def show(path: Path, scene: str | None, out: Path, rerun: bool) -> None:
    """Write the contact sheet of one scene and its twin, or of all pairs; or open Rerun."""
    suite = Suite.open(path)
    if not rerun:
        typer.echo(contact_sheet(suite, scene, out))
    elif scene is None:
        first = next(suite.scenes())
        raise InvalidInputError(f"--rerun shows one scene: name its id, such as {first.id}")
    else:
        show_in_rerun(suite, scene)
