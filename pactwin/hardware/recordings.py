"""Recordings that replace cameras in the same code.

A folder holds for each camera of a rig ``NAME.db3``, as :func:`record` and Intel's tools write it,
or ``NAME.png`` and ``NAME.depth.png`` (uint16 mm, aligned), as a capture's folder does. A .db3 is
played by librealsense, through the code that reads a camera. Joint states are not in it.
"""

import threading
from pathlib import Path

import numpy as np

from pactwin.hardware.realsense import RealSenseCamera, librealsense_faults, load_librealsense
from pactwin.hardware.realsense_options import ColorSettings, DeviceInfo
from pactwin.hardware.rig_file import Rig, RigCamera
from pactwin.hardware.sources import Intrinsics, RgbdFrame
from pactwin.suite import InvalidInputError, open_picture

_PATIENCE_S = 2.0


class RecordedCamera(RealSenseCamera):
    """The camera ``spec`` in the recording ``file`` (.db3), frame by frame."""

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

    def frame(self, newer_than_ns: int = 0) -> RgbdFrame:
        """The next pair, whatever its age."""
        return super().frame()

    def close(self) -> None:
        """Stop the streams. librealsense first delivers everything it has read, so drain it."""
        closed = threading.Event()

        def take() -> None:
            while not closed.is_set():
                self._syncer.try_wait_for_frames(20)

        taking = threading.Thread(target=take, daemon=True)
        taking.start()
        super().close()
        closed.set()
        taking.join()


class PictureCamera:
    """A camera that shows ``NAME.png`` and ``NAME.depth.png`` of a folder, as in captures.

    Their depth is scaled and their colours are those of a pinhole already.
    """

    settings, info = ColorSettings(), DeviceInfo()

    def __init__(self, folder: Path, rig: Rig, name: str) -> None:
        """Read them; InvalidInputError if they are not there, or the rig is not calibrated."""
        known, self.name = rig.calibrated(name), name
        self._frame = _of_pictures(folder, name)
        height, width = self._frame.depth_mm.shape
        self.intrinsics = Intrinsics(width, height, np.array(known.K), np.array(known.distortion))

    def frame(self, newer_than_ns: int = 0) -> RgbdFrame:
        """The same pictures at any time."""
        return self._frame

    def close(self) -> None:
        """Do nothing: nothing is open."""


def recorded_camera(folder: Path, rig: Rig, spec: RigCamera) -> RecordedCamera | PictureCamera:
    """The rig's camera ``spec`` recorded in ``folder``; raises the errors of its class."""
    file = folder / f"{spec.name}.db3"
    if file.is_file():
        return RecordedCamera(file, spec)
    if rig.calibration is None:
        raise InvalidInputError(
            f"{folder} has no {file.name}: pictures alone do not tell of a camera's focal length, "
            "and the rig is not calibrated"
        )
    return PictureCamera(folder, rig, spec.name)


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
