"""``pactwin retrial``: do a suite's labels come out the same when they are tried again?"""

from collections import Counter
from pathlib import Path

import typer

from pactwin.cli.boundary import found
from pactwin.cli.progress import steps
from pactwin.cli.robots import RobotChoice
from pactwin.cli.suites import with_trials
from pactwin.sim import retry_trials


def run(path: Path, seed: int, robot: RobotChoice) -> None:
    """Print agreement per domain and every label that differs; exit code 1 if any does."""
    suite = with_trials(path)
    robot.load()
    total = suite.info.counts["scenes"]
    tried: Counter[str] = Counter()
    agreed: Counter[str] = Counter()
    with steps() as progress:
        for done, outcome in enumerate(retry_trials(suite, seed), start=1):
            tried[outcome.domain] += 1
            agreed[outcome.domain] += outcome.agrees
            if not outcome.agrees:
                typer.echo(f"{outcome.scene_id} ({outcome.domain}): {outcome.reason}")
            progress("trials", done, total)
    for domain in sorted(tried):
        typer.echo(f"{domain}: {agreed[domain]} of {tried[domain]} labels agree")
    differ = tried.total() - agreed.total()
    typer.echo(f"{path}: {agreed.total()} of {tried.total()} labels agree")
    if differ:
        raise found(f"{path}: {differ} label{'s' if differ > 1 else ''} came out differently")
