"""From sim to real in one command, without hardware: suites, rehearsal, answers, the panel.

A suite is made and its scenes are captured at a rehearsed bench. The baselines and two models that
err as planned (``tests/planted_models.py``: one ignores texture, one does not) answer about the
simulated scenes, the captured ones, and the twins rendered through the bench's cameras. What is
there already is not made again.
"""

import shutil
import sys
from pathlib import Path

from typer.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from planted_models import MODELS, PLANTED, planted_models

from pactwin.cli import app

BASELINES = ("oracle", "random", "always-yes", "always-no")


def pactwin(*arguments: object) -> None:
    """Run a command; what it says is shown, and what it refuses ends all."""
    words = [str(argument) for argument in arguments]
    print("pactwin", *words, flush=True)
    done = CliRunner().invoke(app, words)
    print(done.stdout, end="")
    if done.exit_code:
        sys.exit(done.stderr)


def main(folder: Path, pairs: int) -> None:
    """Write ``folder/report.html`` about ``pairs`` rehearsed pairs and twice as many simulated."""
    suite, more, table = folder / "suite", folder / "more", folder / "table"
    captured, logs = table / "captured", folder / "logs"
    made = ["--workers", 2, "--pairs"]
    pactwin("make", "constraints", "--out", suite, "--seed", 21, *made, pairs)
    pactwin("make", "constraints", "--out", more, "--seed", 22, *made, 2 * pairs)
    pactwin("rehearse", suite, "--out", table)
    suites = [suite, more, captured]
    for places in ("measured", "planned"):
        suites.append(folder / places)
        pactwin("mirror", "render", suite, captured, "--places", places, "--out", suites[-1])
    shutil.rmtree(logs, ignore_errors=True)
    models = [f"pactwin/{name}" for name in BASELINES] + list(PLANTED)
    asked = [word for model in models for word in ("--model", model)]
    with planted_models(suites):
        for one in suites:
            options = ["--form", "yes_no", "--views", "head", "--log-dir", logs / one.name]
            pactwin("eval", one, *asked, *options)
    pactwin("compare", logs, "--out", folder / "report.html", "--json", folder / "scores.json")
    for name, planted in MODELS.items():
        print(f"planted: {name} is {planted.expected:+.2f} on captured pictures")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
