"""Inverse kinematics of many postures, as loops that Numba compiles.

In NumPy most of the time would go into calls for few rows. Lengths in m, angles in rad; a chain is
its ``frames`` and ``tool`` (see :class:`pactwin.sim.reach.kinematics.Chain`).
"""

from collections.abc import Callable

import numba
import numpy as np

_MAX_STEP_RAD = 0.5
_DAMPING_M = 0.01
_FAR_DAMPING = 0.1
# A step that leaves more than this of the squared error is the last.
_STALLED = 0.97

ANGLE_WEIGHT_M = 0.15
"""Metres that count as much as an angle of 1 rad: about the length of a hand."""


def _compiled(function: Callable) -> Callable:
    """Compile ``function`` at its first call, and keep that where a folder can be written."""
    try:
        return numba.njit(cache=True)(function)
    except RuntimeError:  # what Numba raises where neither this folder nor the home can be written
        return numba.njit(function)


@_compiled
def tools_of(frames: np.ndarray, tool: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The tool's point, direction and closing direction (n, 3, 3) in postures (n, j)."""
    count, joints = q.shape
    tools = np.empty((count, 3, 3))
    axes, anchors = np.empty((2, joints, 3))
    for row in range(count):
        _sweep(frames, tool, q[row], axes, anchors, tools[row])
    return tools


@_compiled
def _sweep(
    frames: np.ndarray,
    tool: np.ndarray,
    q: np.ndarray,
    axes: np.ndarray,
    anchors: np.ndarray,
    ends: np.ndarray,
) -> None:
    """Write axes and anchors (j, 3) in posture ``q`` (j,), and three ``ends`` (3 or more, 3)."""
    # The frame's axes x, y, z and its origin.
    here, turned = np.eye(4, 3), np.empty((4, 3))
    for j in range(len(q)):
        for k in range(3):
            for column in range(4):
                turned[column, k] = here[3, k] if column == 3 else 0.0
                for row in range(3):
                    turned[column, k] += frames[j, row, column] * here[row, k]
            axes[j, k], anchors[j, k] = turned[2, k], turned[3, k]
        sin, cos = np.sin(q[j]), np.cos(q[j])
        for k in range(3):
            x, y = turned[0, k], turned[1, k]
            here[0, k], here[1, k] = cos * x + sin * y, cos * y - sin * x
            here[2, k], here[3, k] = turned[2, k], turned[3, k]
    for end in range(3):
        for k in range(3):
            ends[end, k] = 0.0
            for row in range(4):
                ends[end, k] += tool[row, end] * here[row, k]


@_compiled
def solve(
    frames: np.ndarray,
    tool: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    q: np.ndarray,
    goal: np.ndarray,
    along: np.ndarray,
    cone_rad: float,
    line: np.ndarray,
    within_rad: np.ndarray,
    steps: int,
    close_m: float,
) -> np.ndarray:
    """Move postures ``q`` (n, j) to their goals, in place; return the tools (n, 4, 3).

    A fourth row is the cross product of the tool's direction and ``along``.
    """
    count, joints = q.shape
    tools = np.empty((count, 4, 3))
    axes, anchors = np.empty((2, joints, 3))
    residual, jacobian, turn = np.empty((3, 3)), np.empty((joints, 3, 3)), np.empty(joints)
    for row in range(count):
        last_error = np.inf
        for step in range(steps + 1):
            _sweep(frames, tool, q[row], axes, anchors, tools[row])
            tip, pointing, closing, across = tools[row]
            _cross(pointing, along[row], across)
            if step == steps:
                break
            for k in range(3):
                residual[0, k] = goal[row, k] - tip[k]
            leans = _excess(pointing, along[row], cone_rad, residual[1])
            # Of a line's two directions that which is nearer.
            same_way = -1.0 if _dot(line[row], closing) < 0.0 else 1.0
            turned = _excess(closing, same_way * line[row], within_rad[row], residual[2])
            error = (
                _dot(residual[0], residual[0])
                + _dot(residual[1], residual[1])
                + _dot(residual[2], residual[2])
            )
            far = _dot(residual[0], residual[0]) > close_m**2
            if not (far or leans or turned) or error >= _STALLED * last_error:
                break
            last_error = error
            for j in range(joints):
                _cross(axes[j], tip - anchors[j], jacobian[j, 0])
                # What an axis turns about a direction does not move that.
                about = leans * _dot(axes[j], pointing), turned * _dot(axes[j], closing)
                for k in range(3):
                    jacobian[j, 1, k] = ANGLE_WEIGHT_M * (
                        leans * axes[j, k] - about[0] * pointing[k]
                    )
                    jacobian[j, 2, k] = ANGLE_WEIGHT_M * (
                        turned * axes[j, k] - about[1] * closing[k]
                    )
            # Far from the goal more damping (Sugihara 2011), or a stretched arm would swing about.
            _least_squares(jacobian, residual, _DAMPING_M**2 + _FAR_DAMPING * error, turn)
            most = 0.0
            for j in range(joints):
                most = max(most, abs(turn[j]))
            scale = min(1.0, _MAX_STEP_RAD / max(most, 1e-9))
            for j in range(joints):
                q[row, j] = min(max(q[row, j] + scale * turn[j], low[j]), high[j])
    return tools


@_compiled
def _excess(direction: np.ndarray, axis: np.ndarray, cone_rad: float, out: np.ndarray) -> bool:
    """Write the weighted rotation (3,) that takes a direction into a cone; is it outside?"""
    _cross(direction, axis, out)
    sine = np.sqrt(_dot(out, out))
    angle = np.arctan2(sine, _dot(direction, axis))
    outside = angle > cone_rad
    # Aim a little inside the cone, so that rounding does not leave a posture on its rim.
    turn = ANGLE_WEIGHT_M * (angle - 0.9 * cone_rad) if outside else 0.0
    out *= turn / max(sine, 1e-9)
    return bool(outside)


@_compiled
def _least_squares(
    jacobian: np.ndarray, residual: np.ndarray, damping: float, turn: np.ndarray
) -> None:
    """Write the turn (j,) that lessens a residual (3, 3), by its jacobian (j, 3, 3).

    The damping keeps the matrix definite. It is factored by Cholesky in loops: compiling a call of
    LAPACK would take longer than most suites.
    """
    joints = len(turn)
    lower = np.empty((joints, joints))
    for a in range(joints):
        turn[a] = 0.0
        for end in range(3):
            turn[a] += _dot(jacobian[a, end], residual[end])
        for b in range(a + 1):
            rest = damping if a == b else 0.0
            for end in range(3):
                rest += _dot(jacobian[a, end], jacobian[b, end])
            for c in range(b):
                rest -= lower[a, c] * lower[b, c]
            lower[a, b] = np.sqrt(rest) if a == b else rest / lower[b, b]
        for c in range(a):
            turn[a] -= lower[a, c] * turn[c]
        turn[a] /= lower[a, a]
    for a in range(joints - 1, -1, -1):
        for c in range(a + 1, joints):
            turn[a] -= lower[c, a] * turn[c]
        turn[a] /= lower[a, a]


@_compiled
def _dot(a: np.ndarray, b: np.ndarray) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@_compiled
def _cross(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    for k in range(3):
        u, v = (k + 1) % 3, (k + 2) % 3
        out[k] = a[u] * b[v] - a[v] * b[u]
