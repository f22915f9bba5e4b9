"""Trial outcome of a search for postures."""

from dataclasses import replace

import numpy as np

from pactwin.sim.physics.outcome import TrialOutcome, distance
from pactwin.sim.reach.search import POSITION_TOLERANCE_M, RESERVE_M, Reach
from pactwin.sim.reach.starts import CONE_RAD
from pactwin.suite import Constraint, Measurement

# One unit of margin: within reach, or out of it, by this much; free of collisions, or blocked.
_REACH_UNIT_M = RESERVE_M
CLEARANCE_UNIT_M = 0.005
# What keeps a hand off by less may leave room for a posture that was not found: from 64 starts to
# 400 the least overlap shrinks by up to 4 mm. So it has to be 6 mm at least (LEAST_MARGIN).
_BLOCKED_UNIT_M = 0.015


def reach_outcome(found: Reach) -> TrialOutcome:
    """Out of reach, blocked or free, with the search's measurements.

    Undecided if a hand gets there, but without its fingers on both sides of the object.
    """
    if found.turned_wrong:
        return TrialOutcome.undecided("a hand gets there, but its fingers are turned wrong")
    measurements = {
        "distance_short_of_reach": Measurement(
            value=round(found.shortfall_m, 4), limit=POSITION_TOLERANCE_M, unit="m"
        ),
        "reach_left_behind_target": Measurement(
            value=round(found.reserve_m, 4), limit=0.0, unit="m"
        ),
        "postures_checked_for_collisions": Measurement(value=found.tried, unit="1"),
    }
    best = found.best
    if best is None:
        margin = -found.shortfall_m / _REACH_UNIT_M
        short = distance(-found.shortfall_m, "m")
        outcome = TrialOutcome(False, Constraint.OUT_OF_REACH, measurements, round(margin, 4))
        return replace(outcome, distance=short)
    measurements |= {
        "best_posture_clearance": Measurement(
            value=round(best.clearance_m, 5), limit=0.0, unit="m"
        ),
        "best_posture_position_error": Measurement(
            value=round(best.position_error_m, 5), limit=POSITION_TOLERANCE_M, unit="m"
        ),
        "best_posture_angle_error": Measurement(
            value=round(float(np.rad2deg(best.angle_error_rad)), 2),
            limit=round(float(np.rad2deg(CONE_RAD)), 2),
            unit="deg",
        ),
    }
    margin = best.clearance_m / CLEARANCE_UNIT_M
    if not found.found:
        margin = best.clearance_m / _BLOCKED_UNIT_M
        outcome = TrialOutcome(False, Constraint.PATH_BLOCKED, measurements, round(margin, 4))
        return replace(outcome, distance=distance(best.clearance_m, "m"))
    # A search ends at the first posture that is free enough: how free one could be is not known.
    margin = min(margin, found.reserve_m / _REACH_UNIT_M)
    outcome = TrialOutcome(True, Constraint.NONE, measurements, round(margin, 4))
    return replace(outcome, distance=distance(found.beyond_m, "m"))
