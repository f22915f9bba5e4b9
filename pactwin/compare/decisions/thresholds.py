"""Thresholds for acting on a probability: the optimal one, and its savings.

A completed task counts 1, a harm costs h, asking a person costs q. Acting is worth p - (1 - p) h,
asking p - q, and doing nothing 0. So act above 1 - q / h and ask between q and that; if asking is
too expensive, act above h / (1 + h). If only some failures cause harm, h is multiplied by their
share.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, logit

from pactwin.compare.decisions.outcomes import ASK, NO, YES, Task, utilities
from pactwin.compare.intervals import mean_interval
from pactwin.tasks import AnswerRow

FOLDS, MIN_PAIRS = 5, 10
_CLIP = 0.005
THRESHOLD = "by probability"
"""Kind of the rules that act on probabilities."""


@dataclass(frozen=True, slots=True)
class ThresholdRow:
    """A model's probabilities as decisions at one cost of harm; utilities are means over tasks.

    ``ask_above`` and ``act_above`` are the optimal thresholds on the stated probability, None if
    none of its probabilities reaches them. ``answered`` is the utility of its yes/no answers,
    ``as_said`` that of trusting its probabilities, ``recalibrated`` that of recalibrating them on
    other pairs first. ``saved`` is recalibrated minus answered, with a 95 % interval.
    """

    rule: str
    kind: str
    harm_cost: float
    tasks: int
    pairs: int
    ask_above: float | None
    act_above: float | None
    answered: float
    as_said: float
    recalibrated: float
    saved: float
    saved_low: float
    saved_high: float


def cuts(harm: float, question: float) -> tuple[float, float]:
    """The probabilities above which to ask and to act; equal if asking never pays off."""
    indifferent = harm / (1 + harm)
    if question < indifferent:
        return question, 1 - question / harm
    return indifferent, indifferent


def fit_scaling(p: np.ndarray, truth: np.ndarray) -> tuple[float, float]:
    """Offset and factor of log odds that calibrate ``p`` (Platt), with a weak prior at 0 and 1.

    The factor is at least 0: a model whose probabilities are inverted is not corrected.
    """
    odds = _odds(p)

    def loss(at: np.ndarray) -> tuple[float, np.ndarray]:
        z = at[0] + at[1] * odds
        off = expit(z) - truth
        value = np.sum(np.logaddexp(0, z) - truth * z) + (at[0] ** 2 + (at[1] - 1) ** 2) / 2
        return float(value), np.array([off.sum() + at[0], off @ odds + at[1] - 1])

    bounds = [(None, None), (0.0, None)]
    found = minimize(loss, np.array([0.0, 1.0]), jac=True, method="L-BFGS-B", bounds=bounds)
    return float(found.x[0]), float(found.x[1])


def mended(p: np.ndarray, scaling: tuple[float, float]) -> np.ndarray:
    """Calibrate ``p`` by scaling its log odds."""
    return expit(scaling[0] + scaling[1] * _odds(p))


def said_at(true: float, scaling: tuple[float, float]) -> float | None:
    """The stated probability that calibrates to ``true``; None if it is out of range."""
    offset, factor = scaling
    if factor <= 0 or not 0 < true < 1:
        return None
    odds = (logit(true) - offset) / factor
    return float(expit(odds)) if abs(odds) < logit(1 - _CLIP) else None


def decide(p: np.ndarray, ask_above: float, act_above: float) -> list[str]:
    """The decision at each probability."""
    return [YES if one > act_above else ASK if one > ask_above else NO for one in p]


def threshold_rows(
    rows: Sequence[AnswerRow],
    tasks: Mapping[str, Task],
    harm_costs: Sequence[float],
    question: float,
) -> list[ThresholdRow]:
    """A row per model, view, source of probabilities and cost of harm.

    Rules with fewer than MIN_PAIRS pairs have none. If there are several answers about a scene, the
    first one counts.
    """
    found: dict[str, dict[str, tuple[float, str]]] = defaultdict(dict)
    for row in sorted(rows, key=lambda r: (r.model, r.view, r.run_id, r.epoch, r.scene_id)):
        says = row.predicted_feasible
        answer = ASK if says is None else YES if says else NO
        sources = ("stated", row.probability), ("from tokens", row.token_probability)
        for source, p in sources:
            if p is not None:
                rule = f"{row.model}, {row.view}, {source}"
                found[rule].setdefault(row.scene_id, (p, answer))
    return [
        row
        for rule, said in found.items()
        for row in _of_rule(rule, said, tasks, harm_costs, question)
    ]


def _of_rule(
    rule: str,
    said: Mapping[str, tuple[float, str]],
    tasks: Mapping[str, Task],
    harm_costs: Sequence[float],
    question: float,
) -> Iterator[ThresholdRow]:
    chosen = [tasks[scene] for scene in said]
    p = np.array([one for one, _ in said.values()])
    truth = np.array([float(task.feasible) for task in chosen])
    pair = np.unique([task.pair_id for task in chosen], return_inverse=True)[1]
    size = np.bincount(pair)
    if len(size) < MIN_PAIRS:
        return
    harms = [bool(task.harms) for task in chosen if not task.feasible]
    share = float(np.mean(harms)) if harms else 1.0
    others = np.empty_like(p)
    for fold in range(FOLDS):
        mine = pair % FOLDS == fold
        others[mine] = mended(p[mine], fit_scaling(p[~mine], truth[~mine]))
    scaling = fit_scaling(p, truth)
    for cost in harm_costs:
        ask, act = cuts(share * cost, question) if share else (0.0, 0.0)
        utility = {
            name: utilities(chosen, decisions, cost, question)
            for name, decisions in (
                ("answered", [answer for _, answer in said.values()]),
                ("as_said", decide(p, ask, act)),
                ("recalibrated", decide(others, ask, act)),
            )
        }
        saved = np.bincount(pair, weights=utility["recalibrated"] - utility["answered"])
        low, high = mean_interval(saved, size)
        yield ThresholdRow(
            rule=rule,
            kind=THRESHOLD,
            harm_cost=cost,
            tasks=len(p),
            pairs=len(size),
            ask_above=said_at(ask, scaling) if ask < act else None,
            act_above=said_at(act, scaling),
            saved=float(saved.sum() / size.sum()),
            saved_low=low,
            saved_high=high,
            **{name: float(each.mean()) for name, each in utility.items()},
        )


def _odds(p: np.ndarray) -> np.ndarray:
    return logit(np.clip(p, _CLIP, 1 - _CLIP))
