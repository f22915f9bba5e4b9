"""Result of a builder of a kind, and its pose."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pactwin.sim.objects.posing import UPRIGHT
from pactwin.sim.objects.primitives import Parts, Pieces, parts_of
from pactwin.sim.scene.pose import Quat


@dataclass(frozen=True)
class BuiltParts:
    """Parts around any origin, z up as the kind is normally used; ``turn`` is its pose at rest."""

    parts: Parts
    color: str
    state: str
    turn: Quat


Builder = Callable[[np.random.Generator], BuiltParts]


def built(color: str, *pieces: Pieces, state: str = "upright", turn: Quat = UPRIGHT) -> BuiltParts:
    """All pieces of one of a kind."""
    return BuiltParts(parts_of(*pieces), color, state, turn)


def chance(rng: np.random.Generator, of: float) -> bool:
    """True in this share of the draws."""
    return bool(rng.random() < of)
