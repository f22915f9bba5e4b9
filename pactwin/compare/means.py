"""Means of what questions count, with intervals that respect the scenes they are about."""

import numpy as np

from pactwin.compare.intervals import Interval, pair_interval, resample_weights, wilson

Values = list[tuple[str, float]]
"""A scene and what one question about it counts, in [0, 1]."""


def clustered_mean(
    values: Values, resamples: int, seed: int
) -> tuple[float | None, Interval | None, int]:
    """Mean, interval and number of values; None where there are none.

    Wilson's interval where every scene counts once, as 0 or 1; else a bootstrap over scenes.
    """
    if not values:
        return None, None, 0
    scenes = sorted({scene for scene, _ in values})
    place = {scene: at for at, scene in enumerate(scenes)}
    sums, sizes = np.zeros(len(scenes)), np.zeros(len(scenes))
    for scene, value in values:
        sums[place[scene]] += value
        sizes[place[scene]] += 1
    mean = float(sums.sum() / sizes.sum())
    if sizes.max() == 1 and {value for _, value in values} <= {0.0, 1.0}:
        return mean, wilson(int(sums.sum()), len(values)), len(values)
    weights = resample_weights(len(scenes), resamples, np.random.default_rng([seed, len(scenes)]))
    low, high = pair_interval(mean, (weights @ sums) / (weights @ sizes), len(scenes))
    return mean, (max(low, 0.0), min(high, 1.0)), len(values)
