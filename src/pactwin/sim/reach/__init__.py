"""Reach: which postures take a hand to an object without touching anything else."""

from pactwin.sim.reach.arena import (
    SEEN_M,
    Arena,
    arena_at_rest,
    arena_for,
    check_stands_free,
    links_in_table,
)
from pactwin.sim.reach.search import (
    APPROACHES,
    CONE_RAD,
    POSITION_TOLERANCE_M,
    RESERVE_M,
    Posture,
    Reach,
    reach,
)

__all__ = [
    "APPROACHES",
    "CONE_RAD",
    "POSITION_TOLERANCE_M",
    "RESERVE_M",
    "SEEN_M",
    "Arena",
    "Posture",
    "Reach",
    "arena_at_rest",
    "arena_for",
    "check_stands_free",
    "links_in_table",
    "reach",
]
