"""Pictures of scenes: room and light, cameras that show what decides, rendering, visibility."""

from pactwin.sim.pictures.cameras import (
    CAMERAS,
    camera_at,
    frame_cameras,
    head_camera,
    looking_at,
)
from pactwin.sim.pictures.draw import instance_ids, part_rgba, scene_model
from pactwin.sim.pictures.filed import filed
from pactwin.sim.pictures.render import Frame, Renderer, png, render_views
from pactwin.sim.pictures.room import Appearance, draw_appearance
from pactwin.sim.pictures.silhouette import item_points, project, silhouette_px
from pactwin.sim.pictures.studio import (
    Background,
    Studio,
    cut_out,
    studio_model,
    surface_shares,
    turntable_cameras,
)
from pactwin.sim.pictures.visibility import visibility

__all__ = [
    "CAMERAS",
    "Appearance",
    "Background",
    "Frame",
    "Renderer",
    "Studio",
    "camera_at",
    "cut_out",
    "draw_appearance",
    "filed",
    "frame_cameras",
    "head_camera",
    "instance_ids",
    "item_points",
    "looking_at",
    "part_rgba",
    "png",
    "project",
    "render_views",
    "scene_model",
    "silhouette_px",
    "studio_model",
    "surface_shares",
    "turntable_cameras",
    "visibility",
]
