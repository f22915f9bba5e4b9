"""Leak test: does anything except the physics predict the labels?

For each group of features, a linear classifier and a forest learn to separate infeasible from
feasible scenes and are tested on unseen pairs. Pairs come in shuffled blocks; classifiers trained
on all earlier blocks judge each block. If a group is uninformative, each judged pair is a fair coin
given the past, so the number of correctly ranked pairs is exactly binomial. (In k-fold
cross-validation the folds train on each other, and the binomial test raises false alarms.) Holm's
procedure keeps the probability of any false alarm in a whole suite at 1 %.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from pactwin.suite.checking.choices import choice_leaks
from pactwin.suite.checking.faults import Fault
from pactwin.suite.checking.features import FEATURE_GROUPS, Features, scene_features
from pactwin.suite.checking.ladders import step_pairs, without_step
from pactwin.suite.progress import ProgressCallback, silent
from pactwin.suite.reader import Suite

MIN_PAIRS = 20
ALPHA = 0.01
_BLOCKS = 5
_SEED = 0


@dataclass(frozen=True)
class Leak:
    """Accuracy at which one group of features separates the twins of unseen pairs.

    ``scope`` is ``all`` or a domain. ``ranking`` is the share of ``judged`` pairs (without ties)
    whose infeasible scene got the higher score, with its 95 % Wilson interval ``low`` to ``high``.
    ``balanced_accuracy`` is over single scenes, with a 95 % normal interval over pairs. The
    classifier with the smaller p is reported. ``note`` says why there are no numbers.
    """

    scope: str
    group: str
    pairs: int
    note: str = ""
    classifier: str = ""
    judged: int = 0
    ranking: float = 0.5
    low: float = 0.0
    high: float = 1.0
    balanced_accuracy: float = 0.5
    balanced_low: float = 0.0
    balanced_high: float = 1.0
    p_value: float = 1.0
    p_holm: float = 1.0
    units: str = "unseen pairs"

    @property
    def significant(self) -> bool:
        """True if the group predicts the label."""
        return self.p_holm < ALPHA

    def fault(self) -> Fault | None:
        """The corresponding fault, if any."""
        if not self.significant:
            return None
        message = (
            f"give the label away: the {self.classifier} ranks {self.ranking:.0%} of {self.judged} "
            f"{self.units} rightly ({self.low:.0%} to {self.high:.0%}, p = {self.p_holm:.1g})"
        )
        return Fault("leak", f"{self.group} ({self.scope})", message)


def check_leaks(suite: Suite, progress: ProgressCallback = silent) -> list[Leak]:
    """One :class:`Leak` per scope and group; scopes are the whole suite and each domain.

    A scope with fewer than 20 pairs is not judged, and a group in which twins never differ cannot
    leak. Raises SuiteError if the suite cannot be read (run :func:`check_suite` first).
    """
    by_scope = _features_by_scope(suite, progress)
    tests: list[_Test] = []
    rows: list[Leak] = []
    total = len(by_scope) * len(FEATURE_GROUPS)
    for scope, pairs in by_scope.items():
        for group in FEATURE_GROUPS:
            rows.append(_row_without_test(scope, group, pairs))
            if not rows[-1].note:
                x, infeasible = _matrix(pairs, group)
                for name, make in _CLASSIFIERS.items():
                    wins, accuracies = _judge(x, infeasible, make)
                    tests.append(_Test(len(rows) - 1, name, wins, accuracies))
            progress("leaks", len(rows), total)
    return [*_with_results(rows, tests), *_choices(suite)]


def _choices(suite: Suite) -> list[Leak]:
    """Leaks of choices (:func:`choice_leaks`) in the form of :class:`Leak`."""
    from statsmodels.stats.multitest import multipletests

    found = list(choice_leaks(suite))
    holm = multipletests([one.p_value for one in found], method="holm")[1] if found else []
    return [
        Leak(
            scope=one.kind,
            group=one.sign,
            pairs=one.questions,
            classifier="order by it",
            judged=one.questions,
            ranking=max(one.rank, 1 - one.rank),
            low=max(one.rank, 1 - one.rank) - 1.96 * one.spread,
            high=max(one.rank, 1 - one.rank) + 1.96 * one.spread,
            p_value=one.p_value,
            p_holm=float(p_holm),
            units="questions' things",
        )
        for one, p_holm in zip(found, holm, strict=True)
    ]


@dataclass(frozen=True)
class _Pair:
    """Features by group of the infeasible and the feasible scene."""

    infeasible: dict[str, Features]
    feasible: dict[str, Features]


@dataclass(frozen=True)
class _Test:
    """Result of one classifier on one row: per judged pair, ranked correctly, and accuracy."""

    row: int
    classifier: str
    wins: np.ndarray
    accuracies: np.ndarray


def _features_by_scope(suite: Suite, progress: ProgressCallback) -> dict[str, list[_Pair]]:
    asked: dict[str, list[str]] = defaultdict(list)
    for question in suite.questions():
        asked[question.scene_id].append(question.id)
    by_scope: dict[str, list[_Pair]] = defaultdict(list)
    stepped = any(key.startswith("ladders") for key in suite.info.counts)
    for number, twins in enumerate(step_pairs(suite) if stepped else suite.pairs()):
        cause = min(twins, key=lambda scene: scene.decided.feasible).decided.constraint
        features = {}
        for i, scene in enumerate(twins):
            found = scene_features(suite, scene, asked[scene.id], 2 * number + i, cause)
            if stepped:  # the quantity itself shows
                found = without_step(found)
            features[scene.decided.feasible] = found
        if len(features) == 2:
            pair = _Pair(features[False], features[True])
            by_scope["all"].append(pair)
            by_scope[twins[0].domain].append(pair)
        progress("features", number + 1, max(number + 1, suite.info.counts.get("pairs", 0)))
    if len(by_scope) == 2:  # one domain is all there is
        del by_scope[twins[0].domain]
    return by_scope


def _row_without_test(scope: str, group: str, pairs: Sequence[_Pair]) -> Leak:
    note = ""
    if len(pairs) < MIN_PAIRS:
        note = f"too few pairs to judge (under {MIN_PAIRS})"
    elif all(pair.infeasible[group] == pair.feasible[group] for pair in pairs):
        note = "the same in both twins"
    return Leak(scope, group, len(pairs), note)


def _matrix(pairs: Sequence[_Pair], group: str) -> tuple[np.ndarray, np.ndarray]:
    """Standardised features (2 n pairs, k), twins adjacent and shuffled, and their labels."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.preprocessing import StandardScaler

    rng = np.random.default_rng(_SEED)
    rows, infeasible = [], []
    for i in rng.permutation(len(pairs)):
        rows += [pairs[i].infeasible[group], pairs[i].feasible[group]]
        infeasible += [True, False]
    x = DictVectorizer(sparse=False).fit_transform(rows)
    return StandardScaler().fit_transform(x[:, np.ptp(x, axis=0) > 0]), np.array(infeasible)


