"""Declare how answers of a kind are scored: counts per answer, and metrics over counts.

Each kind declares a :class:`Scoring`; ``pactwin.compare`` makes every score, interval, test and
table from it. Counts are the columns of a frame with a row per unit: an answer, or several that are
counted together (both twins of a pair, a question in all its views). The counts are summed per
cluster; every metric is a function of these sums.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    import pandas as pd

POOLED = "all"
"""Value of an axis over which a score pools."""


class Estimator(Protocol):
    """A function of summed counts; it reads the counts in ``columns``."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the counts."""


@dataclass(frozen=True)
class _Ratio:
    """sum(top) / sum(bottom)."""

    top: str
    bottom: str

    @property
    def columns(self) -> tuple[str, ...]:
        """Both counts."""
        return self.top, self.bottom


@dataclass(frozen=True)
class Rate(_Ratio):
    """sum(top) / sum(bottom), between ``lowest`` (0 or -1) and 1."""

    lowest: float = 0.0

    def value(self, sums: Mapping[str, float]) -> float | None:
        """The rate; None if the denominator is zero."""
        return sums[self.top] / sums[self.bottom] if sums[self.bottom] else None


@dataclass(frozen=True)
class Mean(_Ratio):
    """sum(top) / sum(bottom) of any quantity."""


@dataclass(frozen=True)
class Constant(_Ratio):
    """sum(top) / sum(bottom) of a quantity independent of answers, such as chance; no interval."""


@dataclass(frozen=True)
class ClusterMean(_Ratio):
    """Unweighted mean over clusters of their rates."""


@dataclass(frozen=True)
class MeanOfRates(_Ratio):
    """Unweighted mean of the rates over values of the axis ``over``; needs two values."""

    over: str


@dataclass(frozen=True)
class SumOfRates:
    """scale * (first + second) + offset."""

    first: Rate
    second: Rate
    scale: float = 1.0
    offset: float = -1.0

    @property
    def columns(self) -> tuple[str, ...]:
        """The counts of both rates."""
        return *self.first.columns, *self.second.columns

    def value(self, sums: Mapping[str, float]) -> float | None:
        """Scaled sum of both rates; None if a denominator is zero.

        The arithmetic is exact, so that answers independent of the picture score 0 and not 1e-17.
        """
        rates = self.first, self.second
        if not all(sums[rate.bottom] for rate in rates):
            return None
        total = sum(Fraction(int(sums[r.top]), int(sums[r.bottom])) for r in rates)
        return self.scale * float(total) + self.offset


@dataclass(frozen=True)
class Smooth:
    """``function`` of sums (..., len(columns)), a value in [0, 1]; NaN where undefined.

    The last of ``columns`` counts the units.
    """

    columns: tuple[str, ...]
    function: Callable[[Any], Any]


