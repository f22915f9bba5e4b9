"""Folders as ``pactwin run`` leaves them, made up: films of drawn squares, joints that wave."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from pactwin.sim.episodes.video import FPS, write_film
from pactwin.suite import EpisodeMotion

JOINTS = ("left_shoulder", "left_elbow", "left_wrist")


def made_motion(frames: int, seed: int, joints: tuple[str, ...] = JOINTS) -> EpisodeMotion:
    """Joints that follow their commands a frame later."""
    walk = np.random.default_rng(seed).normal(0, 0.05, (frames + 1, len(joints))).cumsum(0)
    rows = tuple(tuple(row) for row in walk.tolist())
    return EpisodeMotion(fps=FPS, joints=joints, joints_rad=rows[:-1], actions_rad=rows[1:])


def write_episode(
    folder: Path, frames: int, seed: int, motion: EpisodeMotion | None = None, **changes: Any
) -> None:
    """An episode of ``frames`` frames; ``changes`` are of its record."""
    folder.mkdir(parents=True)
    record = {
        "scene": f"{seed:016x}",
        "robot": "g1",
        "action": f"lift cube {seed % 2}",
        "seen": "sim",
        "model": "pactwin/oracle",
        "feasible": seed % 3 == 0,
        "constraint": "none",
        "episode": {"done": seed % 3 == 0, "stopped": ""},
        "film": ["head"],
    }
    (folder / "episode.json").write_text(json.dumps(record | changes))
    if "episode" not in (record | changes):
        return
    motion = motion or made_motion(frames, seed)
    (folder / "motion.json").write_text(motion.model_dump_json())
    rng = np.random.default_rng(seed)
    color = rng.integers(60, 200, 3)

    def picture(k: int) -> np.ndarray:
        shown = np.full((48, 64, 3), color, np.uint8)
        shown[10:30, 2 * k % 40 : 2 * k % 40 + 20] = 255 - color
        return shown

    write_film(folder / "episode.mp4", (picture(k) for k in range(frames)))
