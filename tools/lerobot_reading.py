"""Opens an exported folder with LeRobot's own loader and compares frames with their source.

Runs in an environment of its own (Python 3.12, lerobot 0.6.1), without pactwin:

    python tools/lerobot_reading.py EXPORTED FOLDER-OF-EPISODES-OR-SUITE [EVERY]

EVERY 10 compares every tenth frame.
"""

import json
import sys
from pathlib import Path

import av
import numpy as np
from lerobot.datasets.lerobot_dataset import LeRobotDataset
from PIL import Image


def main(exported: Path, source: Path, every: int = 1) -> None:
    """Print how many frames are equal; exit with 1 unless all are."""
    data = LeRobotDataset("pactwin/exported", root=exported, video_backend="pyav")
    check = _scenes if (source / "suite.json").is_file() else _episodes
    equal, total = check(data, source, every)
    stats = sorted(data.meta.stats)
    print(f"{equal} of {total} frames equal; {data.num_episodes} episodes, {len(data)} frames")
    print(f"statistics of {', '.join(stats)}")
    sys.exit(equal != total or total < len(data) // every)


def _episodes(data: LeRobotDataset, source: Path, every: int) -> tuple[int, int]:
    equal = total = 0
    folders = {
        str(json.loads(f.read_text())["scene"]): f.parent for f in source.rglob("episode.json")
    }
    for row in data.meta.episodes:
        folder = folders[row["scene"]]
        record = json.loads((folder / "episode.json").read_text())
        motion = json.loads((folder / "motion.json").read_text())
        with av.open(str(folder / "episode.mp4")) as film:
            pictures = [frame.to_ndarray(format="rgb24") for frame in film.decode(video=0)]
        assert row["success"] == record["episode"]["done"]
        assert row["length"] == len(pictures) == len(motion["joints_rad"])
        (key,) = data.meta.video_keys
        for k in range(0, len(pictures), every):
            picture = pictures[k]
            item = data[row["dataset_from_index"] + k]
            shown = (item[key] * 255).round().byte().permute(1, 2, 0).numpy()
            same = (
                np.array_equal(shown, picture)
                and np.allclose(item["observation.state"], motion["joints_rad"][k], atol=1e-6)
                and np.allclose(item["action"], motion["actions_rad"][k], atol=1e-6)
                and item["task"] == record["action"]
                and abs(item["timestamp"].item() - k / motion["fps"]) < 1e-5
            )
            equal, total = equal + same, total + 1
    return equal, total


def _scenes(data: LeRobotDataset, source: Path, every: int) -> tuple[int, int]:
    equal = total = 0
    scenes = [json.loads(line) for line in (source / "scenes.jsonl").read_text().splitlines()]
    for k, scene in list(enumerate(scenes))[::every]:
        item = data[k]
        for view in scene["views"]:
            key = f"observation.images.{view['camera']['name']}"
            color = np.array(Image.open(source / view["image"]).convert("RGB"))
            depth = np.array(Image.open(source / view["depth"])).astype(np.float32)
            shown = (item[key] * 255).round().byte().permute(1, 2, 0).numpy()
            same = np.array_equal(shown, color) and np.array_equal(item[f"{key}_depth"][0], depth)
            equal, total = equal + same, total + 1
    assert data.meta.depth_keys
    per_scene = len(scenes[0]["views"])
    return equal // per_scene, total // per_scene


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:]))
