"""Kinematics of one arm as a chain of hinges, for many postures at once.

MuJoCo computes one posture per call, but a search needs thousands. So the chain is extracted once
from the compiled model and evaluated in numpy as a product of exponentials (Lynch and Park, Modern
Robotics, ch. 4), with each joint's axis and anchor in the table frame at zero angles. Arrays have
one row per posture; lengths in m, angles in rad.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import mujoco
import numpy as np

_MAX_STEP_RAD = 0.5
_DAMPING_M = 0.01
_FAR_DAMPING = 0.1
# A step that leaves more than this of the squared error is the last.
_STALLED = 0.97

ANGLE_WEIGHT_M = 0.15
"""Metres that count as much as an angle of 1 rad: about the length of a hand."""


@dataclass(frozen=True)
class Chain:
    """The hinges from a shoulder to a hand.

    ``axes`` and ``anchors`` (j, 3) hold unit axes and points on them at zero angles; ``tip`` (3,)
    and ``pointing`` (3,) are the tool's point and unit direction there, ``closing`` (3,) the unit
    direction along which its fingers close. ``low`` and ``high`` (j,) are the joints' limits,
    ``qpos`` (j,) their addresses in the model's qpos.
    """

    axes: np.ndarray
    anchors: np.ndarray
    tip: np.ndarray
    pointing: np.ndarray
    closing: np.ndarray
    low: np.ndarray
    high: np.ndarray
    qpos: np.ndarray

    @classmethod
    def of_site(
        cls, model: mujoco.MjModel, joints: tuple[str, ...], site: str, ahead_m: float
    ) -> "Chain":
        """Chain of ``joints`` whose tool is ``ahead_m`` along the z axis of ``site``.

        Its fingers close along the x axis. Other joints keep their ``qpos0``.
        """
        data = mujoco.MjData(model)
        ids = [model.joint(name).id for name in joints]
        qpos = model.jnt_qposadr[ids]
        data.qpos[qpos] = 0.0
        mujoco.mj_kinematics(model, data)
        closing, _, pointing = data.site(site).xmat.reshape(3, 3).T.copy()
        return cls(
            axes=data.xaxis[ids].copy(),
            anchors=data.xanchor[ids].copy(),
            tip=data.site(site).xpos + ahead_m * pointing,
            pointing=pointing,
            closing=closing,
            low=model.jnt_range[ids, 0].copy(),
            high=model.jnt_range[ids, 1].copy(),
            qpos=qpos,
        )

    @cached_property
    def _steps(self) -> tuple[np.ndarray, np.ndarray]:
        """Frames with each joint's axis as z, (j, 4, 4), and the tool in the last, (4, 3).

        Each frame is in that of the joint before, the first in the table frame.
        """
        frames = np.tile(np.eye(4), (len(self.axes), 1, 1))
        frames[:, :3, 2], frames[:, :3, 3] = self.axes, self.anchors
        away = np.eye(3)[np.abs(self.axes).argmin(axis=1)]
        frames[:, :3, 0] = np.cross(away, self.axes)
        frames[:, :3, 0] /= np.linalg.norm(frames[:, :3, 0], axis=1)[:, None]
        frames[:, :3, 1] = np.cross(self.axes, frames[:, :3, 0])
        before = np.concatenate([np.eye(4)[None], frames[:-1]])
        tool = np.stack([(*self.tip, 1.0), (*self.pointing, 0.0), (*self.closing, 0.0)], axis=1)
        return np.linalg.solve(before, frames), np.linalg.solve(frames[-1], tool)

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """Draw ``count`` postures (n, j), uniform within the limits."""
        return rng.uniform(self.low, self.high, (count, len(self.low)))

    def forward(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The tool's point (n, 3) and direction (n, 3) in postures ``q`` (n, j)."""
        tip, pointing, _ = self.tool_frames(q)
        return tip, pointing

    def closings(self, q: np.ndarray) -> np.ndarray:
        """Unit directions (n, 3) along which the fingers close in postures ``q`` (n, j)."""
        return self.tool_frames(q)[2]

    def tool_frames(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The tool's point, its direction, and its fingers' closing direction, (n, 3) each."""
        tip, pointing, closing = self._sweep(q.T)[0]
        return tip.T, pointing.T, closing.T

    def _sweep(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The tool's point, direction and closing direction (3, 3, n), axes and anchors (j, 3, n).

        For postures (j, n). The last axis is the longest, which makes NumPy fast.
        """
        joints, n = q.shape
        sin, cos = np.sin(q), np.cos(q)
        frames, tool = self._steps
        axes, anchors = np.empty((2, joints, 3, n))
        # The frame's axes x, y, z and its origin, each (3, n).
        here = np.repeat(frames[0, :3].T[:, :, None], n, axis=2)
        for j in range(joints):
            if j:
                here = (frames[j].T @ here.reshape(4, 3 * n)).reshape(4, 3, n)
            x, y, axes[j], anchors[j] = here
            here[0], here[1] = cos[j] * x + sin[j] * y, cos[j] * y - sin[j] * x
        return (tool.T @ here.reshape(4, 3 * n)).reshape(3, 3, n), axes, anchors

    def solve(
        self,
        q: np.ndarray,
        goal: np.ndarray,
        along: np.ndarray,
        cone_rad: float,
        *,
        steps: int,
        close_m: float = 5e-4,
        across: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> "Solved":
        """Damped least squares from many starts, each with its own goal.

        It moves the tool's point to ``goal`` (n, 3) while its direction stays within ``cone_rad``
        of the unit vectors ``along`` (n, 3); inside the cone the direction costs nothing.
        ``across`` holds unit vectors (n, 3) and angles (n,): the fingers close within these angles
        of the lines. Joints stay within their limits. It ends after ``steps``, or when all rows are
        within ``close_m``. Source: Wampler 1986; Buss, Introduction to Inverse Kinematics, 2004.
        """
        low, high = self.low[:, None], self.high[:, None]
        q = np.clip(q.T, low, high)
        goal, along = np.ascontiguousarray(goal.T), np.ascontiguousarray(along.T)
        line, within = (None, None) if across is None else (across[0].T.copy(), across[1])
        count = q.shape[1]
        tools = np.empty((3, 3, count))
        errors = np.full(count, np.inf)
        moving: np.ndarray = np.arange(count)
        for step in range(steps + 1):
            tool, axes, anchors = self._sweep(q[:, moving])
            tools[:, :, moving] = tool
            if step == steps:
                break
            tip, pointing, closing = tool
            offset = goal[:, moving] - tip
            excesses = [_excess(pointing, along[:, moving], cone_rad)]
            if line is not None and within is not None:
                # Of a line's two directions that which is nearer.
                same_way = np.where(_dot(line[:, moving], closing) < 0.0, -1.0, 1.0)
                wanted = same_way * line[:, moving]
                excesses.append(_excess(closing, wanted, within[moving]))
            error = _dot(offset, offset)
            still = error > close_m**2
            for excess, outside in excesses:
                still |= outside
                error += ANGLE_WEIGHT_M**2 * _dot(excess, excess)
            still &= error < _STALLED * errors[moving]
            errors[moving] = error
            if not still.all():
                moving = moving[still]
                if not len(moving):
                    break
                tip, offset = tip[:, still], offset[:, still]
                axes, anchors = axes[..., still], anchors[..., still]
            blocks, residuals = [_cross(axes, tip - anchors)], [offset]
            for (excess, outside), direction in zip(excesses, (pointing, closing), strict=False):
                if outside.any():
                    # What an axis turns about the direction does not move that.
                    about = direction[:, still]
                    turning = axes - _dot(axes, about)[:, None] * about
                    blocks.append(turning * (ANGLE_WEIGHT_M * outside[still]))
                    residuals.append(ANGLE_WEIGHT_M * excess[:, still])
            jacobian, residual = np.concatenate(blocks, axis=1), np.concatenate(residuals)
            # Far from the goal more damping (Sugihara 2011), or a stretched arm would swing about.
            damping = _DAMPING_M**2 + _FAR_DAMPING * (residual**2).sum(axis=0)
            turn = _least_squares(jacobian, residual, damping)
            turn *= np.minimum(1.0, _MAX_STEP_RAD / np.maximum(np.abs(turn).max(axis=0), 1e-9))
            q[:, moving] = np.clip(q[:, moving] + turn, low, high)
        tip, pointing, closing = tools
        off = goal - tip
        lean = np.arctan2(_length(_cross(pointing, along)), _dot(pointing, along))
        return Solved(q.T, np.sqrt(_dot(off, off)), lean, closing.T)


class Solved(NamedTuple):
    """Postures (n, j) with position errors (n,) in m and direction errors (n,) in rad.

    It also holds the fingers' closing directions (n, 3).
    """

    q: np.ndarray
    off_m: np.ndarray
    lean_rad: np.ndarray
    closing: np.ndarray


def off_line_rad(directions: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """Angles (n,) between unit vectors and lines along unit vectors, both (n, 3), up to pi/2."""
    return np.arccos(np.clip(np.abs((directions * lines).sum(axis=-1)), 0.0, 1.0))


def _excess(
    pointing: np.ndarray, along: np.ndarray, cone_rad: float | np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Rotation vectors (3, n) that take directions (3, n) into cones, and which are outside."""
    axis = _cross(pointing, along)
    sine = _length(axis)
    angle = np.arctan2(sine, _dot(pointing, along))
    outside = angle > cone_rad
    # Aim a little inside the cone, so that rounding does not leave a posture on its rim.
    turn = np.where(outside, angle - 0.9 * cone_rad, 0.0)
    return axis * (turn / np.maximum(sine, 1e-9)), outside


def _least_squares(jacobian: np.ndarray, residual: np.ndarray, damping: np.ndarray) -> np.ndarray:
    """Turns (j, n) that lessen residuals (m, n), by jacobians (j, m, n) and damping (n,).

    The damping keeps the matrices definite.
    """
    joints = range(len(jacobian))
    normal = np.einsum("amn,bmn->nab", jacobian, jacobian)
    normal[:, joints, joints] += damping[:, None]
    wanted = np.einsum("amn,mn->na", jacobian, residual)
    return np.asarray(np.linalg.solve(normal, wanted[..., None])[..., 0].T)


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Scalar products of vectors (..., 3, n)."""
    product = a * b
    return product[..., 0, :] + product[..., 1, :] + product[..., 2, :]


def _length(a: np.ndarray) -> np.ndarray:
    return np.sqrt(_dot(a, a))


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross products of vectors (..., 3, n)."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for k, (u, v) in enumerate(((1, 2), (2, 0), (0, 1))):
        out[..., k, :] = a[..., u, :] * b[..., v, :] - a[..., v, :] * b[..., u, :]
    return out
