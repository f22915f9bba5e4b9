"""Trial of a tool: does it reach the workpiece, and does the workpiece turn with it?

A hand brings the tool to a screw, nut or gap in the best orientation and pushes it in; then the
tool turns by 60 degrees against the workpiece's friction. Everything is ten times its real size:
contact stiffness is unchanged, so that penetration is small against a clearance of a millimetre.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import pi

import mujoco
import numpy as np

from pactwin.sim.objects.building import tools
from pactwin.sim.objects.posing import extents_m
from pactwin.sim.objects.primitives import (
    Parts,
    Y,
    Z,
    around,
    box,
    disc,
    moved,
    prism,
    ring_wall,
    shifted,
    walls,
)
from pactwin.sim.objects.shapes import hexagon
from pactwin.sim.physics.stability import ensure_stable
from pactwin.sim.scene.layout import Part
from pactwin.sim.scene.mjcf import log_warnings
from pactwin.sim.scene.pose import ORIGIN, Pose, Vec3, axis_angle, quat_multiply, vec3, yaw
from pactwin.sim.scene.spec import add_part

_SCALE = 10.0
# What resists the turn (N m, as large as all is), and sliding friction between tool and work, so
# low that a tool turns its work by shape alone.
_RESISTS_NM, _FRICTION = 0.3, 0.05
_WALL_MM = 9.0
_TURN_RAD = pi / 3
_STEP_S, _STEPS, _FOLLOWING = 0.002, 400, 100
_YAWS_RAD = (0.0, pi / 2)
IN_PLACE, TURNED = 0.8, 0.5
"""Minimum shares of the path and of the turn for a tool to serve."""
# Disturbed repetitions: beside the middle (mm) and turned otherwise (rad).
_DISTURBED = ((0.1, -0.02), (-0.1, 0.02))


@dataclass(frozen=True)
class Work:
    """A workpiece: z up, its axis through the origin.

    ``walls`` are fixed, ``head`` turns about the axis; a gap has no ``head``. The tool's end moves
    down the axis from ``start_mm`` to ``goal_mm``, and the part beyond ``mouth_mm`` counts; or it
    moves along x at the height ``beside_at_mm``. ``flat`` tools lie across the axis, others along
    it.
    """

    start_mm: float
    goal_mm: float
    mouth_mm: float = 0.0
    walls: Parts = ()
    head: Parts = ()
    flat: bool = False
    beside_at_mm: float | None = None

    def at_m(self, way_mm: float) -> np.ndarray:
        """Position of the tool's end on its path, at the enlarged scale."""
        height = self.beside_at_mm
        at = (0.0, 0.0, way_mm) if height is None else (way_mm, 0.0, height)
        return np.array(at) / 1000 * _SCALE


@dataclass(frozen=True)
class Fit:
    """Result: shares of the path and of the turn (1 if nothing turns)."""

    inserted: float
    turned: float
    agreed: int = 0
    run: int = 0

    @property
    def serves(self) -> bool:
        """Return whether the tool does the work."""
        return self.inserted >= IN_PLACE and self.turned >= TURNED

    @property
    def margin(self) -> float:
        """Signed distance to the nearer limit: 1 for complete success, -1 for complete failure."""
        least = min(
            (self.inserted - IN_PLACE) / (1 - IN_PLACE if self.inserted > IN_PLACE else IN_PLACE),
            (self.turned - TURNED) / TURNED,
        )
        return float(np.clip(least, -1.0, 1.0))


def _nut(high: float, stud: float = 0.0) -> Parts:
    """A nut and the stud that it sits on."""
    nut = prism(hexagon(0.013), 0.0, high / 1000)
    return (nut, disc(0.008, 0.0, stud / 1000)) if stud else (nut,)


def _block(size_mm: Vec3, middle_mm: Vec3) -> Part:
    return box(vec3(s / 1000 for s in size_mm), vec3(c / 1000 for c in middle_mm))


def _tube(radius: float, low: float, high: float) -> Parts:
    return ring_wall((radius / 1000,) * 2, (low / 1000, high / 1000), _WALL_MM / 1000)


def _pocket(x: float, y: float, deep: float) -> Parts:
    """Four walls around a gap."""
    outer = ((x + 2 * _WALL_MM) / 1000, (y + 2 * _WALL_MM) / 1000)
    return shifted(walls(*outer, deep / 1000, _WALL_MM / 1000), z=-deep / 1000)


def _cross(wide: float, long: float, deep: float) -> Parts:
    """Two slots that cross, closed at their ends: a corner and an end, four times."""
    beside, beyond = ((s + _WALL_MM) / 2 for s in (wide, long))
    corner = _block((_WALL_MM, _WALL_MM, deep), (beside, beside, -deep / 2))
    end = _block((_WALL_MM, wide, deep), (beyond, 0.0, -deep / 2))
    return around(4, corner, end)


_SHELF = _block((120.0, 120.0, 10.0), (0.0, 0.0, 51.0))
WORKS: Mapping[str, Work] = {
    "cross recess": Work(3, -5.5, head=_cross(2.0, 8.4, 6)),
    "slot": Work(3, -2.5, head=_pocket(1.8, 12, 6)),
    "nut in a well": Work(45, 1, 7, walls=_tube(11, 0, 40), head=_nut(7, 10)),
    "nut on a pipe": Work(45, 0, 6, head=_nut(8, 120), flat=True, beside_at_mm=4),
    "nut in a recess": Work(25, 4.6, 10, walls=_tube(13, 0, 7), head=_nut(6), flat=True),
    "nut on a long stud": Work(45, 0.5, 7, head=_nut(7, 42)),
    "nut under a shelf": Work(10, 0.5, 7, walls=(_SHELF,), head=_nut(7, 9)),
    "slot of 10 mm": Work(5, -29, walls=_pocket(16, 10, 30)),
    "hole of 12 mm": Work(5, -40, walls=_tube(6, -10, 0)),
    "gap of 14 mm": Work(5, -39, walls=_pocket(60, 14, 40)),
    "bore of 4.4 mm": Work(5, -19.5, walls=_tube(2.2, -20, 0)),
}
"""Workpieces with a trial, by their name in the table of procedures."""


