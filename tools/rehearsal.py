"""From sim to real in one command, without hardware: suites, rehearsal, answers, the panel.

A suite is made and its scenes are captured at a rehearsed bench. The baselines and two models that
err as planned (``stand_ins/planted_models.py``: one ignores texture, one does not) answer about the
simulated scenes, the captured ones, and the twins rendered through the bench's cameras. What is
there already is not made again. At the end the gaps that were planted stand beside those found.
"""

import shutil
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table
from typer.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parents[1] / "stand_ins"))
from planted_models import MODELS, PLANTED, planted_models

from pactwin.cli import app
from pactwin.compare import read_comparison
from pactwin.suite import Suite

_NO_GAP = (
    "no captured pair is asked about in a view in which its simulated scene is, so there is no gap "
    "to show: take more PAIRS"
)
BASELINES = ("oracle", "random", "blind", "always-yes", "always-no", "geometry")


def pactwin(*arguments: object) -> None:
    """Run a command; what it says is shown, and what it refuses ends all."""
    words = [str(argument) for argument in arguments]
    print("pactwin", *words, flush=True)
    done = CliRunner().invoke(app, words, catch_exceptions=False)
    print(done.stdout, end="", flush=True)
    if done.exit_code:
        sys.exit(done.stderr)


def capture(folder: Path, pairs: int) -> list[Path]:
    """The suites: simulated, more of them, captured, and rendered again in two ways."""
    suite, more, table = folder / "suite", folder / "more", folder / "table"
    captured = table / "captured"
    made = ["--workers", 2, "--pairs"]
    pactwin("make", "constraints", "--out", suite, "--seed", 21, *made, pairs)
    pactwin("make", "constraints", "--out", more, "--seed", 22, *made, 2 * pairs)
    pactwin("mirror", "rehearse", suite, "--out", table)
    if not Suite.open(captured).info.counts["questions"]:
        sys.exit(_NO_GAP)
    again = [folder / places for places in ("measured", "planned")]
    for out in again:
        pactwin("mirror", "render", suite, captured, "--places", out.name, "--out", out)
    return [suite, more, captured, *again]


def ask(suites: list[Path], logs: Path) -> None:
    """All models about all suites, in each view that answers; logs of before are removed.

    The rules of ``pactwin/shortcut`` are found on the pairs that are only simulated.
    """
    shutil.rmtree(logs, ignore_errors=True)
    models = [f"pactwin/{name}" for name in BASELINES] + list(PLANTED)
    asked = [word for model in models for word in ("--model", model)]
    more = suites[1]
    with planted_models(suites):
        for one in suites:
            options = ["--form", "yes_no", "--log-dir", logs / one.name]
            pactwin("eval", one, *asked, *options)
            if one != more:
                rules = ["--model", "pactwin/shortcut", "-M", f"found_on={more}"]
                pactwin("eval", one, *rules, *options)


def show_recovered(logs: Path) -> None:
    """Print each planted gap and the one that was found with its interval."""
    table = Table("model", "planted", "found", "95 % interval", title="gap, captured - simulated")
    panels = read_comparison([logs]).sim_to_real
    if not panels:
        sys.exit(_NO_GAP)
    (panel,) = panels
    for name, (model, planted) in zip(PLANTED, MODELS.items(), strict=True):
        (test,) = (g.test for g in panel.gaps if (g.model, g.domain) == (name, "all"))
        interval = f"{test.low:+.2f} to {test.high:+.2f}"
        table.add_row(model, f"{planted.expected:+z.2f}", f"{test.difference:+.2f}", interval)
    Console().print(table)


def main(folder: Path, pairs: int) -> None:
    """Write ``folder/report.html`` about ``pairs`` rehearsed pairs and twice as many simulated."""
    logs = folder / "logs"
    ask(capture(folder, pairs), logs)
    written = ["--out", folder / "report.html", "--json", folder / "scores.json"]
    pactwin("compare", logs, "--force", *written)
    show_recovered(logs)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
