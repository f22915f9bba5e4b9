"""The trial behind "this tool serves": does it get to the work, and does the work turn with it?

A tool comes to a screw, a nut or a gap as a hand would bring it, turned as it fits best, and is
pushed in; then it turns by 60 degrees, against the work's friction. All is ten times as large as it
is: contacts are as stiff as ever, so their give is small against the play of a millimetre.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, pi, sin

import mujoco
import numpy as np

from pactwin.sim.objects.posing import span_m
from pactwin.sim.objects.primitives import Parts, Y, prism, ring_wall
from pactwin.sim.objects.tools.building import BUILDERS
from pactwin.sim.objects.tools.shapes import block, hexagon, pin
from pactwin.sim.scene.layout import Part
from pactwin.sim.scene.mjcf import log_warnings
from pactwin.sim.scene.pose import Pose, Vec3, axis_angle, quat_multiply, vec3, yaw
from pactwin.sim.scene.spec import add_part

_SCALE = 10.0
_SPEED_M_S, _TURN_RAD, _TURN_S = 0.6, pi / 3, 0.6
_STEP_S = 0.002
_YAWS_RAD = (0.0, pi / 6, pi / 4, pi / 2)
IN_PLACE, TURNED = 0.8, 0.5
"""Shares of the way in, and of the turn, from which on a tool serves."""
# Disturbed repetitions: beside the middle (mm) and turned otherwise (rad).
_DISTURBED = ((0.1, -0.02), (-0.1, 0.02))


@dataclass(frozen=True)
class Work:
    """What a tool is brought to: z up, the work's axis through the origin.

    ``walls`` stand fast, ``head`` turns about the axis. The tool's end goes from ``start_mm`` to
    ``goal_mm``, of which the last ``engaged_mm`` count; ``flat`` tools lie across the axis, others
    along it. A gap has no ``head``.
    """

    start_mm: Vec3
    goal_mm: Vec3
    walls: Parts = ()
    head: Parts = ()
    engaged_mm: float = 6.0
    flat: bool = False


@dataclass(frozen=True)
class Fit:
    """What came of it: shares of the way in and of the turn (1 where nothing is to turn)."""

    inserted: float
    turned: float
    agreed: int = 0
    run: int = 0

    @property
    def serves(self) -> bool:
        """Whether the tool does the work."""
        return self.inserted >= IN_PLACE and self.turned >= TURNED

    @property
    def margin(self) -> float:
        """Signed distance to the nearer limit, 1 where all is as it should be or nothing is."""
        least = min(
            (self.inserted - IN_PLACE) / (1 - IN_PLACE if self.inserted > IN_PLACE else IN_PLACE),
            (self.turned - TURNED) / TURNED,
        )
        return float(np.clip(least, -1.0, 1.0))


def _nut(high: float) -> Parts:
    return (prism(hexagon(13.0), 0.0, high / 1000),)


def _tube(radius: float, low: float, high: float) -> Parts:
    return ring_wall((radius / 1000,) * 2, (low / 1000, high / 1000), 0.004)


def _pocket(x: float, y: float, deep: float) -> Parts:
    """Four walls around a gap."""
    return tuple(
        block(size, at)
        for s in (-1, 1)
        for size, at in (
            (f"{x + 40} 20 {deep}", f"0 {s * (y / 2 + 10)} {-deep / 2}"),
            (f"20 {y + 40} {deep}", f"{s * (x / 2 + 10)} 0 {-deep / 2}"),
        )
    )


def _recess(half_wide: float, half_long: float, *, crossed: bool) -> Parts:
    """A screw's head with a slot, or with two that cross, closed at their ends."""
    quarters = [
        block("9 9 6", f"{sx * (half_wide + 4.5)} {sy * (half_wide + 4.5)} -3")
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    ends = []
    for k in range(4):
        inner = half_long if crossed or k % 2 else half_wide
        way = (cos(k * pi / 2), sin(k * pi / 2))
        long, wide = 9.0, 2 * half_wide
        at = inner + long / 2
        size = f"{long} {wide} 6" if k % 2 == 0 else f"{wide} {long} 6"
        ends.append(block(size, f"{way[0] * at:.4f} {way[1] * at:.4f} -3"))
    return (*quarters, *ends, pin(18, -9, -6))


WORKS: Mapping[str, Work] = {
    "cross recess": Work((0, 0, 3), (0, 0, -5.5), head=_recess(1.0, 4.2, crossed=True)),
    "slot": Work((0, 0, 3), (0, 0, -2.5), head=_recess(0.9, 6.0, crossed=False)),
    "nut in a well": Work(
        (0, 0, 45), (0, 0, 1), walls=_tube(11, 0, 40), head=(*_nut(7), pin(8, 0, 10))
    ),
    "nut on a pipe": Work((45, 0, 4), (0, 0, 4), head=(*_nut(8), pin(8, -80, 120)), flat=True),
    "nut in a recess": Work(
        (0, 0, 25), (0, 0, 4.6), walls=_tube(13, 0, 7), head=_nut(6), flat=True
    ),
    "nut on a long stud": Work((0, 0, 45), (0, 0, 0.5), head=(*_nut(7), pin(8, 0, 42))),
    "nut under a shelf": Work(
        (0, 0, 10),
        (0, 0, 0.5),
        walls=(block("120 120 10", "0 0 51"),),
        head=(*_nut(7), pin(8, 0, 9)),
    ),
    "slot of 10 mm": Work((0, 0, 5), (0, 0, -29), walls=_pocket(16, 10, 30), engaged_mm=30),
    "hole of 12 mm": Work((0, 0, 5), (0, 0, -40), walls=_tube(6, -10, 0), engaged_mm=40),
    "gap of 14 mm": Work((0, 0, 5), (0, 0, -39), walls=_pocket(60, 14, 40), engaged_mm=40),
    "bore of 4.4 mm": Work((0, 0, 5), (0, 0, -19.5), walls=_tube(2.2, -20, 0), engaged_mm=20),
}
"""What can be played, by the name that the table of procedures calls it."""


@lru_cache(maxsize=256)
def try_tool(kind: str, work: str) -> Fit:
    """What comes of bringing a tool of ``kind`` to ``work``; KeyError for unknown names.

    The way it is turned when it is brought there is the best of four; from there it is tried again
    twice, a little beside and otherwise turned.
    """
    parts = tuple(p for p in BUILDERS[kind](np.random.default_rng(0)).parts if p.collides)
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
    """The work, and a tool that a hand leads."""

    def __init__(self, parts: Parts, work: Work, turn_rad: float, off_mm: float) -> None:
        along = np.subtract(work.goal_mm, work.start_mm) / 1000 * _SCALE
        start = np.add(work.start_mm, (0.0, off_mm, 0.0)) / 1000 * _SCALE
        lean = (1.0, 0.0, 0.0, 0.0) if work.flat else axis_angle(Y, -pi / 2)
        # A flat tool comes as its jaw is made: only what lies along the axis is turned at will.
        self._way, self._turned = along, quat_multiply(yaw(0.0 if work.flat else turn_rad), lean)
        lowest = 0.0 if work.flat or work.head else min(_left_end(part) for part in parts)
        spec = mujoco.MjSpec()
        spec.option.timestep, spec.option.gravity = _STEP_S, (0.0, 0.0, 0.0)
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        for k, part in enumerate(work.walls):
            _add(spec, spec.worldbody, part, f"wall {k}")
        if work.head:
            head = spec.worldbody.add_body(name="head")
            hinge = head.add_joint(name="head", type=mujoco.mjtJoint.mjJNT_HINGE, axis=(0, 0, 1))
            hinge.frictionloss = 0.3
            turn = axis_angle((0.0, 0.0, 1.0), turn_rad if work.flat else 0.0)
            for k, part in enumerate(work.head):
                turned = replace(part, pose=Pose((0.0, 0.0, 0.0), turn) @ part.pose)
                _add(spec, head, turned, f"head {k}")
        spec.worldbody.add_body(name="hand", mocap=True, pos=start, quat=self._turned)
        tool = spec.worldbody.add_body(name="tool", pos=start, quat=self._turned)
        tool.add_freejoint()
        for k, part in enumerate(parts):
            moved = replace(part, pose=part.pose.moved(dx=-lowest))
            _add(spec, tool, moved, f"tool {k}").mass = 1.0 / len(parts)
        weld = spec.add_equality(
            name="hand",
            type=mujoco.mjtEq.mjEQ_WELD,
            objtype=mujoco.mjtObj.mjOBJ_BODY,
            name1="hand",
            name2="tool",
            solref=(0.02, 1.0),
        )
        weld.data = [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]
        log_warnings()
        self.model = spec.compile()
        if work.head:  # newer MuJoCo has a polynomial in the spec
            self.model.joint("head").damping[:] = 0.3
        self.data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, self.data)
        self._start, self._engaged = start, work.engaged_mm / 1000 * _SCALE

    def overlaps(self) -> bool:
        """Whether the tool has no room where it starts from."""
        return bool((self.data.contact.dist < -0.01).any())

    def push(self) -> float:
        """Lead the tool to its goal; the share of the last of the way that it came."""
        way = float(np.linalg.norm(self._way))
        steps = int(way / _SPEED_M_S / _STEP_S)
        for k in range(steps + 100):
            self.data.mocap_pos[0] = self._start + self._way * min(1.0, k / steps)
            mujoco.mj_step(self.model, self.data)
        came = float((self.data.body("tool").xpos - self._start) @ self._way) / way
        return round(float(np.clip(1.0 - (way - came) / self._engaged, 0.0, 1.0)), 3)

    def turn(self) -> float:
        """Turn the tool by 60 degrees; the share of that by which the work turned."""
        before = float(self.data.qpos[0])
        steps = int(_TURN_S / _STEP_S)
        for k in range(steps + 50):
            turn = yaw(_TURN_RAD * min(1.0, k / steps))
            self.data.mocap_quat[0] = quat_multiply(turn, self._turned)
            mujoco.mj_step(self.model, self.data)
        turned = (float(self.data.qpos[0]) - before) / _TURN_RAD
        return round(float(np.clip(turned, 0.0, 1.0)), 3)


def _left_end(part: Part) -> float:
    """The least x (m) of a part."""
    return span_m(part.pose, part, 0)[0]


def _add(spec: mujoco.MjSpec, body: mujoco.MjsBody, part: Part, name: str) -> mujoco.MjsGeom:
    """``part`` as a geom of ``body``, enlarged."""
    large = replace(
        part,
        size_m=vec3(_SCALE * s for s in part.size_m),
        pose=Pose(vec3(_SCALE * p for p in part.pose.pos), part.pose.quat),
        corners_m=tuple(vec3(_SCALE * c for c in corner) for corner in part.corners_m),
    )
    geom = add_part(spec, body, large, name)
    geom.friction = (0.05, 0.005, 0.0001)
    geom.solref, geom.solimp = (0.006, 1.0), (0.95, 0.99, 0.001, 0.5, 2.0)
    geom.condim = 3
    return geom