@lru_cache(maxsize=256)
def try_tool(kind: str, work: str) -> Fit:
    """Bring a tool of ``kind`` to ``work``; KeyError for unknown names.

    The better of two initial orientations counts. From there the trial is repeated twice with
    slightly different position and orientation.
    """
    parts = tuple(p for p in tools()[kind].parts_of() if p.collides)
    best = max(
        ((_fit(parts, WORKS[work], turn), turn) for turn in _YAWS_RAD),
        key=lambda tried: (tried[0].serves, tried[0].inserted, tried[0].turned),
    )
    again = [_fit(parts, WORKS[work], best[1] + turn, off) for off, turn in _DISTURBED]
    agreed = sum(fit.serves == best[0].serves for fit in again)
    return replace(best[0], agreed=agreed, run=len(again))


def _fit(parts: Parts, work: Work, turn_rad: float, off_mm: float = 0.0) -> Fit:
    world = _World(parts, work, turn_rad, off_mm)
    if world.overlaps():
        return Fit(0.0, 0.0)
    inserted = world.push()
    if not work.head:
        return Fit(inserted, 1.0)
    return Fit(inserted, world.turn() if inserted >= IN_PLACE else 0.0)


class _World:
    """The work, and a tool led by a hand."""

    def __init__(self, parts: Parts, work: Work, turn_rad: float, off_mm: float) -> None:
        off = np.array([0.0, off_mm / 1000 * _SCALE, 0.0])
        self._start, self._mouth, self._goal = (
            work.at_m(at) + off for at in (work.start_mm, work.mouth_mm, work.goal_mm)
        )
        # A flat tool comes as its jaw is made: only what lies along the axis is turned at will.
        lean = ORIGIN.quat if work.flat else axis_angle(Y, -pi / 2)
        self._turned = quat_multiply(yaw(0.0 if work.flat else turn_rad), lean)
        lowest = 0.0 if work.head else float(extents_m(parts)[0][0])
        spec = mujoco.MjSpec()
        spec.option.timestep, spec.option.gravity = _STEP_S, (0.0, 0.0, 0.0)
        spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        for k, part in enumerate(work.walls):
            _add(spec, spec.worldbody, part, f"wall {k}")
        if work.head:
            head = spec.worldbody.add_body(name="head")
            hinge = head.add_joint(name="head", type=mujoco.mjtJoint.mjJNT_HINGE, axis=Z)
            hinge.frictionloss = _RESISTS_NM
            turned = moved(work.head, Pose(ORIGIN.pos, yaw(turn_rad if work.flat else 0.0)))
            for k, part in enumerate(turned):
                _add(spec, head, part, f"head {k}")
        spec.worldbody.add_body(name="hand", mocap=True, pos=self._start, quat=self._turned)
        tool = spec.worldbody.add_body(name="tool", pos=self._start, quat=self._turned)
        tool.add_freejoint()
        for k, part in enumerate(shifted(parts, x=-lowest)):
            _add(spec, tool, part, f"tool {k}").mass = 1.0 / len(parts)
        weld = spec.add_equality(
            type=mujoco.mjtEq.mjEQ_WELD,
            objtype=mujoco.mjtObj.mjOBJ_BODY,
            name1="hand",
            name2="tool",
        )
        weld.data[:3] = 0.0  # where it holds; made for a joint, by default
        log_warnings()
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, self.data)

    def overlaps(self) -> bool:
        """Whether the tool overlaps something at its start."""
        return bool(self.data.ncon)

    def push(self) -> float:
        """Lead the tool to its goal; returns its share of the way beyond the mouth."""
        for share in self._moving():
            self.data.mocap_pos[0] = self._start + share * (self._goal - self._start)
        inside = self._goal - self._mouth
        came = (self.data.body("tool").xpos - self._mouth) @ inside / (inside @ inside)
        return round(float(np.clip(came, 0.0, 1.0)), 3)

    def turn(self) -> float:
        """Turn the tool by 60 degrees; returns the share by which the work turned."""
        for share in self._moving():
            self.data.mocap_quat[0] = quat_multiply(yaw(share * _TURN_RAD), self._turned)
        return round(float(np.clip(self.data.joint("head").qpos[0] / _TURN_RAD, 0.0, 1.0)), 3)

    def _moving(self) -> Iterator[float]:
        """Shares of a motion of the hand, each to be carried out, until the tool has followed."""
        for k in range(_STEPS + _FOLLOWING):
            yield min(1.0, k / _STEPS)
            mujoco.mj_step(self.model, self.data)
        ensure_stable(self.data)


def _add(spec: mujoco.MjSpec, body: mujoco.MjsBody, part: Part, name: str) -> mujoco.MjsGeom:
    """``part`` as a geom of ``body``, enlarged."""
    large = replace(
        part,
        size_m=vec3(_SCALE * s for s in part.size_m),
        pose=Pose(vec3(_SCALE * p for p in part.pose.pos), part.pose.quat),
        corners_m=tuple(vec3(_SCALE * c for c in corner) for corner in part.corners_m),
    )
    geom = add_part(spec, body, large, name)
    geom.friction[0] = _FRICTION
    geom.solref[0] = 0.006
    return geom
