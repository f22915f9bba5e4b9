"""The process that plays the bench: renders, adds what sensors add, and sends it off.

Started as ``python -m pactwin.real.rehearsal.world``. Whoever checks and captures connects as to
devices and sees frames and joint states alone. The one who plays the operator, and judges at the
end, connects by ``control``: a line of JSON for each thing to do, a line of JSON when it is done.
"""

import json
import os
import queue
import socket
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from pactwin.hardware import (
    LowStatePublisher,
    PlayedFrame,
    mat_drawing,
    pdf_of,
    read_rig,
)
from pactwin.real.layout_sheet import sheet_drawing
from pactwin.real.rehearsal.disturbance import Disturbance, disturbed_items, with_mistake
from pactwin.real.rehearsal.mock_rig import TrueCamera, true_cameras
from pactwin.real.rehearsal.sensor import biased_depth, lens_map, noisy_color
from pactwin.sim import (
    Item,
    Layout,
    Paper,
    carried_out,
    draw_appearance,
    rebuild_layout,
    scene_renderer,
)
from pactwin.suite import (
    Camera,
    Constraint,
    PactwinError,
    Scene,
    Suite,
    parse_json,
    unknown_name,
)

_DPI = {"mat": 220, "sheet": 110}
"""Of the mat every tenth of a millimetre counts."""
_STATE_HZ = 50