@dataclass(frozen=True)
class Fitted:
    """A ``parameter`` of the curve that ``fit`` estimates for the share ``yes`` / ``n`` over ``x``.

    ``fit(x, yes, n, start)`` returns the curve of counts at rising ``x``, starting from the curve
    ``start`` if given, or None if there is none. Its ``resolved(parameter, interval)`` widens the
    interval to the resolution of the steps. A cell has it only if it has one value of the axis
    ``within``.
    """

    x: str
    yes: str
    n: str
    fit: Callable[..., Any]
    parameter: str
    interval: Literal["", "plain", "log"] = "plain"
    within: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The quantity and both counts."""
        return self.x, self.yes, self.n


@dataclass(frozen=True)
class Tabled:
    """``function`` of a table: counts ``top`` and ``n`` (..., k) at the k rising values of ``x``.

    It returns (...), one value per resample of clusters. Only the cell that pools all axes has one,
    because an ``interval`` needs many resamples. The interval of a ``fit``, which is biased upwards
    for few answers, is lowered by the mean excess of the resamples. Without an interval it is "".
    """

    x: str
    top: str
    n: str
    function: Callable[..., Any]
    interval: Literal["", "plain", "fit"] = "plain"

    @property
    def columns(self) -> tuple[str, ...]:
        """The quantity and both counts."""
        return self.x, self.top, self.n


@dataclass(frozen=True)
class Metric:
    """One metric of a kind.

    A cell has it if none of the counts ``asked`` is 0 there. ``label`` is its column heading on
    pages, and ``explanation`` is one sentence.
    """

    name: str
    estimator: Estimator
    asked: tuple[str, ...] = ("asked",)
    label: str = ""
    explanation: str = ""


def strictly(
    name: str,
    label: str = "",
    explanation: str = "",
    *,
    top: str = "",
    bottom: str = "answered",
    asked: str = "asked",
) -> tuple[Metric, Metric]:
    """One rate over answered questions, and one over all that were ``asked``.

    ``top`` is the count in the numerator, by default the one with the metric's name.
    """
    top = top or name
    return (
        Metric(name, Rate(top, bottom), (asked,), label, explanation),
        Metric(f"{name}_strict", Rate(top, asked), (asked,), "strict"),
    )


@dataclass(frozen=True)
class Column:
    """Table column of a metric: ``cell`` holds the axes that do not pool, with their values."""

    metric: str
    head: str
    cell: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class ScoreTable:
    """A table with a row per model, ordered by the first column, which shows its interval.

    ``by`` is an axis; the page repeats the table for each of its values. ``brief`` tables also
    appear in the terminal.
    """

    title: str
    columns: tuple[Column, ...]
    note: str = ""
    by: tuple[str, ...] = ()
    brief: bool = False


def columns(heads: str) -> tuple[Column, ...]:
    """Columns of pooled metrics from ``metric: head | metric``; the default head is the name."""
    parts = (part.partition(": ") for part in heads.split(" | "))
    return tuple(Column(metric, head or metric) for metric, _, head in parts)


def crossed(*axes: str) -> tuple[tuple[str, ...], ...]:
    """All subsets of ``axes``, the empty one first."""
    return tuple(some for n in range(len(axes) + 1) for some in combinations(axes, n))


@dataclass(frozen=True)
class Confusion:
    """A confusion matrix: ``cell`` returns (group, truth, said) of a row, None to skip it.

    ``order`` gives the known values of a group in order; ``keep_all`` also shows those that never
    occurred.
    """

    cell: Callable[[Any], tuple[str, str, str] | None]
    order: Callable[[str], Sequence[str]]
    keep_all: bool = True


@dataclass(frozen=True)
class CurveFigure:
    """A figure per value of ``axis``: the share ``yes`` / ``n`` over ``x``, with its fit.

    The fit is as in :class:`Fitted`, with a method ``at(x)``. ``metric`` is marked on the axis and
    printed under the curve, with ``width``.
    """

    axis: str
    x: str
    yes: str
    n: str
    fit: Callable[..., Any]
    metric: str
    width: str


_NO_FURTHER: Callable[..., Iterable["pd.DataFrame"]] = lambda frame, rows: ()  # noqa: E731


@dataclass(frozen=True)
class Scoring:
    """Scoring of a kind: its counts, metrics and tables.

    ``title`` is the heading of its tables, ``prefix`` the prefix of its metrics' names in tables
    and files. ``measured`` returns the counts of one row (numbers; missing ones are 0), what
    ``further`` needs, and the axes besides domain, view and form. ``further`` takes the frame of a
    kind's answers and all rows of every kind, and yields frames of additional units with the
    columns ``model``, ``cluster`` and the axes; POOLED marks units that exist only where that axis
    pools.

    ``splits`` are the sets of axes that form cells. ``stratum`` is the axis by which clusters were
    stratified, empty without strata.

    ``compared`` are two columns, whether an answer is correct and whether it counts: paired tests
    and baselines compare them. ``right`` describes correctness there, and ``clusters`` names the
    clusters, in the plural. ``truth`` and ``said`` are a row's gold answer and answer in words.

    ``order`` gives the known values of an axis in order. ``panels`` are a metric and an axis: a
    figure of the metric for each value; ``curves`` are figures, too. ``facts`` are additional
    columns of the table of answers.

    ``tables`` appear on the page; the first is the kind's headline in the terminal, Markdown, LaTeX
    and leaderboards. ``lead`` is a paragraph for the page. ``judged`` kinds have scores that depend
    on a judge. ``feasibility`` kinds have rows with ``truth_feasible`` and ``predicted_feasible``,
    which decisions are made from.
    """

    title: str
    prefix: str
    tables: tuple[ScoreTable, ...]
    metrics: tuple[Metric, ...]
    truth: Callable[[Any], str]
    said: Callable[[Any], str]
    measured: Callable[[Any], Mapping[str, Any]] = lambda row: {}
    further: Callable[["pd.DataFrame", Sequence[Any]], Iterable["pd.DataFrame"]] = _NO_FURTHER
    axes: tuple[str, ...] = ("domain", "view", "form")
    splits: tuple[tuple[str, ...], ...] = crossed("domain", "view")
    stratum: str = ""
    compared: tuple[str, str] = ("right", "answered")
    right: str = "the answer is correct"
    clusters: str = "pairs"
    lead: str = ""
    judged: bool = False
    feasibility: bool = False
    order: Mapping[str, Sequence[str]] = field(default_factory=dict)
    confusion: Confusion | None = None
    panels: tuple[str, str] | None = None
    curves: CurveFigure | None = None
    facts: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all metrics of this kind, with the prefix."""
        own = (metric.name for metric in (*self.metrics, *COMMON))
        return tuple(f"{self.prefix}{name}" for name in (*own, COMPLETENESS))


COVERAGE = "coverage"
COMPLETENESS = "completeness"
COMMON = (
    Metric(
        COVERAGE,
        Rate("answered", "asked"),
        label="Coverage",
        explanation="Answered questions over asked questions.",
    ),
    Metric(
        "pass_k",
        Rate("passed", "passable"),
        asked=("passable",),
        label="pass^k",
        explanation="Share of questions answered correctly in every one of k epochs.",
    ),
    Metric(
        "epoch_agreement",
        Rate("same_said", "said_each"),
        asked=("repeated",),
        label="Same in all epochs",
        explanation="Share of questions, answered in every epoch, that got the same answer in all.",
    ),
)
"""Metrics of every kind. The last two exist for questions asked in several epochs."""
EPOCHS = ScoreTable(
    "Over epochs",
    columns("pass_k: pass^k | epoch_agreement: same answer"),
    "pass^k: share of questions answered correctly in every one of k epochs. Same answer: share of "
    "questions, answered in every epoch, that got the same answer in all.",
    brief=True,
)
