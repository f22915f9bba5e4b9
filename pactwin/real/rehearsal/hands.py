"""The operator's hands in a rehearsed session: they set up what page or terminal ask for."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import numpy as np

from pactwin.hardware import Bench, read_rig, write_calibration, write_rig
from pactwin.real.calibration import calibrate
from pactwin.real.rehearsal.mock_rig import rehearsal_rig
from pactwin.real.rehearsal.operator import Operator, new_address
from pactwin.real.rehearsal.rehearse import RULERS_MM, SHOTS


class SimulatedOperator:
    """They are a little off, and each time in another way."""

    def __init__(self, operator: Operator) -> None:
        """Of whoever works at a world."""
        self.operator = operator
        self._takes = count()

    def set_up(self, scene: str, mistake: str = "", thing: str = "", other: str = "") -> None:
        """Put a scene's things down, ``thing`` with a ``mistake``; it is swapped with ``other``."""
        wrong = {"mistake": mistake, "name": thing, "other": other} if mistake else {}
        self.operator.do("place", scene=scene, take=next(self._takes), **wrong)

    def poses(self) -> dict[str, np.ndarray]:
        """Where things really are: table from object, (4, 4), by name."""
        there = self.operator.do("truth")["objects"]
        return {name: np.array(pose) for name, pose in there.items()}


@contextmanager
def rehearsed_hands(
    suite: Path, rig: Path, seed: int, size_px: tuple[int, int]
) -> Iterator[SimulatedOperator]:
    """At a rehearsed bench, whose file ``rig`` is written; what it knows of cameras stays.

    Raises EnvironmentFaultError if the world does not come up.
    """
    address = new_address()
    known = read_rig(rig).calibration if rig.is_file() else None
    fresh = rehearsal_rig(address, 1 + os.getpid() % 200, size_px)
    write_rig(rig, fresh.model_copy(update={"calibration": known}))
    with Operator(suite, rig, address, seed) as operator:
        yield SimulatedOperator(operator)


@contextmanager
def calibrated_hands(
    suite: Path, rig: Path, seed: int, size_px: tuple[int, int]
) -> Iterator[SimulatedOperator]:
    """At such a bench that is calibrated, now unless it was before."""
    with rehearsed_hands(suite, rig, seed, size_px) as hands:
        if read_rig(rig).calibration is None:
            hands.operator.do("mat")
            with Bench(read_rig(rig)) as bench:
                found = calibrate(bench, RULERS_MM, SHOTS)
            write_calibration(rig, found.calibration)
        yield hands
