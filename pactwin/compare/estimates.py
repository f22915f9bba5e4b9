"""Values and intervals of metrics from counts per cluster, for every kind of question.

Intervals are Wilson's if each cluster counts one unit as 0 or 1, so that units are independent;
otherwise they use the variance between clusters, within strata. See
:mod:`pactwin.compare.intervals`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from pactwin.compare.intervals import (
    Interval,
    clustered_informedness,
    clustered_rate,
    expanded_percentile,
    jackknifed,
    mean_interval,
    rate_from_influence,
    resample_weights,
    wilson,
)
from pactwin.tasks import (
    ClusterMean,
    Constant,
    Estimator,
    Fitted,
    Mean,
    MeanOfRates,
    Rate,
    Smooth,
    SumOfRates,
    Tabled,
)

Estimate = tuple[float | None, Interval | None, int]
"""Value, 95 % interval and number of units; None where nothing counts."""
NOTHING: Estimate = None, None, 0
RESAMPLES, MIN_RESAMPLED = 1000, 3
"""Number of bootstrap resamples for an interval, and the fewest clusters to resample."""


class Cell:
    """Answers (units) of one model, with their counts summed per cluster.

    ``values`` (units, counts) have the columns ``place``; ``cluster`` and ``stratum`` hold each
    unit's numbers, ``groups`` its value on an axis.
    """

    def __init__(
        self,
        values: np.ndarray,
        place: Mapping[str, int],
        cluster: np.ndarray,
        stratum: np.ndarray,
        groups: Mapping[str, np.ndarray],
    ) -> None:
        names, first, self._cluster = np.unique(cluster, return_index=True, return_inverse=True)
        self._values, self._place, self._groups = values, place, groups
        self._sums = np.zeros((len(names), values.shape[1]))
        np.add.at(self._sums, self._cluster, values)
        self.strata = stratum[first]
        self._tables: dict[tuple[str, ...], tuple[np.ndarray, np.ndarray]] = {}
        self._curves: dict[tuple[Any, ...], tuple[Any, list[Any]]] = {}

    def sums(self, name: str) -> np.ndarray:
        """One count per cluster, (clusters,)."""
        return self._sums[:, self._place[name]]

    def total(self, name: str) -> float:
        """One count over all clusters."""
        return float(self.sums(name).sum())

    def grouped(self, name: str, axis: str) -> np.ndarray:
        """One count per cluster and value of an axis, (clusters, values)."""
        names, column = np.unique(self._groups[axis], return_inverse=True)
        table = np.zeros((len(self._sums), len(names)))
        np.add.at(table, (self._cluster, column), self._values[:, self._place[name]])
        return table

    def curves(self, declared: Fitted) -> tuple[Any, list[Any]]:
        """Curve fitted to all answers, and curves with each cluster left out in turn.

        A curve that cannot be fitted is None; without the first curve there are no others.
        """
        key = declared.x, declared.yes, declared.n, declared.fit
        if key not in self._curves:
            grid, clusters = self.tables(declared.columns)
            whole = clusters.sum(axis=1)
            curve = declared.fit(grid, *whole, None)
            others = (
                []
                if curve is None
                else [declared.fit(grid, *(whole - one), curve) for one in clusters.swapaxes(0, 1)]
            )
            self._curves[key] = curve, others
        return self._curves[key]

    def tables(self, columns: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Values of a quantity (k,), and two counts per cluster at each value, (2, n, k).

        ``columns`` name the quantity and both counts; clusters without units are left out.
        """
        if columns not in self._tables:
            x, top, n = (self._values[:, self._place[name]] for name in columns)
            asked = n > 0
            grid, place = np.unique(x[asked].round(9), return_inverse=True)
            tables = np.zeros((2, len(self._sums), len(grid)))
            for table, counts in zip(tables, (top, n), strict=True):
                np.add.at(table, (self._cluster[asked], place), counts[asked])
            self._tables[columns] = grid, tables[:, tables[1].any(axis=1)]
        return self._tables[columns]

    def has_one(self, axis: str) -> bool:
        """Return whether all units have the same value on an axis."""
        return len(np.unique(self._groups[axis].astype(str))) == 1


def estimate(cell: Cell, estimator: Estimator) -> Estimate | None:
    """Estimate a metric in a cell; None if it is undefined there."""
    match estimator:
        case Rate():
            return _rate(cell, estimator)
        case SumOfRates():
            return _sum_of_rates(cell, estimator)
        case Mean(top, bottom) | Constant(top, bottom):
            return _mean(cell, top, bottom, interval=isinstance(estimator, Mean))
        case MeanOfRates(top, bottom, over):
            return _mean_of_rates(cell.grouped(top, over), cell.grouped(bottom, over))
        case ClusterMean(top, bottom):
            return _cluster_mean(cell, top, bottom)
        case Smooth():
            return _smooth(cell, estimator)
        case Fitted():
            return _fitted(cell, estimator)
        case Tabled():
            return _tabled(cell, estimator)
    raise TypeError(f"unknown estimator {estimator!r}")


