"""A camera of another computer: what it measured arrives to the last bit, and faults are a line."""

import ast
import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from played_camera import COLOR, DEPTH, SETTLED, SPEC, Filming, described

from pactwin.hardware import (
    ColorSettings,
    RigCamera,
    SentCamera,
    camera_sender,
)
from pactwin.suite import EnvironmentFaultError


@contextmanager
def listening(port: int = 0) -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", port)) as made:
        yield made


@contextmanager
def sending(find: Callable[[str], Any], port: int = 0) -> Iterator[RigCamera]:
    """The rig's camera while a sender runs; whoever is connected is cut off at the end."""
    with listening(port) as at:
        thread = threading.Thread(target=camera_sender.serve, args=(at, find), daemon=True)
        thread.start()
        yield spec_at(at)
        at.shutdown(socket.SHUT_RDWR)
        thread.join()


def found_by(film: Filming) -> Callable[[str], Any]:
    def find(serial: str) -> Any:
        if serial != "played-1":
            raise camera_sender.RefusedError(f"camera {serial} is not connected")
        return film.device.device

    return find


def spec_at(at: socket.socket) -> RigCamera:
    sender = f"127.0.0.1:{at.getsockname()[1]}"
    return SPEC.model_copy(update={"sender": sender, "warmup": 2})


def test_pixels_depth_and_times_arrive_to_the_last_bit_through_the_code_of_a_usb_camera() -> None:
    with Filming() as film, sending(found_by(film)) as spec:
        with SentCamera(spec) as camera:
            frames = [camera.frame() for _ in range(5)]
            known = camera.intrinsics
        assert camera.settings == ColorSettings(exposure=100, gain=64, white_balance=4600)
        again = ColorSettings(exposure=200, gain=10, white_balance=4000)
        with SentCamera(spec, settings=again) as camera:
            assert camera.settings == again
    assert (known.K[0, 0], known.K[0, 2]) == (64, 31.5)
    for frame in frames:
        color, depth, time_ms = film.sent[frame.number]
        assert frame.captured_at_ns == int(time_ms * 1e6)
        assert frame.native is not None
        assert np.array_equal(frame.native.depth_mm, depth)
        assert np.array_equal(frame.color, color)
        assert frame.metadata["color"] == SETTLED
        assert frame.metadata["depth"] == {"temperature": 31}
        assert (frame.device.serial, frame.device.usb) == ("played-1", "3.2")


def test_what_goes_wrong_at_the_sender_is_said_here() -> None:
    with Filming() as film, sending(found_by(film)) as spec:
        for change, message in (
            ({"serial": "other-2"}, "'side' .* camera other-2 is not connected"),
            ({"color": COLOR.model_copy(update={"rate_hz": 15})}, "does not offer the streams"),
        ):
            with pytest.raises(EnvironmentFaultError, match=message):
                SentCamera(spec.model_copy(update=change))
        with SentCamera(spec) as camera:
            camera.frame()  # and the next is served
    with pytest.raises(EnvironmentFaultError, match=r"nobody sends at 127.*camera_sender.py"):
        SentCamera(spec)


def message(sent_late_ms: float = 0.0, **changes: Any) -> bytes:
    """A pair as a sender sends it, but for ``changes`` of its line."""
    files = [
        camera_sender.png(stream.width_px, stream.height_px, channels, bytes(size))
        for stream, channels, size in ((COLOR, 3, 64 * 48 * 3), (DEPTH, 1, 32 * 24 * 2))
    ]
    now_ms = time.time() * 1e3
    line = {
        "camera": json.loads(described().model_dump_json()),
        "number": 1,
        "depth_number": 1,
        "time_ms": now_ms,
        "depth_time_ms": now_ms,
        "color_bytes": len(files[0]),
        "depth_bytes": len(files[1]),
        "sent_ms": now_ms - sent_late_ms,
        **changes,
    }
    return json.dumps(line).encode() + b"\n" + b"".join(files)


LARGE = camera_sender.png(640, 48, 3, bytes(640 * 48 * 3))


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (b"", "the connection ended"),
        (message()[:-100], "the connection ended within a pair of pictures"),
        (message(color_bytes=10**12), "color_bytes"),
        (message(color_bytes=-1), "color_bytes"),
        (b"GET / HTTP/1.1\r\n\r\n", "Invalid JSON"),
        (b"[" * 60_000 + b"\n", "Invalid JSON"),
        (b"x" * 70_000, "a line of 65536 bytes"),
        (b"[]\n", "Input should be a mapping"),
        (message(time_ms=1e300), "time_ms"),
        (message(number=2**40), "number"),
        (message(metadata={"color": {"__class__": 1.0}}), "metadata"),
        (message(camera=None), "it says nothing of its camera, the rig file says played-1"),
        (message(color_bytes=12), "not a readable picture"),
        (message(color_bytes=len(LARGE)).split(b"\n")[0] + b"\n" + LARGE * 9, r"640, 48.*64, 48"),
        (b'{"error": "line\\nbreak"}\n', "line break"),
    ],
)
def test_what_is_no_camera_is_refused_in_a_line(sent: bytes, said: str) -> None:
    with listening() as at:

        def hostile() -> None:
            client, _ = at.accept()
            with client, suppress(ConnectionError):
                client.makefile("rb").readline()
                client.sendall(sent)
                client.shutdown(socket.SHUT_WR)
                client.recv(1)

        threading.Thread(target=hostile, daemon=True).start()
        with pytest.raises(EnvironmentFaultError, match=rf"'side' \(played-1\) .*{said}") as caught:
            SentCamera(spec_at(at))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 700


@pytest.mark.parametrize(
    ("off_ms", "said"),
    [(5_000, r"5\d{3} ms behind"), (-400, r"\d{3} ms ahead"), (3, "nothing came in time")],
)
def test_times_of_a_clock_that_differs_are_refused(off_ms: float, said: str) -> None:
    with listening() as at:

        def late() -> None:
            client, _ = at.accept()
            with client, suppress(ConnectionError):
                client.makefile("rb").readline()
                for number in range(12):
                    client.sendall(message(off_ms, number=number, depth_number=number))
                    time.sleep(0.02)
                client.recv(1)

        threading.Thread(target=late, daemon=True).start()
        camera = SentCamera(spec_at(at), timeout_s=1.5)
        with camera, pytest.raises(EnvironmentFaultError, match=said):
            while True:
                camera.frame()


def test_the_file_alone_runs_on_the_robots_own_python() -> None:
    text = Path(camera_sender.__file__).read_text(encoding="utf-8")
    tree = ast.parse(text, feature_version=(3, 8))
    needed = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert needed - set(sys.stdlib_module_names) == {"pyrealsense2"}
