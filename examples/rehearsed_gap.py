"""Capture simulated scenes without hardware, and measure the gap of a model.

    python examples/rehearsed_gap.py FOLDER [PAIRS]

Makes PAIRS twin pairs (2), rehearses their capture, asks a baseline about the simulated and the
captured pictures, and prints how much worse it answers the captured ones. Two pairs take some
minutes; what is in FOLDER already is not made again. The gap of two pairs says nothing: take 20.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from pactwin.compare import read_comparison

MODEL = "pactwin/geometry"


def pactwin(*words: object) -> None:
    """Run the command ``pactwin``; CalledProcessError if it fails."""
    program = [sys.executable, "-c", "from pactwin.cli import main; main()"]
    subprocess.run([*program, *map(str, words)], check=True)


def capture(folder: Path, pairs: int) -> None:
    """Make a suite in ``folder`` and rehearse its capture."""
    domains = "size_mismatch,support,stability,closure"
    made = ["--seed", 21, "--pairs", pairs, "--domains", domains]
    pactwin("make", "constraints", "--out", folder / "suite", *made)
    pactwin("mirror", "rehearse", folder / "suite", "--out", folder / "rehearsal")


def ask(simulated: Path, captured: Path, logs: Path, model: str = MODEL) -> None:
    """Ask ``model`` about both suites."""
    for suite in (simulated, captured):
        asked = ["--model", model, "--views", "head", "--form", "yes_no"]
        pactwin("eval", suite, *asked, "--log-dir", logs / suite.name)


def show_gap(logs: Path) -> None:
    """Print the gap over all domains with its interval."""
    for panel in read_comparison([logs]).sim_to_real:
        for gap in panel.gaps:
            if gap.domain == "all":
                test = gap.test
                print(
                    f"{gap.model}, {panel.source} minus simulated: {test.difference:+.2f} "
                    f"({test.low:+.2f} to {test.high:+.2f}) over {test.pairs} pairs"
                )


def main() -> None:
    """Capture, ask and compare."""
    parser = argparse.ArgumentParser(description="Rehearse a capture; measure a model's gap.")
    parser.add_argument("folder", type=Path, help="folder of suites and logs, made if missing")
    parser.add_argument("pairs", nargs="?", type=int, default=2, help="twin pairs (2)")
    given = parser.parse_args()
    home: Path = given.folder
    capture(home, given.pairs)
    ask(home / "suite", home / "rehearsal" / "captured", home / "logs")
    show_gap(home / "logs")


if __name__ == "__main__":
    main()
