"""Parts of a built kind, and its resting pose."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pactwin.sim.objects.posing import UPRIGHT
from pactwin.sim.objects.primitives import Parts, Pieces, parts_of
from pactwin.sim.scene.pose import Quat


@dataclass(frozen=True)
class BuiltParts:
    """Parts around any origin, z up in the kind's normal use; ``turn`` is its resting pose."""

    parts: Parts
    color: str
    state: str
    turn: Quat


Builder = Callable[[np.random.Generator], BuiltParts]


def built(color: str, *pieces: Pieces, state: str = "upright", turn: Quat = UPRIGHT) -> BuiltParts:
    """Collect all pieces of one object."""
    return BuiltParts(parts_of(*pieces), color, state, turn)


def chance(rng: np.random.Generator, of: float) -> bool:
    """Return True with probability ``of``."""
    return bool(rng.random() < of)