def _judge(
    x: np.ndarray, infeasible: np.ndarray, make: Callable[[], Any]
) -> tuple[np.ndarray, np.ndarray]:
    """Per judged pair: 1 if the infeasible scene scores higher, 0.5 if equal; scenes right."""
    from threadpoolctl import threadpool_limits

    n = len(x) // 2
    starts = np.linspace(max(6, n // 5), n, _BLOCKS + 1).astype(int)
    wins, accuracies = [], []
    with threadpool_limits(1):  # matrices this small are slower with more
        for start, stop in pairwise(starts):
            classifier = make().fit(x[: 2 * start], infeasible[: 2 * start])
            score = classifier.predict_proba(x[2 * start : 2 * stop])[:, 1]
            high, low = np.round(score[0::2], 9), np.round(score[1::2], 9)
            wins.append((np.sign(high - low) + 1) / 2)
            accuracies.append(((np.sign(high - 0.5) - np.sign(low - 0.5)) / 2 + 1) / 2)
    return np.concatenate(wins), np.concatenate(accuracies)


def _linear() -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=0.1, max_iter=500)


def _forest() -> Any:
    from sklearn.ensemble import ExtraTreesClassifier

    return ExtraTreesClassifier(40, min_samples_leaf=2, random_state=_SEED)


_CLASSIFIERS: dict[str, Callable[[], Any]] = {"linear classifier": _linear, "forest": _forest}


def _with_results(rows: list[Leak], tests: Sequence[_Test]) -> list[Leak]:
    """The rows, each with the stronger of its tests."""
    from scipy.stats import binomtest
    from statsmodels.stats.multitest import multipletests

    if not tests:
        return rows
    results = []
    for test in tests:
        decided = test.wins[test.wins != 0.5]
        n = max(len(decided), 1)
        results.append(binomtest(int(decided.sum()), n, alternative="greater"))
    holm = multipletests([result.pvalue for result in results], method="holm")[1]
    rows = list(rows)
    for test, result, p_holm in zip(tests, results, holm, strict=True):
        row = rows[test.row]
        if row.classifier and row.p_value <= result.pvalue:
            continue
        decided = test.wins[test.wins != 0.5]
        low, high = _wilson(int(decided.sum()), len(decided))
        mean = float(test.accuracies.mean())
        half = 1.96 * float(test.accuracies.std(ddof=1)) / len(test.accuracies) ** 0.5
        rows[test.row] = Leak(
            scope=row.scope,
            group=row.group,
            pairs=row.pairs,
            classifier=test.classifier,
            judged=len(decided),
            ranking=float(decided.mean()) if len(decided) else 0.5,
            low=low,
            high=high,
            balanced_accuracy=mean,
            balanced_low=max(mean - half, 0.0),
            balanced_high=min(mean + half, 1.0),
            p_value=float(result.pvalue),
            p_holm=float(p_holm),
        )
    return rows


def _wilson(wins: int, n: int) -> tuple[float, float]:
    from statsmodels.stats.proportion import proportion_confint

    if n == 0:
        return 0.0, 1.0
    low, high = proportion_confint(wins, n, method="wilson")
    return float(low), float(high)