def _rate(cell: Cell, rate: Rate) -> Estimate:
    tops, bottoms = cell.sums(rate.top), cell.sums(rate.bottom)
    count, n = float(tops.sum()), int(bottoms.sum())
    value = rate.value({rate.top: count, rate.bottom: n})
    if value is None:
        return NOTHING
    if rate.lowest < 0:
        low, high = clustered_rate((tops + bottoms) / 2, bottoms, cell.strata)
        return value, (min(2 * low - 1, value), max(2 * high - 1, value)), n
    if bottoms.max() <= 1 and not (tops % 1).any():
        return value, wilson(int(count), n), n
    return value, clustered_rate(tops, bottoms, cell.strata), n


def _sum_of_rates(cell: Cell, metric: SumOfRates) -> Estimate:
    counts = [cell.sums(name) for name in metric.columns]
    n = int(counts[1].sum() + counts[3].sum())
    value = metric.value({name: cell.total(name) for name in metric.columns})
    if value is None:
        return None, None, n
    bounds = clustered_informedness(counts[0], counts[1], counts[2], counts[3], cell.strata)
    low, high = (metric.scale * (bound + 1) + metric.offset for bound in bounds)
    return value, (min(low, value), max(high, value)), n


def _mean(cell: Cell, top: str, bottom: str, *, interval: bool) -> Estimate:
    tops, bottoms = cell.sums(top), cell.sums(bottom)
    used = bottoms > 0
    n = int(bottoms.sum())
    if n == 0:
        return NOTHING
    bounds = mean_interval(tops[used], bottoms[used]) if interval else None
    return float(tops.sum() / n), bounds, n


def _mean_of_rates(tops: np.ndarray, bottoms: np.ndarray) -> Estimate | None:
    if bottoms.shape[1] < 2:
        return None
    measured = bottoms.sum(axis=0) > 0
    if not measured.any():
        return NOTHING
    tops, bottoms = tops[:, measured], bottoms[:, measured]
    rates = tops.sum(axis=0) / bottoms.sum(axis=0)
    influence = ((tops - rates * bottoms) / bottoms.sum(axis=0)).mean(axis=1)
    used = (bottoms > 0).any(axis=1)
    value = float(rates.mean())
    return value, rate_from_influence(value, influence[used]), int(bottoms.sum())


def _cluster_mean(cell: Cell, top: str, bottom: str) -> Estimate:
    """Unweighted mean over clusters; ``n`` counts clusters."""
    tops, bottoms = cell.sums(top), cell.sums(bottom)
    used = bottoms > 0
    tops, bottoms = tops[used], bottoms[used]
    n = len(tops)
    if n == 0:
        return NOTHING
    shares = tops / bottoms
    if not (shares % 1).any():
        return float(shares.mean()), wilson(int(shares.sum()), n), n
    return float(shares.mean()), clustered_rate(shares, np.ones(n), cell.strata[used]), n


def _smooth(cell: Cell, metric: Smooth) -> Estimate:
    """A smooth function of sums, with the jackknife's influence of each cluster."""
    counts = np.column_stack([cell.sums(name) for name in metric.columns])
    used = counts[counts[:, -1] > 0]
    n = int(counts[:, -1].sum())
    value = float(metric.function(counts.sum(axis=0))) if n else np.nan
    if np.isnan(value):
        return NOTHING
    without = np.nan_to_num(metric.function(used.sum(axis=0) - used))
    influence = (without.mean() - without) * (len(used) - 1) / len(used)
    return value, rate_from_influence(value, influence), n


def _fitted(cell: Cell, metric: Fitted) -> Estimate | None:
    """A parameter of a fitted curve, with the jackknife over clusters and Student's t."""
    if metric.within and not cell.has_one(metric.within):
        return None
    n = int(cell.total(metric.n))
    curve, others = cell.curves(metric)
    if curve is None:
        return None, None, n
    value = float(getattr(curve, metric.parameter))
    if np.isnan(value):
        return None, None, n
    if metric.interval == "" or len(others) < 3 or None in others:
        return value, None, n
    values = np.array([getattr(other, metric.parameter) for other in others])
    if metric.interval == "log":
        low, high = np.exp(jackknifed(np.log(value), np.log(values)))
    else:
        low, high = jackknifed(value, values)
    return value, curve.resolved(metric.parameter, (float(low), float(high))), n


def _tabled(cell: Cell, metric: Tabled) -> Estimate:
    """Percentile interval of the cluster bootstrap, shifted so that its median is the value.

    A fit to a resample follows its noise on top of that of the answers, so that resampled values of
    a fit lie as far above the value as that lies above the truth. There the interval is pivotal,
    from 0 on. See ``benchmarks/probabilities.py``.
    """
    grid, clusters = cell.tables(metric.columns)
    tops, sizes = clusters.sum(axis=1)
    value, n = float(metric.function(grid, tops, sizes)), int(sizes.sum())
    count = clusters.shape[1]
    if not metric.interval or count < MIN_RESAMPLED:
        return value, None, n
    weights = resample_weights(count, RESAMPLES, np.random.default_rng(0))
    samples = metric.function(grid, weights @ clusters[0], weights @ clusters[1])
    low, high = expanded_percentile(samples, count)
    if metric.interval == "fit":
        return value, (max(2 * value - high, 0.0), max(2 * value - low, value)), n
    shift = value - float(np.median(samples))
    return value, (low + shift, high + shift), n
