"""The process that simulates the bench: renders, adds sensor errors, and sends frames.

It is started as ``python -m pactwin.real.rehearsal.world``. Check and capture connect as to devices
and get only frames and joint states. The simulated operator connects by ``control``: it sends a
line of JSON for each order and gets a line of JSON when the order is done.
"""

import json
import os
import queue
import socket
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from pactwin.hardware import (
    MARGIN_MM,
    STRIP_MM,
    LowStatePublisher,
    PlayedFrame,
    board_drawing,
    pdf_of,
    read_rig,
    strip_drawings,
)
from pactwin.real.placement_template import template_of
from pactwin.real.rehearsal.disturbance import (
    Disturbance,
    disturbed_items,
    moved,
    pushed,
    with_mistake,
)
from pactwin.real.rehearsal.raytraced import Light, Paper, Raytraced, printed
from pactwin.real.rehearsal.rig_model import TrueCamera, nudged, true_cameras
from pactwin.real.rehearsal.sensor import in_lamplight, lens_map, noisy_color, with_holes
from pactwin.sim import (
    Item,
    Layout,
    block,
    carried_out,
    rebuild_layout,
)
from pactwin.suite import (
    Constraint,
    PactwinError,
    Scene,
    Suite,
    parse_json,
    unknown_name,
)

_MAT_DPI, _TEMPLATE_DPI = 220, 110
"""Resolutions of board and template; on the board, tenths of a millimetre matter."""
_STATE_HZ = 500
_STRIPS = (
    (0.645, 0.0, 90.0),
    (0.525, 0.44, 0.0),
    (0.525, -0.44, 0.0),
    (0.235, 0.44, 0.0),
    (0.235, -0.44, 0.0),
)
"""Where strips are taped down, about: x and y in m, direction in degrees."""
_LIGHT: dict[Any, float] = {
    "actual_exposure": 15600.0,
    "gain_level": 64.0,
    "white_balance": 4600.0,
}
_THINNED = 2
"""Every second picture is not taken: two cores that draw, send and check cannot follow 30 Hz."""
_SHOTS = 4
"""Stereo pairs and pictures with noise of their own, which are sent in turn."""


