"""Boxes, balls and cups on a table, seen by ray casting: colour, depth and mask of real rays."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.perception import (
    DEPTH_SENSORS,
    PALETTE,
    SceneGeometry,
    ViewCloud,
    measured_depth,
    segments_by_clustering,
    segments_from_masks,
    table_plane,
    view_cloud,
)
from pactwin.perception.geometry.clouds import open3d
from pactwin.suite import Camera

WIDTH_PX, HEIGHT_PX = 320, 240
TABLE_RGB = (150, 150, 150)


@dataclass(frozen=True)
class Thing:
    """``name`` begins with its colour; ``mesh`` is in the table frame."""

    name: str
    mesh: object


def block(name: str, x: float, y: float, size=(0.06, 0.06, 0.06), on_z: float = 0.0) -> Thing:
    mesh = open3d().geometry.TriangleMesh.create_box(*size)
    mesh.translate((x - size[0] / 2, y - size[1] / 2, on_z))
    return Thing(name, mesh)


def together(name: str, *parts: Thing) -> Thing:
    """One thing of several."""
    mesh = open3d().geometry.TriangleMesh()
    for part in parts:
        mesh += part.mesh
    return Thing(name, mesh)


def ball(name: str, x: float, y: float, radius: float = 0.03, on_z: float = 0.0) -> Thing:
    mesh = open3d().geometry.TriangleMesh.create_sphere(radius)
    return Thing(name, mesh.translate((x, y, on_z + radius)))


def pyramid(name: str, x: float, y: float, side: float = 0.07, height: float = 0.08) -> Thing:
    mesh = open3d().geometry.TriangleMesh.create_cone(side / 2**0.5, height, 4, 1)
    return Thing(name, mesh.translate((x, y, 0.0)))


def ramp(name: str, x: float, y: float, rise_m: float, side: float = 0.06) -> Thing:
    """A block whose top rises by ``rise_m`` along x."""
    mesh = open3d().geometry.TriangleMesh.create_box(side, side, 1.0)
    corners = np.asarray(mesh.vertices)
    corners[:, 2] *= 0.04 + rise_m * corners[:, 0] / side
    return Thing(name, mesh.translate((x - side / 2, y - side / 2, 0.0)))


def disc(name: str, x: float, y: float, radius: float, height: float, on_z: float = 0.0) -> Thing:
    mesh = open3d().geometry.TriangleMesh.create_cylinder(radius, height, 40)
    return Thing(name, mesh.translate((x, y, on_z + height / 2)))


def lying_can(name: str, x: float, y: float, radius: float = 0.033, length: float = 0.1) -> Thing:
    mesh = open3d().geometry.TriangleMesh.create_cylinder(radius, length, 40)
    mesh.rotate(mesh.get_rotation_matrix_from_xyz((np.pi / 2, 0, 0)))
    return Thing(name, mesh.translate((x, y, radius)))


def box_with_walls(name: str, x: float, y: float, inner: float, upside_down: bool = False) -> Thing:
    wall, height = 0.005, 0.08
    outer = inner + 2 * wall
    floor_z = height - wall if upside_down else 0.0
    parts = [
        block(name, x, y, (outer, outer, wall), floor_z),
        *(block(name, x + s * (inner + wall) / 2, y, (wall, outer, height)) for s in (-1, 1)),
        *(block(name, x, y + s * (inner + wall) / 2, (outer, wall, height)) for s in (-1, 1)),
    ]
    return together(name, *parts)


def camera(name: str, x: float, y: float, z: float) -> Camera:
    """One that looks at the middle of the table."""
    eye, target = np.array([x, y, z]), np.array([0.25, 0.0, 0.03])
    forward = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross(forward, [0, 0, 1.0])
    right /= np.linalg.norm(right)
    pose = np.eye(4)
    pose[:3, :3] = np.stack([right, np.cross(forward, right), forward], axis=1)
    pose[:3, 3] = eye
    K = ((300.0, 0.0, 159.5), (0.0, 300.0, 119.5), (0.0, 0.0, 1.0))
    return Camera.model_validate(
        {
            "name": name,
            "width_px": WIDTH_PX,
            "height_px": HEIGHT_PX,
            "K": K,
            "world_from_camera": pose.tolist(),
        }
    )


CAMERAS = (
    camera("front", 1.0, -0.1, 0.65),
    camera("side", 0.2, -0.75, 0.6),
    camera("head", -0.25, 0.1, 0.7),
)


def pictures(things: Sequence[Thing], seen_by: Camera) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Colour (h, w, 3), depth (mm) and mask of things with ids from 1 on, on a grey table."""
    o3d = open3d()
    rays = o3d.t.geometry.RaycastingScene()
    table = o3d.geometry.TriangleMesh.create_box(0.9, 1.4, 0.02).translate((0.0, -0.7, -0.02))
    for mesh in (table, *(thing.mesh for thing in things)):
        rays.add_triangles(o3d.t.geometry.TriangleMesh.from_legacy(mesh))
    extrinsic = np.linalg.inv(np.array(seen_by.world_from_camera))
    found = rays.cast_rays(
        rays.create_rays_pinhole(
            o3d.core.Tensor(np.array(seen_by.K)), o3d.core.Tensor(extrinsic), WIDTH_PX, HEIGHT_PX
        )
    )
    distance = found["t_hit"].numpy()  # along rays whose z is 1
    hit = np.isfinite(distance)
    mask = np.where(hit, found["geometry_ids"].numpy().astype(np.int64), 0).astype(np.uint16)
    depth = np.where(hit, np.round(distance * 1000), 0).astype(np.uint16)
    light = 0.55 + 0.45 * np.abs(found["primitive_normals"].numpy() @ [0.3, 0.2, 0.93])
    palette = [TABLE_RGB, *(np.array(PALETTE[t.name.split()[0]]) * 255 for t in things)]
    color = np.array(palette)[mask] * light[..., None]
    return np.clip(color, 0, 255).astype(np.uint8), depth, mask


def seen(things: Sequence[Thing], *, masks: bool, sensor: str = "") -> SceneGeometry:
    views: list[ViewCloud] = []
    for number, one in enumerate(CAMERAS):
        color, depth, mask = pictures(things, one)
        if sensor:
            rng, K = np.random.default_rng(number), np.array(one.K)
            depth = measured_depth(color, depth, K, DEPTH_SENSORS[sensor], rng)
        views.append(view_cloud(color, depth, one, mask if masks else None))
    table, noise = table_plane(np.concatenate([view.points for view in views]))
    if masks:
        names = {k: thing.name for k, thing in enumerate(things, start=1)}
        return SceneGeometry(segments_from_masks(views, names, noise), table, noise)
    return SceneGeometry(segments_by_clustering(views, table, noise), table, noise)
