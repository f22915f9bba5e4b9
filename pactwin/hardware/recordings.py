"""Recordings in place of cameras: what a lab kept, seen again by the code that saw it first.

A folder holds for each camera of a rig ``NAME.db3``, as :func:`record` and Intel's tools write it,
or ``NAME.png`` and ``NAME.depth.png`` (uint16 mm, aligned), as a capture's folder does. A .db3 is
played by librealsense, through the code that reads a camera. Joint states are not in it.
"""

import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from pactwin.hardware.bench import finished, open_camera
from pactwin.hardware.realsense import RealSenseCamera, librealsense_faults, load_librealsense
from pactwin.hardware.realsense_options import ColorSettings
from pactwin.hardware.rig_file import Rig, RigCamera
from pactwin.hardware.sources import RgbdFrame
from pactwin.hardware.undistortion import Undistorter
from pactwin.suite import EnvironmentFaultError, InvalidInputError, open_picture

_PATIENCE_S = 2.0


class RecordedCamera(RealSenseCamera):
    """The camera ``spec`` as the .db3 at ``file`` has it, frame by frame."""

    def __init__(self, file: Path, spec: RigCamera) -> None:
        """Open it; InvalidInputError if there is none, or it is not of that camera."""
        if not file.is_file():
            raise InvalidInputError(f"{file}: no such recording")
        rs = load_librealsense()
        with librealsense_faults(f"recording {file}"):
            self._context = rs.context()
            device = self._context.load_device(str(file))
            playback = device.as_playback()
            playback.set_real_time(False)
            playback.pause()  # until both sensors are open
            serial = device.get_info(rs.camera_info.serial_number)
        if serial != spec.serial:
            raise InvalidInputError(
                f"{file} is of camera {serial}, and {spec.name!r} of the rig is {spec.serial}"
            )
        super().__init__(device, spec, _PATIENCE_S, ColorSettings())
        playback.resume()

    def close(self) -> None:
        """Stop the streams. librealsense hands over all that it has read first, so it is taken."""
        closed = threading.Event()

        def take() -> None:
            while not closed.is_set():
                self._syncer.try_wait_for_frames(20)

        taking = threading.Thread(target=take, daemon=True)
        taking.start()
        super().close()
        closed.set()
        taking.join()


def record(rig: Rig, folder: Path, seconds: float) -> Mapping[str, int]:
    """Keep all that the cameras of ``rig`` send for so long in ``folder``; pairs by camera.

    Raises EnvironmentFaultError as cameras do; InvalidInputError if a recording is there already.
    """
    folder.mkdir(parents=True, exist_ok=True)
    counts = dict.fromkeys((spec.name for spec in rig.cameras), 0)
    with ExitStack() as stack:
        cameras = {}
        for spec in rig.cameras:
            file = folder / f"{spec.name}.db3"
            if file.exists():
                raise InvalidInputError(f"{file} is there already: name another folder")
            cameras[spec.name] = open_camera(rig, spec, record=file)
            stack.callback(cameras[spec.name].close)
        until = time.monotonic() + seconds
        while time.monotonic() < until or not all(counts.values()):
            for name, camera in cameras.items():
                camera.frame()
                counts[name] += 1
    return counts


def recorded_frames(rig: Rig, folder: Path) -> dict[str, RgbdFrame]:
    """One frame of each camera of a calibrated ``rig``, from its recording in ``folder``.

    Of a .db3 the first, with the median depth of as many as a capture would take. Raises
    InvalidInputError if a recording is missing or of another camera.
    """
    found = {}
    for spec in rig.cameras:
        known = rig.calibrated(spec.name)
        file = folder / f"{spec.name}.db3"
        if file.is_file():
            with RecordedCamera(file, spec) as camera:
                first, *more = _first(camera, spec.depth_frames)
                lens = Undistorter(camera.intrinsics, known.lens)
            found[spec.name] = finished(first, more, known.depth_scale, lens)
        else:
            found[spec.name] = _of_pictures(folder, spec.name)
    return found


def _of_pictures(folder: Path, name: str) -> RgbdFrame:
    color_file, depth_file = folder / f"{name}.png", folder / f"{name}.depth.png"
    if not (color_file.is_file() and depth_file.is_file()):
        raise InvalidInputError(
            f"{folder} has neither {name}.db3 nor both {color_file.name} and {depth_file.name}"
        )
    with open_picture(color_file, color_file) as picture:
        color = np.asarray(picture.convert("RGB"))
    with open_picture(depth_file, depth_file) as picture:
        if not picture.mode.startswith("I"):
            raise InvalidInputError(f"{depth_file}: depth is uint16 mm, this is {picture.mode}")
        depth = np.asarray(picture).astype(np.uint16)
    if depth.shape != color.shape[:2]:
        raise InvalidInputError(f"{depth_file} is not as large as {color_file.name}")
    return RgbdFrame(color, depth, 1, 1)


def _first(camera: RealSenseCamera, count: int) -> list[RgbdFrame]:
    frames = [camera.frame()]
    while len(frames) < count:
        try:
            frames.append(camera.frame())
        except EnvironmentFaultError:  # a short recording has ended
            break
    return frames
