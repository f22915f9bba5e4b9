"""A metric of your own over the answers of any evaluation.

    python examples/own_metric.py LOG...

``answer_frame`` gives a tidy pandas table, one row per answer. The metric here is twin blindness:
the share of twin pairs whose scenes got the same answer. A model that sees the difference has 0,
a model that answers by the words of the question has 1. Intervals resample pairs, because answers
about one pair are not independent.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from pactwin.compare import answer_frame
from pactwin.tasks import AnswerRow, logs_in, read_newest

RESAMPLES = 2000


def twin_blindness(answers: pd.DataFrame) -> pd.Series:
    """Per pair, the share of views in which both twins got the same answer."""
    answered = answers[(answers.answered == 1) & (answers.form == "yes_no")]
    both = answered.groupby(["pair", "view", "epoch"]).agg(
        scenes=("scene", "nunique"), said=("said", "nunique")
    )
    both = both[both.scenes == 2]
    return (both.said == 1).groupby("pair").mean()


def main() -> None:
    """Print the metric of each model with a 95 % interval."""
    parser = argparse.ArgumentParser(description="Share of twin pairs that got the same answer.")
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOG", help="log, or folder of logs")
    found, _ = read_newest(logs_in(parser.parse_args().logs))
    rows = [row for row in found if isinstance(row, AnswerRow)]
    rng = np.random.default_rng(0)
    for model, answers in answer_frame(rows).groupby("model"):
        blind = twin_blindness(answers).to_numpy()
        drawn = rng.choice(blind, (RESAMPLES, len(blind))).mean(axis=1)
        low, high = np.quantile(drawn, [0.025, 0.975])
        print(f"{model}: {blind.mean():.2f} ({low:.2f} to {high:.2f}), {len(blind)} pairs")


if __name__ == "__main__":
    main()