class SimulatedTable:
    """The table and its surroundings. Only :meth:`do` and its callees draw random numbers."""

    def __init__(self, suite: Suite, rig_path: Path, seed: int) -> None:
        self.rig = read_rig(rig_path)
        self._suite, self._seed = suite, seed
        self.by = Disturbance()
        self.printed = self.by.print_scale
        rng = np.random.default_rng(seed)
        self.still = self.cameras = true_cameras(self.rig, self.by, rng)
        self._maps = {
            name: lens_map(np.array(c.color.K), (c.color.width_px, c.color.height_px))
            for name, c in self.cameras.items()
        }
        self.items: dict[str, Item] = {}
        self._paper: Paper | None = None
        # The template is laid down by the table's edges, not by where the board has been.
        x, y = rng.normal(0, self.by.template_m, 2)
        self._template_off = _flat(x, y, rng.normal(0, self.by.template_rad))
        self._strips = [self._strip(k, place, rng) for k, place in enumerate(_STRIPS)]
        self._as_mounted = self.still, self._strips
        self.ill: dict[str, str] = {}
        self._layout: Layout | None = None
        self._scene: Scene | None = None
        self.shown: dict[str, list[tuple[bytes, bytes]]] = {}
        self.do({"do": "board"})

    def do(self, order: dict[str, Any]) -> dict[str, Any]:
        """Actions of the operator: ``board``, ``place``, ``push``, ``slide``, ``act``.

        The action ``truth`` returns the true state.

        ``devices`` makes cameras and robot, by name, ``ill`` from then on. ``undo`` moves cameras
        and strips back to where they were mounted.
        """
        match order["do"]:
            case "board":
                self.items = {}
                self.printed = tuple(order.get("printed", self.by.print_scale))
                self._paper = self._board(order.get("moved_m", (0.0, 0.0)))
                self._draw([])
            case "devices":
                self.ill = {name: ill for name, ill in order.items() if name != "do"}
            case "place":
                take = [int(order.get("take", 0)), int(order["scene"][:8], 16)]
                self._place(order, np.random.default_rng([self._seed, *take]))
                self._draw(take, order)
            case "push":
                if "template" in order:
                    x, y = order["template"]
                    by = _flat(x, y, 0.0)
                    self._template_off = by @ self._template_off
                    whole = np.eye(4)
                    whole[:2, 3] = by[:2, 2]
                    self.items = {name: moved(item, whole) for name, item in self.items.items()}
                rng = np.random.default_rng([self._seed, int(order["take"]), 2])
                self.items = pushed(self.items, order.get("by", {}), self.by, rng)
                self._draw([int(order["take"]), 2])
            case "slide":
                self._paper = None
                self._draw([int(order.get("take", 0)), 1])
            case "undo":
                self.still, self._strips = self._as_mounted
            case "act":
                return {"done": "act", **self._carried_out()}
            case "truth":
                return self._truth()
            case other:
                return {"error": f"nobody can {other}"}
        return {"done": order["do"]}

    def _place(self, order: dict[str, Any], rng: np.random.Generator) -> None:
        self._scene = scene = self._suite.scene(order["scene"])
        self._layout = layout = rebuild_layout(scene)
        off = np.eye(4)
        off[:2, :2], off[:2, 3] = self._template_off[:2, :2], self._template_off[:2, 2]
        items = disturbed_items(layout, self.by, rng)
        self.items = {name: moved(item, off) for name, item in items.items()}
        for wrong in order.get("mistakes", [order] if "mistake" in order else []):
            other = None
            for name in {wrong["name"], wrong.get("other") or wrong["name"]} - self.items.keys():
                raise unknown_name("thing on the table", name, list(self.items))
            if wrong["mistake"] == "swapped":
                other = self.items[wrong["other"]]
            elif wrong["mistake"] == "other_state":
                twin, _ = self._suite.pair_of(str(scene.twin_id))
                other = rebuild_layout(twin).item(wrong["name"])
            self.items = with_mistake(self.items, wrong["name"], wrong["mistake"], other, rng)
        for k, (size_m, (x, y, z)) in enumerate(order.get("strangers", [])):
            thing = block("blue", tuple(size_m), "wood")
            there = replace(thing.world_from_object, pos=(x, y, z + size_m[2] / 2))
            self.items[f"stranger {k}"] = thing.at(there)
        if order.get("template", True):
            template = template_of(self._suite, scene.id)
            page = pdf_of(template.drawing, "large")
            at = template.near_m, self.printed[0] * template.left_m
            self._paper = self._lying(page, _TEMPLATE_DPI, *at)
        else:
            self._paper = None

    def _board(self, off_m: tuple[float, float]) -> Paper:
        """The calibration board and its ruler, displaced by ``off_m`` from the rig file's place."""
        board, drawing = self.rig.board, board_drawing(self.rig.board)
        below_mm = drawing.height_mm - board.rows * board.square_mm
        near_m = (board.near_mm - below_mm * self.printed[1]) / 1e3 + off_m[0]
        left_m = self.printed[0] * drawing.width_mm / 2e3 + off_m[1]
        return self._lying(pdf_of(drawing, "large"), _MAT_DPI, near_m, left_m)

    def _lying(self, page: bytes, dpi: int, near_m: float, left_m: float) -> Paper:
        """A page whose drawing's lower left corner lies at (``near_m``, ``left_m``)."""
        across, up = self.printed
        place = near_m - MARGIN_MM / 1e3 * up, left_m + MARGIN_MM / 1e3 * across
        table_from_page = np.array([[0.0, 1.0, place[0]], [-1.0, 0.0, place[1]], [0.0, 0.0, 1.0]])
        return printed(page, dpi, table_from_page, (100 * across, 100 * up))

    def _strip(self, k: int, place: tuple[float, float, float], rng: np.random.Generator) -> Paper:
        x, y, degrees = rng.normal(place, (0.006, 0.006, 2.0))
        left, bottom, right, top = (MARGIN_MM + side for side in STRIP_MM)
        across, up = self.printed
        middle = _flat(-across * (left + right) / 2e3, -up * (bottom + top) / 2e3, 0.0)
        lies = _flat(x, y, np.deg2rad(degrees)) @ middle
        page = pdf_of(strip_drawings()[k], "large")
        window = (left - 4, bottom - 4, right + 4, top + 4)
        return printed(page, _MAT_DPI, lies, (100 * across, 100 * up), window, self.by.curl_m)

    def _draw(self, what: list[int], faults: Mapping[str, Any] | None = None) -> None:
        """Render the pictures that every camera shows from now on, as ``what`` says.

        The head sways and light changes from one to the next. Of ``faults``, ``light`` is by
        camera, one that is ``frozen`` shows what it showed before, one that is ``nudged``
        stays (x, y, z in m, then turns in radians) where it was moved to, one that is ``blind``
        measures no depth; ``swapped_cameras`` show each other's pictures. A ``strip`` is moved
        (number, x, y).
        """
        faults = faults or {}
        for name, by in faults.get("nudged", {}).items():
            self.still = {**self.still, name: nudged(self.still[name], np.array(by))}
        if "strip" in faults:
            k, x, y = faults["strip"]
            onto = self._strips[k].pixel_from_table @ _flat(-x, -y, 0.0)
            self._strips = [*self._strips]
            self._strips[k] = replace(self._strips[k], pixel_from_table=onto)
        rng = np.random.default_rng([self._seed, *what])
        papers = [*self._strips, *([self._paper] if self._paper else [])]
        world = Raytraced(list(self.items.values()), papers)
        sway = rng.normal(0, [self.by.sway_m] * 3 + [self.by.sway_rad] * 3)
        self.cameras = {**self.still, "head": nudged(self.still["head"], sway)}
        shown = {}
        for name, camera in self.cameras.items():
            if name == faults.get("frozen"):
                shown[name] = self.shown[name]
                continue
            light = Light(**faults.get("light", {}).get(name, {}))
            drifted = replace(light, exposure=light.exposure * rng.normal(1, self.by.exposure))
            color = world.color(camera.color, drifted)
            color = in_lamplight(color, self.by.white_balance, self.by.bands, rng)
            color = np.asarray(cv2.remap(color, *self._maps[name], cv2.INTER_LINEAR), np.uint8)
            shown[name] = []
            for far in world.stereo(camera.depth, _SHOTS, rng):
                far = with_holes(far * (1 + camera.depth_bias), self.by.holes, rng)
                far = far * (name != faults.get("blind"))
                depth = np.rint(far).astype(np.uint16).tobytes()
                shown[name].append((noisy_color(color, rng).tobytes(), depth))
        if faults.get("swapped_cameras"):
            shown = dict(zip(shown, reversed(shown.values()), strict=True))
        self.shown = shown

    def _carried_out(self) -> dict[str, Any]:
        """Result of the operator's action: ``worked``, None if undecided."""
        if self._scene is None or self._layout is None:
            return {"worked": None}
        there = tuple(self.items[i.name] for i in self._layout.items if i.name in self.items)
        found = carried_out(self._scene, replace(self._layout, items=there))
        if found is None:
            return {"worked": None}
        return {"worked": found is Constraint.NONE, "constraint": found.value}

    def _truth(self) -> dict[str, Any]:
        return {
            "cameras": {n: c.color.world_from_camera for n, c in self.cameras.items()},
            "objects": {
                name: item.world_from_object.matrix().tolist() for name, item in self.items.items()
            },
        }


