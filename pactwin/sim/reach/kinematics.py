"""One arm as a chain of hinges, for many postures at once.

MuJoCo computes one posture per call. Searching for postures needs thousands, so the chain is taken
out of the compiled model once and evaluated in numpy: the product of exponentials (Brockett 1984;
Lynch and Park, Modern Robotics, ch. 4), with every joint's axis and anchor as they lie in the table
frame when all its angles are zero. Arrays have one row per posture; lengths m, angles rad.
"""

from dataclasses import dataclass
from functools import cached_property

import mujoco
import numpy as np

_MAX_STEP_RAD = 0.5
_DAMPING_M = 0.01
_FAR_DAMPING = 0.1

ANGLE_WEIGHT_M = 0.15
"""An angle of 1 rad weighs as much as this many metres: about the length of a hand."""


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
        """The chain of ``joints`` whose tool is ``ahead_m`` along the z axis of ``site``.

        Its fingers close along the x axis. Other joints stay where the model's ``qpos0`` has them.
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
    def crosses(self) -> np.ndarray:
        """Matrices (j, 3, 3) that multiply a vector crosswise by each axis."""
        return _cross(np.eye(3), self.axes[:, None])

    @cached_property
    def squares(self) -> np.ndarray:
        """The squares (j, 3, 3) of ``crosses``."""
        return self.crosses @ self.crosses

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """``count`` postures (n, j), uniform within the limits."""
        return rng.uniform(self.low, self.high, (count, len(self.low)))

    def forward(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The tool's point (n, 3) and direction (n, 3) in postures ``q`` (n, j)."""
        turn, tip, _, _ = self._sweep(q)
        return tip, turn @ self.pointing

    def closings(self, q: np.ndarray) -> np.ndarray:
        """Unit directions (n, 3) along which the fingers close in postures ``q`` (n, j)."""
        return self._sweep(q)[0] @ self.closing

    def jacobian(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How the tool moves with the joints: of its point and of its direction, each (n, 3, j)."""
        turn, tip, axes, anchors = self._sweep(q)
        pointing = turn @ self.pointing
        linear = _cross(axes, tip[:, None] - anchors)
        turning = _cross(axes, pointing[:, None])
        return linear.transpose(0, 2, 1), turning.transpose(0, 2, 1)

    def _sweep(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The tool's turn (n, 3, 3), its point (n, 3), and joints' axes and anchors (n, j, 3)."""
        n, joints = q.shape
        sin, cos = np.sin(q)[:, :, None, None], np.cos(q)[:, :, None, None]
        # Rodrigues: turning by an angle about the joint's axis.
        turns = np.eye(3) + sin * self.crosses + (1.0 - cos) * self.squares
        frames = np.empty((n, joints + 1, 3, 3))
        frames[:, 0] = np.eye(3)
        for j in range(joints):
            np.matmul(frames[:, j], turns[:, j], out=frames[:, j + 1])
        before, after = frames[:, :-1], frames[:, 1:]
        axes = (before @ self.axes[:, :, None])[..., 0]
        arms = (before @ self.anchors[:, :, None])[..., 0]
        # Each joint leaves its own anchor where it is.
        shifts = np.cumsum(arms - (after @ self.anchors[:, :, None])[..., 0], axis=1)
        anchors = arms.copy()
        anchors[:, 1:] += shifts[:, :-1]
        turn = frames[:, -1]
        return turn, turn @ self.tip + shifts[:, -1], axes, anchors

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
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Damped least squares from many starts, each with its own goal.

        Moves the tool's point to ``goal`` (n, 3) while its direction stays within ``cone_rad`` of
        the unit vectors ``along`` (n, 3); inside that cone the direction costs nothing. With
        ``across`` its fingers close within so many rad (n,) of the lines along unit vectors (n, 3),
        which are given first. Joints stay within their limits. Ends after ``steps`` or when all
        rows are ``close_m`` near.
        Source: Wampler 1986; Buss, Introduction to Inverse Kinematics, 2004.

        Returns postures (n, j), position errors (n,) in m and angles (n,) off ``along`` in rad.
        """
        q = np.clip(q, self.low, self.high)
        moving = np.arange(len(q))
        for _ in range(steps):
            turn, tip, axes, anchors = self._sweep(q[moving])
            offset = goal[moving] - tip
            wanted = [(turn @ self.pointing, along[moving], cone_rad)]
            if across is not None:
                closing = turn @ self.closing
                wanted.append((closing, _same_way(across[0][moving], closing), across[1][moving]))
            found = [_excess(*one) for one in wanted]
            open_rows = np.linalg.norm(offset, axis=1) > close_m
            for (angle, _), (*_, cone) in zip(found, wanted, strict=True):
                open_rows |= angle > cone
            if not open_rows.any():
                break
            moving, offset, axes = moving[open_rows], offset[open_rows], axes[open_rows]
            blocks = [_cross(axes, (tip[open_rows, None] - anchors[open_rows]))]
            residuals = [offset]
            for (_, excess), (direction, *_) in zip(found, wanted, strict=True):
                turning = _turning(axes, direction[open_rows])
                turning *= (excess[open_rows] != 0.0).any(axis=1)[:, None, None]
                blocks.append(ANGLE_WEIGHT_M * turning)
                residuals.append(ANGLE_WEIGHT_M * excess[open_rows])
            jacobian = np.concatenate(blocks, axis=2)
            residual = np.concatenate(residuals, axis=1)
            normal = jacobian @ jacobian.transpose(0, 2, 1)
            # Far from the goal more damping (Sugihara 2011), or a stretched arm would swing about.
            damping = _DAMPING_M**2 + _FAR_DAMPING * (residual**2).sum(axis=1)
            normal += damping[:, None, None] * np.eye(len(self.low))
            step = np.linalg.solve(normal, jacobian @ residual[:, :, None])[:, :, 0]
            step *= np.minimum(1.0, _MAX_STEP_RAD / np.maximum(abs(step).max(axis=1), 1e-9))[
                :, None
            ]
            q[moving] = np.clip(q[moving] + step, self.low, self.high)
        tip, pointing = self.forward(q)
        angle, _ = _excess(pointing, along, cone_rad)
        return q, np.linalg.norm(goal - tip, axis=1), angle


def off_line_rad(directions: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """Angles (n,) between unit vectors and lines along unit vectors, each (n, 3), at most pi/2."""
    return np.arccos(np.clip(np.abs((directions * lines).sum(axis=-1)), 0.0, 1.0))


def _same_way(lines: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """Unit vectors along lines, of the two that which is nearer to a direction; each (n, 3)."""
    return np.where((lines * directions).sum(axis=1) < 0.0, -1.0, 1.0)[:, None] * lines


def _turning(axes: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Axes (n, j, 3) without what they turn about a direction (n, 3), which does not move it."""
    return axes - (axes @ direction[:, :, None]) * direction[:, None]


def _excess(
    pointing: np.ndarray, along: np.ndarray, cone_rad: float | np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Angles (n,) between directions, and the rotation vectors (n, 3) back into the cone."""
    axis = _cross(pointing, along)
    sine = np.linalg.norm(axis, axis=1)
    angle = np.arctan2(sine, (pointing * along).sum(axis=1))
    # Aim a little inside the cone, so that rounding does not leave a posture on its rim.
    turn = np.where(angle > cone_rad, angle - 0.9 * cone_rad, 0.0)
    return angle, axis / np.maximum(sine, 1e-9)[:, None] * turn[:, None]


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross products of rows of 3; ``np.cross`` spends most of its time on small arrays asking."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)
