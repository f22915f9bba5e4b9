"""Pictures of scenes: room and light, cameras that show what decides, rendering, visibility."""

from pactwin.sim.pictures.cameras import (
    CAMERAS,
    camera_at,
    frame_cameras,
    head_camera,
    head_footprint,
    looking_at,
)
from pactwin.sim.pictures.draw import instance_ids, scene_model
from pactwin.sim.pictures.render import Frame, Renderer, render_views
from pactwin.sim.pictures.room import Appearance, draw_appearance
from pactwin.sim.pictures.silhouette import item_points, project, silhouette_px
from pactwin.sim.pictures.visibility import visibility

__all__ = [
    "CAMERAS",
    "Appearance",
    "Frame",
    "Renderer",
    "camera_at",
    "draw_appearance",
    "frame_cameras",
    "head_camera",
    "head_footprint",
    "instance_ids",
    "item_points",
    "looking_at",
    "project",
    "render_views",
    "scene_model",
    "silhouette_px",
    "visibility",
]