class Server:
    """Serves frames to clients that request a camera, and passes orders to the main thread."""

    def __init__(self, world: SimulatedTable, address: str) -> None:
        self._world = world
        self.orders: queue.Queue[tuple[dict[str, Any], queue.Queue[dict[str, Any]]]] = queue.Queue()
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(address)
        self._socket.listen()
        threading.Thread(target=self._accept, daemon=True).start()
        threading.Thread(target=self._publish, daemon=True).start()

    def _accept(self) -> None:
        while True:
            caller, _ = self._socket.accept()
            threading.Thread(target=self._talk, args=(caller,), daemon=True).start()

    def _publish(self) -> None:
        publisher, by = LowStatePublisher(self._world.rig.robot), self._world.by
        start, known = time.time_ns(), int(publisher.state["mode_machine"])
        while True:
            now = time.time_ns()
            ahead = by.clock_s * 1e9 + (now - start) * by.clock_ppm / 1e6
            time.sleep(1 / _STATE_HZ)
            ill = self._world.ill.get("robot")
            match ill:
                case "silent":
                    continue
                case "frozen":
                    publisher.state["tick"] -= 1
                case "turning":
                    turned = 0.0, 0.2, 0.0
                    publisher.publish({}, turned, at_ns=now + int(ahead))
                    continue
            publisher.state["mode_machine"] = 77 if ill == "unknown" else known
            publisher.publish({}, at_ns=now + int(ahead))

    def _talk(self, caller: socket.socket) -> None:
        with caller, suppress(OSError, ValueError), caller.makefile("rwb") as file:
            asked = parse_json(file.readline())
            if "camera" in asked:
                self._stream(asked["camera"], file)
            for line in file:
                answer: queue.Queue[dict[str, Any]] = queue.Queue()
                self.orders.put((parse_json(line), answer))
                file.write(json.dumps(answer.get()).encode() + b"\n")
                file.flush()

    def _stream(self, name: str, file: Any) -> None:
        spec = next(camera for camera in self._world.rig.cameras if camera.name == name)
        camera: TrueCamera = self._world.cameras[name]
        usb = "2.1" if self._world.ill.get(name) == "usb" else "3.2"
        file.write(camera.described(spec.serial, usb).model_dump_json().encode() + b"\n")
        file.flush()
        period, by = 1 / spec.color.rate_hz, self._world.by
        phase = by.apart_s / period * self._world.rig.cameras.index(spec)
        number, rng = 0, np.random.default_rng()
        while True:
            # Cameras run freely: each at its own moments.
            frame = int(time.time() / period - phase) + 1
            frame += frame % _THINNED
            tick = (frame + phase) * period
            time.sleep(max(0.0, tick - time.time()))
            ill = self._world.ill.get(name)
            number += ill != "one number"
            if rng.random() < by.dropped:
                continue
            if ill == "unplugged":
                return
            color, far = self._world.shown[name][0 if ill == "one picture" else number % _SHOTS]
            light = dict(_LIGHT)
            if ill == "exposure":
                light["actual_exposure"] *= 0.6
            head = PlayedFrame(
                number=number,
                depth_number=number,
                time_ms=1e3 * tick,
                depth_time_ms=1e3 * tick,
                domain="hardware_clock" if ill == "clock" else "global_time",
                metadata={"color": light},
                color_bytes=len(color),
                depth_bytes=len(far),
            )
            for _ in range(1 + int(rng.random() < by.repeated)):
                file.write(head.model_dump_json().encode() + b"\n")
                file.write(color)
                file.write(far)
                file.flush()


def carry_out(world: SimulatedTable, order: dict[str, Any]) -> dict[str, Any]:
    """Execute an order and return its reply; a failing order does not end the process."""
    try:
        return world.do(order)
    except PactwinError as error:
        return {"error": str(error)}


def _flat(x_m: float, y_m: float, turn_rad: float) -> np.ndarray:
    """A motion (3, 3) in the table's plane."""
    c, s = np.cos(turn_rad), np.sin(turn_rad)
    return np.array([[c, -s, x_m], [s, c, y_m], [0.0, 0.0, 1.0]])


def _end_with_parent() -> None:
    """End this process when its parent closes standard input or ends."""
    sys.stdin.read()
    os._exit(0)


def main() -> None:
    """Run ``python -m pactwin.real.rehearsal.world SUITE RIG SEED``: say ``ready``, take orders."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    suite, rig, seed = Suite.open(Path(sys.argv[1])), Path(sys.argv[2]), int(sys.argv[3])
    world = SimulatedTable(suite, rig, seed)
    server = Server(world, str(world.rig.rehearsal))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        order, answer = server.orders.get()
        if order["do"] == "quit":
            answer.put({"done": "quit"})
            return
        answer.put(carry_out(world, order))


if __name__ == "__main__":
    main()
