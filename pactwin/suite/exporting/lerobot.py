"""Export as LeRobotDataset v3, without LeRobot: folders of ``pactwin run``, or a suite's scenes.

An episode of ``run`` has a video, and joints and actions per frame. A scene is an episode of one
frame, with colour and depth per camera. Additional columns in ``meta/episodes`` hold what the
format does not cover (scene, outcome, cause). Format:
https://huggingface.co/docs/lerobot/lerobot-dataset-v3
"""

from pathlib import Path
from typing import Any

import numpy as np

from pactwin.suite.errors import InvalidInputError, needs
from pactwin.suite.exporting.lerobot_files import DatasetWriter, Episode, Features
from pactwin.suite.files import new_folder
from pactwin.suite.pictures import load_depth, load_image
from pactwin.suite.played import FILM_FILE, film_frames, motion_of, played_episodes
from pactwin.suite.progress import ProgressCallback, silent
from pactwin.suite.reader import INFO_FILE, Suite
from pactwin.suite.records import Scene, UnknownCamera, View

_CAPTURE_FPS = 1.0


def export_lerobot(source: Path, out: Path, progress: ProgressCallback = silent) -> dict[str, int]:
    """Write the new folder ``out``; returns the numbers of episodes and frames.

    ``source`` is a suite, or a folder of folders of ``pactwin run``; episodes in which the robot
    did not move are left out. Raises InvalidInputError if it holds neither, a video is missing or
    episodes differ in joints, cameras or sizes; EnvironmentFaultError without pyarrow.
    """
    with needs("LeRobot's format needs pyarrow", "export"):
        import pyarrow  # noqa: F401
    if (source / INFO_FILE).is_file():
        suite = Suite.open(source)
        suite.require_truths()
        total, fps, robot = suite.info.counts.get("scenes", 0), _CAPTURE_FPS, None
        episodes = (_capture(suite, scene) for scene in suite.scenes())
    else:
        played = played_episodes(source)
        first = motion_of(played[0][0])
        total, fps, robot = len(played), first.fps, str(played[0][1].get("robot", "unknown"))
        episodes = (_recorded(folder, record, fps) for folder, record in played)
    with new_folder(out) as folder:
        writer: DatasetWriter | None = None
        for number, episode in enumerate(episodes, start=1):
            if writer is None:
                writer = DatasetWriter(folder, episode.features, fps, robot)
            writer.add(episode)
            progress("episodes", number, total)
        if writer is None:
            raise InvalidInputError(f"{source} has no scene")
        return writer.finish()


def _recorded(folder: Path, record: dict[str, Any], fps: float) -> Episode:
    motion = motion_of(folder)
    if motion.fps != fps:
        raise InvalidInputError(f"{folder} has {motion.fps:g} frames a second, not {fps:g}")
    pictures = film_frames(folder, record, len(motion.joints_rad))
    key = f"observation.images.{'_'.join(map(str, record['film']))}"
    vector = {"dtype": "float32", "shape": [len(motion.joints)], "names": list(motion.joints)}
    film = _picture_feature("video", pictures.shape[1:]) | {
        "info": {
            "video.fps": fps,
            "video.codec": "vp9",
            "video.pix_fmt": "yuv420p",
            "is_depth_map": False,
            "has_audio": False,
        }
    }
    outcome = record["episode"]
    facts = {name: str(record.get(name, "")) for name in ("scene", "model", "constraint", "seen")}
    return Episode(
        name=str(folder),
        features={"observation.state": vector, "action": vector, key: film},
        task=str(record.get("action", "")),
        columns={
            "observation.state": [list(row) for row in motion.joints_rad],
            "action": [list(row) for row in motion.actions_rad],
        },
        facts=facts
        | {"feasible": record.get("feasible"), "success": outcome.get("done")}
        | {"stopped": str(outcome.get("stopped", ""))},
        pictures={key: pictures},
        films={key: folder / FILM_FILE},
    )


def _capture(suite: Suite, scene: Scene) -> Episode:
    features: Features = {}
    columns: dict[str, list[Any]] = {}
    pictures: dict[str, np.ndarray] = {}
    for view in scene.views:
        key = f"observation.images.{view.camera.name}"
        pictures[key] = load_image(suite, view)[None]
        columns[key] = [suite.resolve(view.image).read_bytes()]
        features[key] = _picture_feature("image", _size(view.camera, 3))
        if view.depth is not None:
            _add_depth(suite, view, f"{key}_depth", features, columns, pictures)
    if not features:
        raise InvalidInputError(f"scene {scene.id} of {suite.path} has no pictures")
    verdict = scene.verdict
    return Episode(
        name=f"scene {scene.id}",
        features=features,
        task=verdict.action if verdict else scene.domain,
        columns=columns,
        facts={
            "scene": scene.id,
            "twin": scene.twin_id or "",
            "domain": scene.domain,
            "source": scene.source,
            "feasible": verdict.feasible if verdict else None,
            "constraint": verdict.constraint.value if verdict else "",
        },
        pictures=pictures,
    )


def _add_depth(
    suite: Suite,
    view: View,
    key: str,
    features: Features,
    columns: dict[str, list[Any]],
    pictures: dict[str, np.ndarray],
) -> None:
    """Depth as it is stored: 16-bit PNG, mm."""
    pictures[key] = load_depth(suite, view)[None, ..., None]
    columns[key] = [suite.resolve(str(view.depth)).read_bytes()]
    depth = _picture_feature("image", _size(view.camera, 1))
    features[key] = depth | {"info": {"is_depth_map": True, "depth_unit": "mm"}}


def _size(camera: UnknownCamera, channels: int) -> tuple[int, ...]:
    return camera.height_px, camera.width_px, channels


def _picture_feature(dtype: str, shape: tuple[int, ...]) -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape), "names": ["height", "width", "channels"]}
