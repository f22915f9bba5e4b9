"""A robot at the table as a picture and in words, to check its mapping by eye.

The picture shows the robot from beyond the table and from the left, and its head camera's view.
Dots on the table mark where a small block can be grasped, one colour per arm; crosses mark where it
cannot. The frames of the resting hands are drawn: blue points out of the hand, red across its
fingers.
"""

from collections import Counter
from dataclasses import dataclass

import cv2
import numpy as np

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.reach.collider import arena_at_rest, arena_for, links_in_table
from pactwin.sim.reach.search import reach
from pactwin.sim.rendering.cameras import camera_at, head_camera, looking_at
from pactwin.sim.rendering.render import render_views
from pactwin.sim.rendering.room import draw_appearance
from pactwin.sim.rendering.silhouette import project
from pactwin.sim.robots.models import Robot
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scene.pose import frame
from pactwin.suite import Camera

_SIZE_PX = (640, 480)
_EYES = (
    ("front", (1.45, 0.10, 0.75), (0.10, 0.0, 0.05)),
    ("side", (0.30, 1.50, 0.55), (0.05, 0.0, 0.05)),
)
_GRID_M = (np.arange(0.08, 0.65, 0.08), np.arange(-0.56, 0.57, 0.08))
_STARTS = 3
_AXIS_M = 0.07
_ARM_COLORS = ((40, 90, 220), (240, 150, 20), (30, 150, 70), (180, 60, 180))
_NONE_COLOR = (30, 30, 30)
_AXIS_COLORS = ((220, 30, 30), (30, 170, 30), (30, 60, 240))


@dataclass(frozen=True)
class RobotPreview:
    """A picture (rows, columns, RGB), and facts of one line each."""

    picture: np.ndarray
    facts: tuple[str, ...]


def render_robot_preview(name: str) -> RobotPreview:
    """The robot called ``name``, drawn and described; raises InvalidInputError."""
    robot = robot_named(name)
    hands = _hands_at_rest(robot)
    taken = _what_it_takes(name)
    cameras = [
        *(
            camera_at(view, looking_at(np.array(eye), np.array(at)), _SIZE_PX)
            for view, eye, at in _EYES
        ),
        head_camera(name, _SIZE_PX),
    ]
    panels = []
    look = draw_appearance(np.random.default_rng(0))
    for camera, drawn in zip(cameras, render_views([], look, name, cameras), strict=True):
        picture = np.ascontiguousarray(drawn.color)
        _mark(picture, camera, robot, hands, taken)
        panels.append(picture)
    return RobotPreview(np.hstack(panels), tuple(_facts(robot, hands, taken)))


Taken = dict[tuple[float, float], str]


def _what_it_takes(name: str) -> Taken:
    """For each place (x, y) on the table, m, the arm that can grasp a small block there, or ""."""
    thing = block("red", (0.05, 0.05, 0.05), "plastic")
    found = {}
    for x in _GRID_M[0]:
        for y in _GRID_M[1]:
            here = standing_at(thing, float(x), float(y))
            result = reach(name, [here], here.name, starts=_STARTS)
            arm = result.best.arm if result.found and result.best else ""
            found[float(x), float(y)] = arm
    return found


def _hands_at_rest(robot: Robot) -> dict[str, np.ndarray]:
    """Per arm its palm frame (4x4) in the table frame."""
    collider = arena_at_rest(robot.name)
    found = {}
    for arm in robot.arms:
        site = collider.data.site(arm.palm_site)
        found[arm.name] = frame(site.xpos, site.xmat)
    return found


def _facts(robot: Robot, hands: dict[str, np.ndarray], taken: Taken) -> list[str]:
    model = arena_for(robot.name, ()).model
    camera = robot.world_from_head_camera
    down = np.rad2deg(np.arcsin(-camera[2, 2]))
    places = Counter(taken.values())
    facts = [
        f"robot {robot.name}",
        f"head camera at {_point(camera[:3, 3])} m, {down:.1f} degrees down",
    ]
    for arm in robot.arms:
        hand = hands[arm.name]
        ranges = [model.joint(name).range for name in arm.joint_names]
        joints = ", ".join(
            f"{joint} {low:.2f}..{high:.2f}"
            for joint, (low, high) in zip(arm.joints, ranges, strict=True)
        )
        facts += [
            f"arm {arm.name}: {len(arm.joints)} joints (rad): {joints}",
            f"arm {arm.name}: hand rests at {_point(hand[:3, 3])} m, pointing to "
            f"{_point(hand[:3, 2])}; takes a block at {places[arm.name]} of {len(taken)} places",
        ]
    inside = links_in_table(robot.name)
    facts.append(f"at rest in the table: {', '.join(inside) or 'nothing'}")
    return facts


def _point(values: np.ndarray) -> str:
    return "(" + ", ".join(f"{value:.3f}" for value in values) + ")"


def _mark(
    picture: np.ndarray,
    camera: Camera,
    robot: Robot,
    hands: dict[str, np.ndarray],
    taken: Taken,
) -> None:
    """Draw reach, hands and a legend into ``picture`` (RGB)."""
    colors = {arm.name: _ARM_COLORS[k % len(_ARM_COLORS)] for k, arm in enumerate(robot.arms)}
    for (x, y), arm in taken.items():
        spot = _pixel(camera, np.array([x, y, 0.0]))
        if arm:
            cv2.circle(picture, spot, 5, colors[arm], -1, cv2.LINE_AA)
        else:
            cv2.drawMarker(picture, spot, _NONE_COLOR, cv2.MARKER_TILTED_CROSS, 8, 1, cv2.LINE_AA)
    for hand in hands.values():
        for axis, color in enumerate(_AXIS_COLORS):
            tip = hand[:3, 3] + _AXIS_M * hand[:3, axis]
            ends = _pixel(camera, hand[:3, 3]), _pixel(camera, tip)
            cv2.arrowedLine(picture, *ends, color, 2, cv2.LINE_AA, tipLength=0.25)
    legend = {camera.name: (0, 0, 0), **{f"{arm} arm": color for arm, color in colors.items()}}
    for k, (text, color) in enumerate(legend.items(), start=1):
        cv2.putText(picture, text, (12, 24 * k), cv2.FONT_HERSHEY_SIMPLEX, 0.6, color, 2)


def _pixel(camera: Camera, point_m: np.ndarray) -> tuple[int, int]:
    (pixel,), (depth,) = project(camera, point_m[None])
    return (round(float(pixel[0])), round(float(pixel[1]))) if depth > 0.05 else (-100, -100)
