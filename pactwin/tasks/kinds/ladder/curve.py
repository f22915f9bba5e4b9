"""Psychometric curve: share of "yes" as a function of a physical quantity.

P(yes) = guess + (1 - guess - lapse) * Phi((x - bias) / noise), fitted by maximum likelihood with
weak priors. ``bias`` is the point of subjective equality, at which an observer without lapses says
yes half of the time. Ignoring lapses would greatly overestimate the noise (Wichmann and Hill,
Perception & Psychophysics 63, 2001), so both rates are fitted, below 0.25.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import ndtr
from scipy.stats import chi2

JND_PER_NOISE = 0.674489750196
"""Distance from 50 to 75 % yes on a curve without lapses, in units of its noise."""

MAX_LAPSE = 0.25
_LAPSE_WEIGHT = 9.0
"""Exponent of the prior (1 - rate)^9 of both rates: Beta(1, 10)."""

_FINEST = 0.4
"""In steps; intervals of less noise held it in 40 to 80 % of runs (30 ladders, 120 runs)."""

_LEVEL = 0.05
_BINS = 9


@dataclass(frozen=True)
class Curve:
    """A fitted curve; ``fit_p`` is the probability of so bad a fit under the fitted curve.

    ``step`` is the distance between the ladder's steps.
    """

    bias: float
    noise: float
    guess: float
    lapse: float
    fit_p: float
    step: float = 0.0

    @property
    def jnd(self) -> float:
        """Just noticeable difference, in the unit of ``x``."""
        return JND_PER_NOISE * self.noise

    def resolved(self, parameter: str, interval: tuple[float, float]) -> tuple[float, float]:
        """Interval of a parameter, at least as wide as the steps resolve.

        If answers change between two steps, neither the exact place nor the slope is known.
        """
        low, high = interval
        if self.noise > _FINEST * self.step:
            return interval
        if parameter == "bias":
            return min(low, self.bias - self.step / 2), max(high, self.bias + self.step / 2)
        finest = _FINEST * self.step * (JND_PER_NOISE if parameter == "jnd" else 1.0)
        return 0.0, max(high, finest)

    def at(self, x: np.ndarray) -> np.ndarray:
        """Probability of "yes" at ``x``."""
        return _share(np.asarray(x, float), self.bias, self.noise, self.guess, self.lapse)


def _share(x: np.ndarray, bias: float, noise: float, guess: float, lapse: float) -> np.ndarray:
    return guess + (1 - guess - lapse) * ndtr((x - bias) / noise)


def fit_curve(
    x: np.ndarray, yes: np.ndarray, n: np.ndarray, start: Curve | None = None
) -> Curve | None:
    """Fit ``yes`` of ``n`` answers at each ``x`` (distinct, rising).

    None if there is no curve: the answers do not depend on ``x`` beyond chance, they fall with it,
    or they do not cross one half within the ladder. ``start`` is a curve of similar answers.
    """
    asked = n > 0
    x, yes, n = x[asked], yes[asked], n[asked]
    if len(x) < 3 or not 0 < yes.sum() < n.sum():
        return None
    low, high = float(x[0]), float(x[-1])
    span, middle = high - low, (low + high) / 2
    # Weak priors: the threshold is somewhere near the ladder, the noise between a step and all.
    spread = (np.log(span / 60), np.log(2 * span))

    def loss(at: np.ndarray) -> tuple[float, np.ndarray]:
        bias, noise, guess, lapse = at[0], np.exp(at[1]), at[2], at[3]
        z = (x - bias) / noise
        normal, density = ndtr(z), np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
        scale = 1 - guess - lapse
        p = np.clip(guess + scale * normal, 1e-9, 1 - 1e-9)
        off = (bias - middle) / (2 * span)
        wide = (at[1] - np.log(span / 6)) / 2
        value = -np.sum(yes * np.log(p) + (n - yes) * np.log1p(-p))
        value += off**2 / 2 + wide**2 / 2
        value -= _LAPSE_WEIGHT * (np.log1p(-guess) + np.log1p(-lapse))
        slope = (n - yes) / (1 - p) - yes / p
        gradient = np.array(
            [
                np.sum(slope * -scale * density / noise) + off / (2 * span),
                np.sum(slope * -scale * density * z) + wide / 2,
                np.sum(slope * (1 - normal)) + _LAPSE_WEIGHT / (1 - guess),
                np.sum(slope * -normal) + _LAPSE_WEIGHT / (1 - lapse),
            ]
        )
        return float(value), gradient

    bounds = [(low - span, high + span), spread, (0.0, MAX_LAPSE), (0.0, MAX_LAPSE)]
    starts = [[start.bias, np.log(start.noise), start.guess, start.lapse]] if start else []
    if start is None:
        half = float(np.interp(0.5, np.maximum.accumulate(yes / n), x))
        starts = [[half, np.log(span / k), 0.02, 0.02] for k in (20, 6)]
        starts.append([middle, np.log(span / 6), 0.1, 0.1])
    found = min(
        (minimize(loss, at, jac=True, method="L-BFGS-B", bounds=bounds) for at in starts),
        key=lambda result: float(result.fun),
    )
    bias, noise, guess, lapse = (float(value) for value in found.x)
    noise = float(np.exp(noise))
    p = np.clip(_share(x, bias, noise, guess, lapse), 1e-9, 1 - 1e-9)
    flat = yes.sum() / n.sum()
    gain = 2 * (_likelihood(yes, n, p) - _likelihood(yes, n, np.full_like(p, flat)))
    seen = gain > chi2.isf(_LEVEL, 2) and low <= bias <= high and noise < span
    if not seen:
        return None
    return Curve(bias, noise, guess, lapse, _fit_p(yes, n, p), span / (len(x) - 1))


def _likelihood(yes: np.ndarray, n: np.ndarray, p: np.ndarray) -> float:
    return float(np.sum(yes * np.log(p) + (n - yes) * np.log1p(-p)))


def _fit_p(yes: np.ndarray, n: np.ndarray, p: np.ndarray) -> float:
    """Pearson's test of the fit over at most nine groups of neighbouring steps.

    With groups less four parameters as degrees of freedom; NaN where too few are left.
    """
    place = np.minimum((np.cumsum(n) - n / 2) / n.sum() * _BINS, _BINS - 1e-9).astype(int)
    if len(n) <= _BINS:
        place = np.arange(len(n))
    said, asked, expected, spread = (
        np.bincount(place, weights=values) for values in (yes, n, n * p, n * p * (1 - p))
    )
    used = asked > 0
    degrees = int(used.sum()) - 2
    if degrees < 1:
        return float("nan")
    off = (said[used] - expected[used]) ** 2 / np.maximum(spread[used], 1e-9)
    return float(chi2.sf(np.sum(off), degrees))
