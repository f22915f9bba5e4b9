"""Export of a scene as a folder that MuJoCo opens: ``scene.xml``, meshes, textures.

Objects move as in trials; room, robot and cameras are only visual. The model comes from the stored
layout, independent of the current generator.
"""

from dataclasses import replace
from html import escape
from pathlib import Path

import mujoco
import numpy as np

from pactwin.sim.generation.pairs.retrial import rebuild_layout
from pactwin.sim.physics.world import physics_spec
from pactwin.sim.rendering.draw import FAR_M, ITEM, NEAR_M, add_surroundings, draw_item
from pactwin.sim.rendering.png import png
from pactwin.sim.rendering.room import add_directional_light, appearance_of
from pactwin.sim.rendering.triangles import picture_of
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scene.pose import as_pose
from pactwin.suite import Camera, InvalidInputError, Scene

_GROUND = "table top"
_HIDDEN = 3  # a group of geoms that viewers do not show at first
_FLIP = np.diag([1.0, -1.0, -1.0, 1.0])  # MuJoCo's cameras look along -z, y up


def export_mjcf(scene: Scene, out: Path) -> None:
    """Write the scene into the new folder ``out``.

    Raises InvalidInputError for a scene in a kitchen or one that was not simulated, and the errors
    of :func:`rebuild_layout`.
    """
    if scene.source != "sim" or "room" in scene.appearance:
        raise InvalidInputError(
            f"scene {scene.id} is not drawn in the built-in room: only simulated ones outside of "
            "kitchens become MJCF"
        )
    robot_named(scene.robot)
    spec = _spec(scene)
    model = spec.compile()
    for folder in ("meshes", "textures"):
        (out / folder).mkdir(parents=True)
    for k, texture in enumerate(spec.textures):
        _to_file(model, texture, out / "textures" / f"{k}.png")
    for k, mesh in enumerate(mesh for mesh in spec.meshes if mesh.file):
        file = out / "meshes" / f"{k}{Path(mesh.file).suffix}"
        file.write_bytes(Path(mesh.file).read_bytes())
        mesh.file = str(file)
    spec.modelname = f"pactwin scene {scene.id}"
    spec.compile()
    inside = spec.to_xml().replace(f'file="{escape(str(out))}/', 'file="')
    (out / "scene.xml").write_text(inside, encoding="utf-8")


def _spec(scene: Scene) -> mujoco.MjSpec:
    layout = rebuild_layout(scene)
    free = tuple(replace(item, distractor=False) for item in layout.items)
    layout = replace(layout, items=free, fixed=frozenset())
    spec = physics_spec(layout)
    for geom in spec.geoms:
        geom.group = _HIDDEN
        if geom.name == "table":  # the drawn one is called so
            geom.name = _GROUND
    for k, item in enumerate(layout.items):
        (body,) = (body for body in spec.bodies if body.name == item.name)
        draw_item(spec, body, item, f"{ITEM}{k}")
    for geom in spec.geoms:
        if geom.name.startswith(ITEM):
            geom.mass = 0.0
    cameras = [view.camera for view in scene.views if isinstance(view.camera, Camera)]
    size_px = max(c.width_px for c in cameras), max(c.height_px for c in cameras)
    add_surroundings(spec, appearance_of(scene.appearance), scene.robot, size_px)
    # Pictures are lit as from the default view, whatever camera looks: no light goes with it.
    head, way = spec.visual.headlight, (0.0, 0.5**0.5, -(0.5**0.5))
    add_directional_light(
        spec,
        name="head",
        dir=way,
        diffuse=head.diffuse.copy(),
        specular=(0.0,) * 3,
        castshadow=False,
    )
    head.diffuse = (0.0, 0.0, 0.0)
    extent = spec.stat.extent
    spec.visual.map.znear, spec.visual.map.zfar = NEAR_M / extent, FAR_M / extent
    for camera in cameras:
        _add_camera(spec, camera)
    return spec


def _add_camera(spec: mujoco.MjSpec, camera: Camera) -> None:
    """Add a camera of the same picture; MuJoCo counts the principal point from the middle."""
    (fx, _, cx), (_, fy, cy), _ = camera.K
    pose = as_pose(np.array(camera.world_from_camera) @ _FLIP)
    size = camera.width_px, camera.height_px
    spec.worldbody.add_camera(
        name=camera.name,
        pos=pose.pos,
        quat=pose.quat,
        resolution=size,
        sensor_size=[side * 1e-5 for side in size],
        focal_pixel=[fx, fy],
        principal_pixel=[(size[0] - 1) / 2 - cx, cy - (size[1] - 1) / 2],
    )


def _to_file(model: mujoco.MjModel, texture: mujoco.MjsTexture, file: Path) -> None:
    """Write a texture's picture; of a cube texture one side, because all are alike."""
    pixels = picture_of(model, model.texture(texture.name).id)
    file.write_bytes(png(np.ascontiguousarray(pixels[: min(pixels.shape[:2])])))
    texture.data, texture.width, texture.height = b"", 0, 0
    texture.file = str(file)
