"""Export a RoboCasa kitchen around one of its counters as a model for rendering.

Run it as a separate program, ``python -m pactwin.sim.rendering.kitchen_export LAYOUT STYLE FILE``:
RoboCasa's package is imported only here, because it needs exact versions of other packages, loads
all of its tasks and prints a lot. Its class ``KitchenArena`` places the kitchen's fixtures; movable
ones (kettles, jars, ...) are left out.

Cameras stand around the counter and a robot in front of it. So the counter must be free-standing:
it has no sink or stove, no wall is near, and the robot's place is free. Stools are left out, and so
is everything higher than the counter at the cameras' places.
"""

import copy
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import yaml

from pactwin.sim.rendering.kitchen import NO_FREE_COUNTER

LEAST_TOP_M = (0.75, 1.4)
"""Minimum depth and width (m) of a counter's top, as seen by the robot."""

_STAGE_M = 1.6
"""Cameras stand within this distance (m) of the middle of what they look at."""

_STAGE_MIDDLE_M = (0.35, 0.0)
_STANDING_M = ((-0.8, -0.5), (0.02, 0.5))
"""Where the robot stands, before the counter's edge: least and largest x and y (m)."""

_NO_PART_OF_A_PICTURE = ("joint", "freejoint", "site", "camera", "light")


class NoFreeCounterError(Exception):
    """No counter of this layout is free-standing."""


@dataclass(frozen=True)
class _Counter:
    """``kitchen_from_table`` (4x4, m) and the (depth, width, height) of its top, in m."""

    name: str
    kitchen_from_table: np.ndarray
    size_m: tuple[float, float, float]


def export_kitchen(layout: int, style: int) -> str:
    """The kitchen in the table's frame as MJCF, without joints, collisions and hidden geoms.

    The counter is the body ``counter``; its depth, width and height (m) are the custom numeric
    ``counter``. Raises NoFreeCounterError, FileNotFoundError for assets that are not there.
    """
    fixtures, root = _built(layout, style)
    _strip(root)
    corners = _corners_m(root)
    for counter in _free_standing(fixtures):
        seen = {name: _in_table(points, counter) for name, points in corners.items()}
        if all(_leaves_room(fixtures.get(name), seen[name], name == counter.name) for name in seen):
            _keep(root, counter, {name for name in seen if _in_picture(name, seen[name], counter)})
            _drop_unused(root)
            return ET.tostring(root, encoding="unicode")
    raise NoFreeCounterError(f"layout {layout}")


def _built(layout: int, style: int) -> tuple[dict[str, Any], ET.Element]:
    """RoboCasa's fixtures by name, and the model that they make."""
    from robocasa.models.scenes.kitchen_arena import KitchenArena
    from robocasa.models.scenes.scene_registry import get_layout_path
    from robosuite.models.tasks import ManipulationTask

    groups = yaml.safe_load(Path(get_layout_path(layout)).read_text(encoding="utf-8"))
    for group in groups.values():
        for name, fixtures in group.items():
            if isinstance(fixtures, list) and not name.startswith("group_"):
                group[name] = [
                    one for one in fixtures if "placement" not in one and one["type"] != "stool"
                ]
    collider = KitchenArena(groups, style, rng=np.random.default_rng(0))
    collider.set_origin([0, 0, 0])
    task = ManipulationTask(
        mujoco_arena=collider, mujoco_robots=[], mujoco_objects=list(collider.fixtures.values())
    )
    # RoboCasa's own code wrote it just now.
    return collider.fixtures, ET.fromstring(task.get_xml())  # noqa: S314


def _section(root: ET.Element, tag: str) -> ET.Element:
    found = root.find(tag)
    if found is None:
        raise ValueError(f"RoboCasa's model has no {tag}")
    return found


def _strip(root: ET.Element) -> None:
    """Keep only what is visible.

    RoboCasa draws group 1; the colour of what is hidden has no alpha."""
    for section in ("actuator", "equality", "sensor", "tendon", "contact", "size", "option"):
        for element in root.findall(section):
            root.remove(element)
    world = _section(root, "worldbody")
    for body in world.findall("body"):
        if body.get("mocap") == "true":
            world.remove(body)
    for parent in root.iter():
        for child in list(parent):
            hidden = child.tag == "geom" and (
                child.get("group") != "1" or child.get("rgba", "1").split()[-1] in ("0", "0.0")
            )
            if hidden or child.tag in _NO_PART_OF_A_PICTURE:
                parent.remove(child)
    for material in root.iter("material"):
        # Mirrors would draw the room anew for each of them.
        material.attrib.pop("reflectance", None)


def _drop_unused(root: ET.Element) -> None:
    """Remove unused materials, textures and meshes."""
    assets = _section(root, "asset")
    for kind, user in (("material", "geom"), ("mesh", "geom"), ("texture", "material")):
        used = {element.get(kind) for element in root.iter(user)}
        for element in assets.findall(kind):
            if element.get("name") not in used:
                assets.remove(element)


