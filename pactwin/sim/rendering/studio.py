"""A studio for one object, with cameras all around."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import TYPE_CHECKING, Literal

import numpy as np

from pactwin.sim.rendering.boxes import BACKGROUND_GROUP, add_box
from pactwin.sim.rendering.cameras import camera_at, fitting_distance_m, looking_at, towards
from pactwin.sim.rendering.draw import ITEM, add_items, instance_ids, set_quality
from pactwin.sim.rendering.render import Renderer
from pactwin.sim.rendering.room import Appearance, add_lights, add_room
from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item, Part
from pactwin.suite import Camera

if TYPE_CHECKING:
    import mujoco

Background = Literal["plain", "transparent", "table"]

ELEVATIONS_DEG = (20, 45, 70)
AZIMUTHS_DEG = tuple(range(0, 360, 45))

# Focal length in picture heights: a field of view of 28 degrees, as of a lens for portraits.
_FOCAL = 2.0
_MARGIN = 0.07
_GROUND_M = 20.0
_LOW_PX = 96


@dataclass(frozen=True)
class Studio:
    """Light and ground of a studio: direction of the light (rad) and a grey."""

    light_azimuth_rad: float
    ground: float

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> "Studio":
        """Draw light along one of the ground's axes, and a light to middle grey ground.

        Light between the axes would cause dots at the corners of MuJoCo's shadow map.
        """
        azimuth = float(rng.choice((-0.5, 0.0, 0.5, 1.0))) * np.pi + rng.uniform(-0.1, 0.1)
        ground = rng.uniform(0.55, 0.85)
        return cls(round(float(azimuth), 4), round(float(ground), 4))

    def record(self) -> dict[str, str | float]:
        """The settings as plain values for ``Scene.appearance``."""
        return asdict(self)


def camera_name(elevation_deg: int, azimuth_deg: int) -> str:
    """Name of a camera as in PAC Bench's renders."""
    return f"elev{elevation_deg}_azim{azimuth_deg}"


def turntable_cameras(item: Item, size_px: tuple[int, int]) -> list[Camera]:
    """24 cameras that look at the item from the smallest distance at which each shows all of it.

    Azimuth turns from x to y.
    """
    focal = _FOCAL * min(size_px)
    points, _ = item_points(item)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    room = (1 - 2 * _MARGIN) / 2 * np.array(size_px)
    poses = {}
    for elevation, azimuth in product(ELEVATIONS_DEG, AZIMUTHS_DEG):
        way = towards(np.deg2rad(azimuth), np.deg2rad(elevation))
        poses[camera_name(elevation, azimuth)] = looking_at(middle + way, middle)
    distance = max(
        fitting_distance_m((points - middle) @ pose[:3, :3], room, focal) for pose in poses.values()
    )
    cameras = []
    for name, pose in poses.items():
        pose[:3, 3] = middle - distance * pose[:3, 2]
        cameras.append(camera_at(name, pose, size_px, focal))
    return cameras


def studio_model(
    items: Sequence[Item],
    place: Studio | Appearance,
    size_px: tuple[int, int],
    *,
    ground: bool = True,
    furnish: Callable[["mujoco.MjSpec"], None] | None = None,
) -> "mujoco.MjModel":
    """Compile items in a studio, or on a room's table, for pictures up to ``size_px``.

    Without ``ground`` only a white sky surrounds them; ``furnish`` adds further visible objects.
    """
    import mujoco

    spec = mujoco.MjSpec()
    set_quality(spec, size_px, shadow_px=3 * max(size_px), stacks=24, slices=40)
    places = np.array([item.world_from_object.pos for item in items])
    middle = places.mean(axis=0)
    around = float(np.hypot(*(places - middle)[:, :2].T).max())
    spec.stat.center = middle
    if isinstance(place, Appearance):
        spec.stat.extent = 0.8
        add_room(spec, place)
    else:
        spec.stat.extent = 2.2 * max(max(item.size_m) for item in items) + 2 * around
        _add_studio(spec, place, ground)
    add_items(spec, items)
    if furnish is not None:
        furnish(spec)
    return spec.compile()


def _add_studio(spec: "mujoco.MjSpec", studio: Studio, ground: bool) -> None:
    """Light, and the ground or a white sky."""
    import mujoco

    add_lights(spec, studio.light_azimuth_rad, main=(1.0, 0.48, 0.3), ambient=0.42, head=0.12)
    if not ground:
        white = spec.add_texture(
            name="sky",
            type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
            builtin=mujoco.mjtBuiltin.mjBUILTIN_FLAT,
            width=8,
            height=48,
        )
        white.rgb1 = white.rgb2 = (1.0, 1.0, 1.0)
    else:
        size_m, rgba = (2 * _GROUND_M, 2 * _GROUND_M, 0.02), (*(studio.ground,) * 3, 1.0)
        below = (0.0, 0.0, -0.01)
        add_box(spec, size_m, below, name="ground", rgba=rgba, group=BACKGROUND_GROUP)


def cut_out(on_white: np.ndarray, on_black: np.ndarray) -> np.ndarray:
    """RGBA (h, w, 4) uint8 from one picture on white and one on black background.

    Alpha follows from the difference of the two (Smith and Blinn 1996).
    """
    opacity = 255 - (on_white.astype(int) - on_black).max(axis=2)
    color = np.where(
        opacity[..., None], on_black * (255.0 / np.maximum(opacity, 1))[..., None], 255
    )
    rgba = np.dstack([np.clip(np.round(color), 0, 255), np.clip(opacity, 0, 255)])
    return rgba.astype(np.uint8)


def surface_shares(item: Item) -> dict[Part, float]:
    """Share of each part in the item's visible surface over the turntable pictures."""
    model = studio_model([item], Studio(0.0, 0.7), (_LOW_PX, _LOW_PX), ground=False)
    pixels = np.zeros(len(item.parts) + 1, int)
    with Renderer(model, instance_ids(model, f"{ITEM}0/")) as renderer:
        for camera in turntable_cameras(item, (_LOW_PX, _LOW_PX))[::2]:
            _, mask = renderer.surfaces(camera)
            pixels += np.bincount(mask.ravel(), minlength=len(pixels))
    total = pixels[1:].sum()
    return {
        part: count / total
        for part, count in zip(item.parts, pixels[1:].tolist(), strict=True)
        if count
    }
