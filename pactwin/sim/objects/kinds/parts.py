"""What a builder of a kind gives, and how it is turned."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pactwin.sim.objects.posing import UPRIGHT
from pactwin.sim.objects.primitives import Parts
from pactwin.sim.scene.pose import Quat


@dataclass(frozen=True)
class BuiltParts:
    """Parts around any origin, z up as the kind is normally used; ``turn`` is how it lies."""

    parts: Parts
    color: str
    state: str = "upright"
    turn: Quat = UPRIGHT


Builder = Callable[[np.random.Generator], BuiltParts]


def chance(rng: np.random.Generator, of: float) -> bool:
    """True in this share of the draws."""
    return bool(rng.random() < of)
