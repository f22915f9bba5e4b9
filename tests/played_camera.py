"""A process that plays a camera, in a thread: pairs are sent as a script says."""

import socket
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from pactwin.hardware import PlayedCamera, PlayedFrame, PlayedStream, RigCamera, Stream
from pactwin.hardware.realsense_options import MetadataName
from pactwin.hardware.streamed_camera import _SoftwareDevice

Bent = tuple[float, float, float, float, float]
NOT_BENT: Bent = (0.0, 0.0, 0.0, 0.0, 0.0)
COLOR = Stream(width_px=64, height_px=48, rate_hz=30)
DEPTH = Stream(width_px=32, height_px=24, rate_hz=30)
SPEC = RigCamera(name="side", serial="played-1", mount="fixed", color=COLOR, depth=DEPTH, warmup=0)


def described(usb: str = "3.2", bent: Bent = NOT_BENT) -> PlayedCamera:
    def stream(size: Stream) -> PlayedStream:
        return PlayedStream(
            width_px=size.width_px,
            height_px=size.height_px,
            rate_hz=size.rate_hz,
            fx=size.width_px,
            fy=size.width_px,
            cx=(size.width_px - 1) / 2,
            cy=(size.height_px - 1) / 2,
            distortion=bent if size is COLOR else NOT_BENT,
        )

    eye = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    return PlayedCamera(
        serial="played-1",
        usb=usb,
        color=stream(COLOR),
        depth=stream(DEPTH),
        color_from_depth=eye,
        color_from_depth_m=(0.0, 0.0, 0.0),
    )


def pair(
    number: int,
    *,
    late_ms: float = 0.0,
    depth: bool = True,
    color: bool = True,
    far_mm: int = 900,
    **told: Any,
) -> tuple[PlayedFrame, bytes]:
    """Pair ``number``: its colour is its number, its depth 900 mm; depth is ``late_ms`` later."""
    now = time.time() * 1e3
    pixels = np.full((48, 64, 3), number % 256, np.uint8).tobytes() if color else b""
    far = np.full((24, 32), far_mm, np.uint16).tobytes() if depth else b""
    head = PlayedFrame(
        number=number,
        depth_number=number,
        time_ms=now,
        depth_time_ms=now + late_ms,
        color_bytes=len(pixels),
        depth_bytes=len(far),
        **told,
    )
    return head, pixels + far


class Player:
    """Listens at ``address``; to whoever asks it sends ``script``, then it hangs up or goes on.

    An entry is what :func:`pair` takes; None waits a moment.
    """

    def __init__(
        self,
        folder: Path,
        script: Iterable[dict | None],
        usb: str = "3.2",
        *,
        stay: bool = True,
        bent: Bent = NOT_BENT,
    ) -> None:
        self.address = str(folder / "s")
        self._script, self._stay = script, stay
        self._described = described(usb, bent)
        self._done = threading.Event()
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(self.address)
        self._socket.listen()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> "Player":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()
        self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        caller, _ = self._socket.accept()
        with caller:
            caller.makefile("rb").readline()
            try:
                caller.sendall(self._described.model_dump_json().encode() + b"\n")
                for entry in self._script:
                    time.sleep(0.02)
                    if entry is not None:
                        head, pixels = pair(**entry)
                        caller.sendall(head.model_dump_json().encode() + b"\n" + pixels)
                if self._stay:
                    self._done.wait()
            except OSError:
                return


SETTLED: dict[MetadataName, float] = {
    "actual_exposure": 14_600.0,
    "gain_level": 64.0,
    "white_balance": 4600.0,
}


class Filming:
    """A camera that is plugged in: noise at 30 Hz, and what each pair was."""

    def __init__(self) -> None:
        self.device = _SoftwareDevice(described())
        self.sent: dict[int, tuple[np.ndarray, np.ndarray, float]] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._film, daemon=True)

    def _film(self) -> None:
        rng, number = np.random.default_rng(5), 0
        while not self._stop.wait(0.03):
            number += 1
            color = rng.integers(0, 256, (COLOR.height_px, COLOR.width_px, 3), np.uint8)
            depth = rng.integers(0, 65536, (DEPTH.height_px, DEPTH.width_px), np.uint16)
            now_ms = time.time() * 1e3
            self.sent[number] = color, depth, now_ms
            head = PlayedFrame(
                number=number,
                depth_number=number,
                time_ms=now_ms,
                depth_time_ms=now_ms - 3.25,
                depth_units_m=0.001,
                metadata={"color": SETTLED, "depth": {"temperature": 31}},
                color_bytes=color.nbytes,
                depth_bytes=depth.nbytes,
            )
            self.device.push(head, color.tobytes(), depth.tobytes())

    def __enter__(self) -> "Filming":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join()
