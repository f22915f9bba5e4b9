"""Send a RealSense camera of this computer to pactwin on another: colour, depth and times.

This file, which pactwin reads its own cameras by as well, is for a computer that pactwin cannot run
on, such as the robot's second one. Copy it there: it needs Python 3.8 or later, pyrealsense2, and
nothing else.

    python3 camera_sender.py                         # for ssh -L 8491:127.0.0.1:8491
    python3 camera_sender.py --host 192.168.123.164  # for everybody in the robot's network

One client at a time is served. It sends a line of JSON: the camera's ``serial``, the streams
``color`` and ``depth`` ([width, height, Hz]), ``power_line_hz``, ``settings`` that colour is fixed
to, or null, and ``warmup``, the number of frames for automatic control to choose them. For each
pair of frames it gets a line of JSON and two PNG files, RGB8 and Z16, whose sizes the line tells. A
fault is a line with ``error``, then the connection ends. Frames that come while others are on their
way are left out. The camera is closed when the client hangs up.
"""

from __future__ import annotations

import argparse
import array
import json
import socket
import struct
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

PORT = 8491
PATIENCE_S = 10.0
MAX_LINE_BYTES = 65536
FIXED = ("exposure", "gain", "white_balance")
ACTUAL = {"exposure": "actual_exposure", "gain": "gain_level", "white_balance": "white_balance"}
METADATA = (
    "actual_exposure",
    "gain_level",
    "white_balance",
    "frame_laser_power",
    "frame_emitter_mode",
    "temperature",
    "sensor_timestamp",
    "time_of_arrival",
)
EXPOSURE_UNIT_US = 100.0
"""Unit in which colour sensors take exposure; metadata give microseconds."""
SEND_BUFFER_BYTES = 65536
"""Small send buffer, so that ``sent_ms`` is the time at which sending begins."""


class RefusedError(Exception):
    """The request cannot be served; the message goes to the client."""


def png(width: int, height: int, channels: int, pixels: bytes) -> bytes:
    """A PNG file of RGB8 (3 channels) or little-endian 16-bit grey (1 channel) pixels."""
    depth, kind, row = (8, 2, 3 * width) if channels == 3 else (16, 0, 2 * width)
    if channels == 1 and sys.byteorder == "little":
        swapped = array.array("H", pixels)
        swapped.byteswap()
        pixels = swapped.tobytes()
    lines = b"".join(b"\0" + pixels[k : k + row] for k in range(0, row * height, row))
    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(lines, 1)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


def connected_device(serial: str) -> Any:
    """The device with this serial number; RefusedError lists those that are connected."""
    import pyrealsense2 as rs

    found = []
    for device in rs.context().query_devices():
        found.append(device.get_info(rs.camera_info.serial_number))
        if found[-1] == serial:
            return device
    raise RefusedError(
        f"camera {serial} is not connected to the sender's computer, found: "
        f"{', '.join(found) or 'none'}; on the robot, stop its video service"
    )


def set_option(rs: Any, sensor: Any, name: str, value: float) -> bool:
    """Set an option if the sensor has it; returns whether it has. RuntimeError on failure."""
    option = getattr(rs.option, name)
    if not sensor.supports(option) or sensor.is_option_read_only(option):
        return False
    sensor.set_option(option, value)
    return True


def set_for_captures(rs: Any, sensor: Any, power_line_hz: int) -> None:
    """Set one clock for all cameras, a steady rate, no flicker, Intel's default depth preset."""
    for name, value in (
        ("global_time_enabled", 1.0),
        ("visual_preset", float(int(rs.rs400_visual_preset.default))),
        ("auto_exposure_priority", 0.0),
        ("power_line_frequency", 1.0 if power_line_hz == 50 else 2.0),
        ("emitter_enabled", 1.0),
    ):
        set_option(rs, sensor, name, value)


