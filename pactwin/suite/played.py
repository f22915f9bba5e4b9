"""Episode folders of ``pactwin run`` in which the robot moved: recorded motion and video."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from pactwin.suite.errors import InvalidInputError
from pactwin.suite.motion import MOTION_FILE, EpisodeMotion
from pactwin.suite.parsing import read_json

EPISODE_FILE, FILM_FILE = "episode.json", "episode.mp4"


def played_episodes(source: Path) -> list[tuple[Path, dict[str, Any]]]:
    """Episode folders below ``source`` in order, each with its recorded motion.

    InvalidInputError if the robot did not move in any.
    """
    found = []
    for path in sorted(source.rglob(EPISODE_FILE)):
        record = read_json(TypeAdapter(dict[str, Any]), path, "an episode's record")
        if "episode" in record:
            found.append((path.parent, record))
    if not found:
        raise InvalidInputError(
            f"{source} holds no episode in which the robot moved, as pactwin run writes them, and "
            "is no suite"
        )
    return found


def motion_of(folder: Path) -> EpisodeMotion:
    """Joints and actions of an episode, frame by frame."""
    return read_json(TypeAdapter(EpisodeMotion), folder / MOTION_FILE, "a record of joints")


def film_frames(folder: Path, record: Mapping[str, Any], frames: int) -> np.ndarray:
    """About ten frames (n, h, w, 3), RGB, of an episode's video, including the first and last.

    InvalidInputError if the video is missing or does not have ``frames`` frames.
    """
    import cv2

    film = folder / FILM_FILE
    if not record.get("film") or not film.is_file():
        raise InvalidInputError(f"{folder} has no film: run it again with --film CAMERA")
    reader = cv2.VideoCapture(str(film))
    wanted = set(np.linspace(0, frames - 1, min(10, frames)).round().astype(int).tolist())
    found, number = [], 0
    while True:
        there, picture = reader.read()
        if not there:
            break
        if number in wanted:
            found.append(picture[..., ::-1])
        number += 1
    reader.release()
    if number != frames:
        raise InvalidInputError(f"{film} has {number} frames, not {frames} as its record of joints")
    return np.stack(found)