class World:
    """All there is on the table and around it. Only :meth:`do` and what it calls draws."""

    def __init__(self, suite: Suite, rig_path: Path, seed: int) -> None:
        self.rig = read_rig(rig_path)
        self._suite, self._seed = suite, seed
        self.by = Disturbance()
        rng = np.random.default_rng(seed)
        self.cameras = true_cameras(self.rig, self.by, rng)
        self._look = draw_appearance(rng)
        self._maps = {
            name: lens_map(np.array(c.color.K), (c.color.width_px, c.color.height_px))
            for name, c in self.cameras.items()
        }
        self.items: dict[str, Item] = {}
        self._paper: Paper | None = None
        self._layout: Layout | None = None
        self._scene: Scene | None = None
        self.shown: dict[str, tuple[bytes, bytes]] = {}
        self._draw([])

    def do(self, order: dict[str, Any]) -> dict[str, Any]:
        """What the operator does: ``mat``, ``place``, ``slide``, ``act``; or tell the ``truth``."""
        match order["do"]:
            case "mat":
                self.items = {}
                self._paper = self._printed(pdf_of(mat_drawing(self.rig.mat), "large"), "mat")
                self._draw([])
            case "place":
                take = [int(order.get("take", 0)), int(order["scene"][:8], 16)]
                self._place(order, np.random.default_rng([self._seed, *take]))
                self._draw(take)
            case "slide":
                self._paper = None
                self._draw([int(order.get("take", 0)), 1])
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
        self.items = disturbed_items(layout, self.by, rng)
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
        if order.get("sheet", True):
            self._paper = self._printed(pdf_of(sheet_drawing(scene), "large"), "sheet")
        else:
            self._paper = None

    def _printed(self, data: bytes, what: str) -> Paper:
        """A PDF as it came out of this bench's printer, in its place."""
        import pypdfium2

        from pactwin.hardware import MARGIN_MM

        page = pypdfium2.PdfDocument(data)[0]
        picture = np.asarray(page.render(scale=_DPI[what] / 72).to_pil().convert("RGB"))
        scale = self.by.print_scale * 25.4 / 72 / 1e3
        width, height = (scale * side for side in page.get_size())
        margin = MARGIN_MM * self.by.print_scale / 1e3
        near = -margin
        if what == "mat":
            # Its board's lower edge lies where the rig file says; below it is the ruler.
            board = self.rig.mat.rows * self.rig.mat.square_mm / 1e3 * self.by.print_scale
            near = self.rig.mat.near_mm / 1e3 + board + margin - height
        else:  # cut off at the sheet's lower edge
            cut = round(margin / height * picture.shape[0])
            picture, height, near = picture[:-cut], height - margin, 0.0
        return Paper(np.ascontiguousarray(picture), (height, width), (near + height / 2, 0.0))

    def _draw(self, what: list[int]) -> None:
        """Take the pictures that every camera shows from now on; their noise follows from ``what``.

        Nothing moves, so they stay the same: so does most of the noise of such a camera.
        """
        # Corners of the mat are found to a twentieth of a pixel: finer than one picture is drawn.
        finer = {name: _finer(c.color, 1 if self.items else 2) for name, c in self.cameras.items()}
        every = [*finer.values(), *(camera.depth for camera in self.cameras.values())]
        items = list(self.items.values())
        shown = {}
        with scene_renderer(items, self._look, "g1", every, self._paper) as renderer:
            for number, (name, camera) in enumerate(self.cameras.items()):
                rng = np.random.default_rng([self._seed, number, *what])
                size = (camera.color.width_px, camera.color.height_px)
                color = cv2.resize(renderer.color(finer[name]), size, interpolation=cv2.INTER_AREA)
                color = cv2.remap(color, *self._maps[name], cv2.INTER_LINEAR)
                far = biased_depth(
                    renderer.color(camera.depth),
                    renderer.surfaces(camera.depth)[0],
                    np.array(camera.depth.K),
                    camera.depth_bias,
                    rng,
                )
                shown[name] = noisy_color(color, rng).tobytes(), far.tobytes()
        self.shown = shown

    def _carried_out(self) -> dict[str, Any]:
        """What happens if the operator carries the action out: ``worked``, None if that is open."""
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
    """Serves frames to whoever asks for a camera, and passes orders on to the main thread."""

    def __init__(self, world: World, address: str) -> None:
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
        publisher = LowStatePublisher(self._world.rig.robot)
        while True:
            publisher.publish({})
            time.sleep(1 / _STATE_HZ)

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
        file.write(camera.described(spec.serial).model_dump_json().encode() + b"\n")
        file.flush()
        period = 1 / spec.color.rate_hz
        number = 0
        while True:
            # Both cameras at the same moments, as if a wire triggered them.
            tick = (int(time.time() / period) + 1) * period
            time.sleep(max(0.0, tick - time.time()))
            pixels, far = self._world.shown[name]
            number += 1
            head = PlayedFrame(
                number=number,
                depth_number=number,
                time_ms=1e3 * tick,
                depth_time_ms=1e3 * tick,
                color_bytes=len(pixels),
                depth_bytes=len(far),
            )
            file.write(head.model_dump_json().encode() + b"\n")
            file.write(pixels)
            file.write(far)
            file.flush()


def carry_out(world: World, order: dict[str, Any]) -> dict[str, Any]:
    """What comes of an order; one that cannot be carried out does not end the world."""
    try:
        return world.do(order)
    except PactwinError as error:
        return {"error": str(error)}


def _finer(camera: Camera, times: int) -> Camera:
    """The same camera with ``times`` as many pixels across."""
    (fx, _, cx), (_, fy, cy), last = camera.K
    half = (times - 1) / 2
    K = ((times * fx, 0.0, times * cx + half), (0.0, times * fy, times * cy + half), last)
    size = {"width_px": times * camera.width_px, "height_px": times * camera.height_px}
    return camera.model_copy(update={"K": K, **size})


def _end_with_parent() -> None:
    """Whoever started this process holds its standard input open, and takes it along."""
    sys.stdin.read()
    os._exit(0)


def main() -> None:
    """``python -m pactwin.real.rehearsal.world SUITE RIG SEED``: says ``ready``, serves orders."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    suite, rig, seed = Suite.open(Path(sys.argv[1])), Path(sys.argv[2]), int(sys.argv[3])
    world = World(suite, rig, seed)
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