def fix_color(
    rs: Any,
    sensor: Any,
    wanted: dict[str, float] | None,
    told: Mapping[str, float],
    power_line_hz: int,
) -> dict[str, float]:
    """Disable a colour sensor's automatic control; returns the fixed settings.

    ``wanted`` are earlier settings; without them the automatic choice in a frame's metadata
    ``told`` is kept. Exposures longer than half a period of the mains are rounded to whole ones, so
    that lamps do not flicker.
    """
    if wanted is None:
        wanted = {name: told[ACTUAL[name]] for name in FIXED if ACTUAL[name] in told}
        if "exposure" in wanted:
            half_us = 1e6 / (2 * power_line_hz)
            exposure_us = wanted["exposure"]
            if exposure_us > half_us:
                exposure_us = half_us * round(exposure_us / half_us)
            wanted["exposure"] = round(exposure_us / EXPOSURE_UNIT_US)
    fixed = {}
    for name in FIXED:
        if name not in wanted:
            continue
        kind = "white_balance" if name == "white_balance" else "exposure"
        set_option(rs, sensor, "enable_auto_" + kind, 0.0)
        if set_option(rs, sensor, name, wanted[name]):
            fixed[name] = wanted[name]
    return fixed


def metadata_of(rs: Any, frame: Any) -> dict[str, float]:
    """Metadata of a frame by librealsense's names."""
    kinds = {name: getattr(rs.frame_metadata_value, name) for name in METADATA}
    return {
        name: float(frame.get_frame_metadata(kind))
        for name, kind in kinds.items()
        if frame.supports_frame_metadata(kind)
    }


def device_info(rs: Any, device: Any) -> dict[str, str]:
    """Serial number, firmware and USB version of a device, if it reports them."""
    info = rs.camera_info
    kinds = {
        "serial": info.serial_number,
        "firmware": info.firmware_version,
        "usb": info.usb_type_descriptor,
    }
    return {name: device.get_info(kind) for name, kind in kinds.items() if device.supports(kind)}