def _corners_m(root: ET.Element) -> dict[str, np.ndarray]:
    """Corners (n, 3; kitchen frame) of the boxes around all that is seen of each fixture."""
    bare = copy.deepcopy(root)
    assets = _section(bare, "asset")
    for kind in ("texture", "material"):
        for element in assets.findall(kind):
            assets.remove(element)
    for geom in bare.iter("geom"):
        geom.attrib.pop("material", None)
    model = mujoco.MjModel.from_xml_string(ET.tostring(bare, encoding="unicode"))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    signs = np.array(np.meshgrid(*[(-1.0, 1.0)] * 3)).reshape(3, -1).T
    found: dict[str, list[np.ndarray]] = {}
    for k in range(model.ngeom):
        centre, half = model.geom_aabb[k, :3], model.geom_aabb[k, 3:]
        turn = data.geom_xmat[k].reshape(3, 3)
        points = data.geom_xpos[k] + (centre + signs * half) @ turn.T
        top = model.body(model.body_rootid[model.geom_bodyid[k]]).name
        found.setdefault(top.removesuffix("_main"), []).append(points)
    return {name: np.concatenate(points) for name, points in found.items()}


def _free_standing(fixtures: dict[str, Any]) -> Iterator[_Counter]:
    """Counters with a complete and large enough top, visible from both long sides."""
    for name, fixture in fixtures.items():
        if type(fixture).__name__ != "Counter" or getattr(fixture, "interior_obj", None):
            continue
        width, depth, height = (float(side) for side in fixture.size)
        if depth < LEAST_TOP_M[0] or width < LEAST_TOP_M[1]:
            continue
        for facing in (np.pi / 2, -np.pi / 2):
            turn = float(fixture.rot) + facing
            pose = np.eye(4)
            pose[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
            pose[:3, 3] = fixture.pos
            pose[:2, 3] -= depth / 2 * pose[:2, 0]
            pose[2, 3] += height / 2
            yield _Counter(name, pose, (depth, width, height))


def _in_table(points: np.ndarray, counter: _Counter) -> np.ndarray:
    """Points (n, 3) of the kitchen in the counter's table frame."""
    pose = counter.kitchen_from_table
    return (points - pose[:3, 3]) @ pose[:3, :3]


def _leaves_room(fixture: Any, points: np.ndarray, itself: bool) -> bool:
    """Whether a fixture leaves room for the robot and the cameras."""
    kind, low, high = type(fixture).__name__, points.min(axis=0), points.max(axis=0)
    if itself or kind == "Floor":
        return True
    if kind == "Wall":
        return _from_stage_m(low, high) > _STAGE_M
    (x, y), (far_x, far_y) = _STANDING_M
    return bool(low[0] > far_x or high[0] < x or low[1] > far_y or high[1] < y)


def _in_picture(name: str, points: np.ndarray, counter: _Counter) -> bool:
    """Whether a fixture stays: it is no higher than the counter, or is beyond the cameras."""
    low, high = points.min(axis=0), points.max(axis=0)
    return name == counter.name or bool(high[2] < 0.01) or _from_stage_m(low, high) > _STAGE_M


def _from_stage_m(low: np.ndarray, high: np.ndarray) -> float:
    """How far, level, the box between two corners is from the middle of the stage (m)."""
    nearest = np.clip(_STAGE_MIDDLE_M, low[:2], high[:2])
    return float(np.hypot(*(nearest - _STAGE_MIDDLE_M)))


def _keep(root: ET.Element, counter: _Counter, kept: set[str]) -> None:
    """Leave the fixtures ``kept`` in one body, which stands in the table's frame."""
    world = _section(root, "worldbody")
    table_from_kitchen = np.linalg.inv(counter.kitchen_from_table)
    turn = np.arctan2(table_from_kitchen[1, 0], table_from_kitchen[0, 0])
    kitchen = ET.Element(
        "body",
        name="kitchen",
        pos=" ".join(f"{value:.6f}" for value in table_from_kitchen[:3, 3]),
        quat=f"{np.cos(turn / 2):.9f} 0 0 {np.sin(turn / 2):.9f}",
    )
    for body in world.findall("body"):
        name = body.get("name", "").removesuffix("_main")
        world.remove(body)
        if name in kept:
            kitchen.append(body)
            if name == counter.name:
                body.set("name", "counter")
    world.append(kitchen)
    size = " ".join(f"{value:.6f}" for value in counter.size_m)
    ET.SubElement(ET.SubElement(root, "custom"), "numeric", name="counter", data=size)


def main(layout: str, style: str, file: str) -> None:
    """Write the kitchen; exit code ``NO_FREE_COUNTER`` means that no counter is free-standing."""
    try:
        text = export_kitchen(int(layout), int(style))
    except NoFreeCounterError:
        sys.exit(NO_FREE_COUNTER)
    Path(file).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
