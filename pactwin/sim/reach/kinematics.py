"""Kinematics of one arm as a chain of hinges, for many postures at once.

MuJoCo computes one posture per call, but a search needs thousands. So the chain is extracted once
from the compiled model and evaluated as a product of exponentials (Lynch and Park, Modern Robotics,
ch. 4), with each joint's axis and anchor in the table frame at zero angles. Arrays have one row per
posture; lengths in m, angles in rad.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import mujoco
import numpy as np

from pactwin.sim.reach import solver


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
        tools = solver.tools_of(*self._steps, np.ascontiguousarray(q))
        return tools[:, 0], tools[:, 1], tools[:, 2]

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
        of the lines. Joints stay within their limits. A row ends after ``steps``, within
        ``close_m``, or when a step gains little. Source: Wampler 1986; Buss, Introduction to
        Inverse Kinematics, 2004.
        """
        line, within_rad = (along, np.full(len(along), np.inf)) if across is None else across
        q = np.clip(q, self.low, self.high)
        goal, along, line = (np.ascontiguousarray(rows) for rows in (goal, along, line))
        tools = solver.solve(
            *self._steps,
            self.low,
            self.high,
            q,
            goal,
            along,
            float(cone_rad),
            line,
            within_rad,
            steps,
            close_m,
        )
        tip, pointing, closing, sine = tools.transpose(1, 0, 2)
        lean = np.arctan2(np.linalg.norm(sine, axis=1), (pointing * along).sum(axis=1))
        return Solved(q, np.linalg.norm(goal - tip, axis=1), lean, closing)


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
