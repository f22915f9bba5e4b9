"""Trial outcome of a search for postures."""

import numpy as np

from pactwin.sim.physics.outcome import TrialOutcome, distance, measured
from pactwin.sim.reach.search import POSITION_TOLERANCE_M, RESERVE_M, Reach
from pactwin.sim.reach.starts import CONE_RAD
from pactwin.suite import Constraint, Measurement

# One unit of margin: within reach, or out of it, by this much; free of collisions, or blocked.
_REACH_UNIT_M = RESERVE_M
CLEARANCE_UNIT_M = 0.005
_CONE_DEG = round(float(np.rad2deg(CONE_RAD)), 2)
# What keeps a hand off by less may leave room for a posture that was not found: from 64 starts to
# 400 the least overlap shrinks by up to 4 mm. So it has to be 6 mm at least (LEAST_MARGIN).
_BLOCKED_UNIT_M = 0.015


def reach_outcome(found: Reach) -> TrialOutcome:
    """Out of reach, blocked or free, with the search's measurements.

    Undecided if a hand gets there, but without its fingers on both sides of the object.
    """
    if found.turned_wrong:
        return TrialOutcome.undecided("a hand gets there, but its fingers are turned wrong")
    best, near = found.best, POSITION_TOLERANCE_M
    measurements = {
        "distance_short_of_reach": measured(found.shortfall_m, "m", near, decimals=4),
        "reach_left_behind_target": measured(found.reserve_m, "m", 0.0, decimals=4),
        "postures_checked_for_collisions": Measurement(value=found.tried, unit="1"),
    }
    constraint, left_m = Constraint.NONE, found.beyond_m
    if best is None:
        constraint, left_m = Constraint.OUT_OF_REACH, -found.shortfall_m
        margin = left_m / _REACH_UNIT_M
    else:
        turned_deg = float(np.rad2deg(best.angle_error_rad))
        measurements |= {
            "best_posture_clearance": measured(best.clearance_m, "m", 0.0),
            "best_posture_position_error": measured(best.position_error_m, "m", near),
            "best_posture_angle_error": measured(turned_deg, "deg", _CONE_DEG, decimals=2),
        }
        # A search ends at the first posture that is free enough, not at the freest.
        margin = min(best.clearance_m / CLEARANCE_UNIT_M, found.reserve_m / _REACH_UNIT_M)
        if not found.found:
            constraint, left_m = Constraint.PATH_BLOCKED, best.clearance_m
            margin = left_m / _BLOCKED_UNIT_M
    feasible, left = constraint is Constraint.NONE, distance(left_m, "m")
    return TrialOutcome(feasible, constraint, measurements, round(margin, 4), distance=left)