class Camera:
    """A device with two open streams and fixed colour settings."""

    def __init__(self, device: Any, wanted: dict[str, Any]) -> None:
        """Open the streams that a client wants; RefusedError if there are none of that size."""
        import pyrealsense2 as rs

        self._rs, self._device = rs, device
        self._open: list[Any] = []
        self._syncer = rs.syncer()
        self._profiles: dict[str, Any] = {}
        try:
            self._start(wanted)
            self.description = self._described()
            told: dict[str, float] = {}
            for _ in range(wanted["warmup"] if wanted["settings"] is None else 0):
                told = metadata_of(rs, self.pair()[0])
            self.description["settings"] = fix_color(
                rs, self._color_sensor, wanted["settings"], told, wanted["power_line_hz"]
            )
        except BaseException:
            self.close()
            raise

    def _start(self, wanted: dict[str, Any]) -> None:
        rs = self._rs
        formats = {
            "color": (rs.stream.color, rs.format.rgb8),
            "depth": (rs.stream.depth, rs.format.z16),
        }
        for sensor in self._device.query_sensors():
            chosen: dict[str, Any] = {}
            for profile in sensor.get_stream_profiles():
                for name, kind in formats.items():
                    if (profile.stream_type(), profile.format()) == kind:
                        video = profile.as_video_stream_profile()
                        if [video.width(), video.height(), profile.fps()] == wanted[name]:
                            chosen.setdefault(name, profile)
            if not chosen:
                continue
            set_for_captures(rs, sensor, wanted["power_line_hz"])
            sensor.open(list(chosen.values()))
            self._open.append(sensor)
            self._profiles.update(chosen)
            if "color" in chosen:
                self._color_sensor = sensor
            sensor.start(self._syncer)
        if len(self._profiles) < 2:
            raise RefusedError("the camera does not offer the streams of the rig file")

    def pair(self) -> tuple[Any, Any]:
        """The next colour and depth frame; RefusedError if none arrive."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            came, frames = self._syncer.try_wait_for_frames(200)
            if came:
                color, depth = frames.get_color_frame(), frames.get_depth_frame()
                if color and depth:
                    return color, depth
        raise RefusedError(f"the camera sent no pair of pictures for {PATIENCE_S:g} s")

    def newest(self) -> tuple[Any, Any]:
        """The newest pair; waits for one if necessary."""
        pair = self.pair()
        while True:
            came, frames = self._syncer.try_wait_for_frames(1)
            if not came:
                return pair
            color, depth = frames.get_color_frame(), frames.get_depth_frame()
            pair = (color, depth) if color and depth else pair

    def _described(self) -> dict[str, Any]:
        pose = self._profiles["depth"].get_extrinsics_to(self._profiles["color"])
        columns = [pose.rotation[k : k + 3] for k in (0, 3, 6)]  # librealsense counts by columns
        return {
            **device_info(self._rs, self._device),
            "color": self._stream("color"),
            "depth": self._stream("depth"),
            "color_from_depth": [[column[k] for column in columns] for k in range(3)],
            "color_from_depth_m": list(pose.translation),
        }

    def _stream(self, name: str) -> dict[str, Any]:
        profile = self._profiles[name]
        known = profile.as_video_stream_profile().get_intrinsics()
        return {
            "width_px": known.width,
            "height_px": known.height,
            "rate_hz": profile.fps(),
            "fx": known.fx,
            "fy": known.fy,
            "cx": known.ppx,
            "cy": known.ppy,
            "model": known.model.name,
            "distortion": list(known.coeffs),
        }

    def message(self, color: Any, depth: Any, pool: ThreadPoolExecutor) -> Iterator[bytes]:
        """The header line and the two files of a pair."""
        parts = []
        for frame, channels in ((color, 3), (depth, 1)):
            pixels = bytes(memoryview(frame.get_data()))
            args = frame.get_width(), frame.get_height(), channels, pixels
            parts.append(pool.submit(png, *args))
        files = [part.result() for part in parts]
        line = {
            "camera": self.description,
            "number": color.get_frame_number(),
            "depth_number": depth.get_frame_number(),
            "time_ms": color.get_timestamp(),
            "depth_time_ms": depth.get_timestamp(),
            "domain": color.get_frame_timestamp_domain().name,
            "depth_units_m": depth.get_units(),
            "metadata": {
                "color": metadata_of(self._rs, color),
                "depth": metadata_of(self._rs, depth),
            },
            "color_bytes": len(files[0]),
            "depth_bytes": len(files[1]),
            "sent_ms": time.time() * 1e3,
        }
        yield json.dumps(line).encode() + b"\n"
        yield from files

    def close(self) -> None:
        """Stop the streams; unplugged devices are skipped."""
        while self._open:
            sensor = self._open.pop()
            for end in (sensor.stop, sensor.close):
                with suppress(RuntimeError):
                    end()


def answer(client: socket.socket, find: Callable[[str], Any]) -> None:
    """Send pairs to a client until it disconnects; RefusedError gives the reason otherwise."""
    with client.makefile("rb") as file:
        asked = file.readline(MAX_LINE_BYTES)
    try:
        wanted = json.loads(asked)
        serial = str(wanted["serial"])
        for name in ("color", "depth", "power_line_hz", "settings", "warmup"):
            wanted[name]
    except (ValueError, KeyError, TypeError) as error:
        raise RefusedError(f"the request is not understood: {error!r}") from error
    try:
        camera = Camera(find(serial), wanted)
        try:
            with ThreadPoolExecutor(2) as pool:
                while True:
                    for part in camera.message(*camera.newest(), pool):
                        client.sendall(part)
        finally:
            camera.close()
    except RuntimeError as error:
        raise RefusedError(f"librealsense fails: {' '.join(str(error).split())}") from error


def say(text: str) -> None:
    """Print a line for the operator who started the sender."""
    sys.stdout.write(f"camera_sender: {text}\n")
    sys.stdout.flush()


def serve(listening: socket.socket, find: Callable[[str], Any]) -> None:
    """Serve one client after another; a client's errors are printed and do not end serving."""
    while True:
        try:
            client, (address, *_) = listening.accept()
        except OSError:  # it was closed
            return
        with client:
            client.settimeout(PATIENCE_S)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
            say(f"{address} connected")
            try:
                try:
                    answer(client, find)
                except RefusedError as error:
                    say(str(error))
                    client.sendall(json.dumps({"error": str(error)}).encode() + b"\n")
            except OSError as error:
                say(f"{address} left: {error}")


def main() -> None:
    """Read the options and serve until Ctrl-C."""
    parser = argparse.ArgumentParser(description="Send a RealSense camera to pactwin.")
    parser.add_argument(
        "--host", default="127.0.0.1", help="own address to listen on (default: %(default)s)"
    )
    parser.add_argument("--port", type=int, default=PORT, help="default: %(default)s")
    asked = parser.parse_args()
    try:
        listening = socket.create_server((asked.host, asked.port))
    except OSError as error:
        sys.exit(f"camera_sender: {asked.host} port {asked.port}: {error.strerror}")
    say(f"listening on {asked.host} port {asked.port}")
    with suppress(KeyboardInterrupt):
        serve(listening, connected_device)


if __name__ == "__main__":
    main()
