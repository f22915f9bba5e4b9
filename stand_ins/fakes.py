"""A made-up suite for tests: tiny drawn pictures, honest records, the real writer, no simulator.

Each scene shows a target (red block) beside a partner (blue box) and two distractors, drawn as
filled rectangles. Labels come from a coin alone: nothing in the pictures, ids or order knows them,
only ``verdict`` does.
"""

import hashlib
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image

from pactwin.suite import (
    COMMITMENT,
    Camera,
    Constraint,
    Measurement,
    ObjectRecord,
    Perturbations,
    Question,
    Scene,
    Suite,
    SuiteWriter,
    Verdict,
    View,
    Visibility,
    seed_commitment,
    view_paths,
)
from pactwin.suite.digest import ContentHash
from pactwin.tasks import make_twin_questions

DOMAINS = ("size_mismatch", "support", "stability", "reachability")
CAMERAS = ("front", "agent", "side", "head")
WIDTH_PX, HEIGHT_PX = 128, 96

_CONSTRAINTS = {
    "size_mismatch": Constraint.DOES_NOT_FIT,
    "support": Constraint.SUPPORTS_OTHER,
    "stability": Constraint.UNSTABLE_SUPPORT,
    "reachability": Constraint.OUT_OF_REACH,
}
_ACTIONS = {
    "size_mismatch": "Place the red block in the blue box.",
    "support": "Pick up the red block; nothing else may fall or shift.",
    "stability": "Take the red block away; the blue box must stay standing.",
    "reachability": "Pick up the red block with the robot's hand.",
}
_KINDS = ("ball", "bottle", "book", "bowl")
_COLORS = {
    "red": (200, 40, 40),
    "blue": (40, 70, 190),
    "green": (50, 150, 60),
    "yellow": (220, 190, 50),
    "white": (235, 235, 230),
}
_MARGIN_PX = 2  # the border around objects that no object enters


@dataclass(frozen=True)
class FakePair:
    """What :meth:`SuiteWriter.add` takes: twin scenes in file order, files, rejections."""

    scenes: tuple[Scene, Scene]
    files: Mapping[str, bytes]
    rejections: Mapping[str, Mapping[str, int]]


def make_fake_suite(
    path: Path | str,
    *,
    n_pairs: int = 4,
    seed: int = 0,
    domains: Sequence[str] = DOMAINS,
    cameras: Sequence[str] = CAMERAS,
    change: Callable[[FakePair], FakePair] = lambda pair: pair,
    secret: bool = False,
    questions: Callable[[tuple[Scene, ...]], Sequence[Question]] = make_twin_questions,
) -> Path:
    """Write a suite of ``n_pairs`` pairs over ``domains`` in turn; returns its path.

    ``change`` may alter each pair before it is written, to plant faults and leaks; ``questions``
    are made of the scenes of a pair. The seed of a ``secret`` one does not stand in it.
    """
    with open_fake_writer(
        path, n_pairs=n_pairs, seed=seed, domains=domains, secret=secret
    ) as writer:
        if writer.info is None:
            for pair in fake_pairs(n_pairs, seed, domains, cameras, first=writer.units_done):
                changed = change(pair)
                writer.add(changed.scenes, changed.files, changed.rejections)
            writer.finish(questions)
    return Path(path)


def open_fake_writer(
    path: Path | str,
    *,
    n_pairs: int = 4,
    seed: int = 0,
    domains: Sequence[str] = DOMAINS,
    gl_renderer: str = "none",
    secret: bool = False,
) -> SuiteWriter:
    """The writer that :func:`make_fake_suite` uses."""
    told = {COMMITMENT: seed_commitment(seed)} if secret else {"seed": seed}
    return SuiteWriter.open(
        path,
        name="fake",
        request={**told, "pairs": n_pairs, "domains": list(domains)},
        packages={"pactwin": "0"},
        gl_renderer=gl_renderer,
    )


def fake_pairs(
    n_pairs: int,
    seed: int = 0,
    domains: Sequence[str] = DOMAINS,
    cameras: Sequence[str] = CAMERAS,
    first: int = 0,
) -> Iterator[FakePair]:
    """Pairs ``first`` to ``n_pairs - 1``; each depends on ``seed`` and its own number alone."""
    for index in range(first, n_pairs):
        yield _pair(index, seed, domains[index % len(domains)], tuple(cameras))


@lru_cache(maxsize=256)
def _pair(index: int, seed: int, domain: str, cameras: tuple[str, ...]) -> FakePair:
    rng = np.random.default_rng([seed, index])
    shared = _Shared(
        domain=domain,
        seed=int(rng.integers(2**31)),
        appearance={"room": str(rng.choice(["lab", "office"])), "light": float(rng.uniform())},
        distractors=tuple(zip(rng.permutation(_KINDS)[:2], ("green", "yellow"), strict=True)),
        cameras=cameras,
    )
    ids = [rng.bytes(8).hex(), rng.bytes(8).hex()]
    feasible = bool(rng.integers(2))
    first, first_files = _scene(shared, ids[0], ids[1], feasible, rng)
    second, second_files = _scene(shared, ids[1], ids[0], not feasible, rng)
    rejections = {domain: {"unstable_label": 1 + int(rng.integers(3))}}
    return FakePair((first, second), {**first_files, **second_files}, rejections)


@dataclass(frozen=True)
class _Shared:
    domain: str
    seed: int
    appearance: dict[str, str | float]
    distractors: tuple[tuple[str, str], ...]
    cameras: tuple[str, ...]


def _scene(
    shared: _Shared, scene_id: str, twin_id: str, feasible: bool, rng: np.random.Generator
) -> tuple[Scene, dict[str, bytes]]:
    gap_mm = float(rng.uniform(5, 20)) * (1 if feasible else -1)
    verdict = Verdict(
        action=_ACTIONS.get(shared.domain, "Pick up the red block."),
        objects=("red block", "blue box"),
        feasible=feasible,
        constraint=(
            Constraint.NONE
            if feasible
            else _CONSTRAINTS.get(shared.domain, Constraint.DOES_NOT_FIT)
        ),
        trial=shared.domain,
        trial_version=1,
        measurements={
            "gap": Measurement(value=gap_mm, limit=0.0, unit="mm"),
            "lifted": Measurement(value=float(rng.uniform(0.1, 0.2)), unit="m"),
        },
        margin=gap_mm / 5,
        perturbations=Perturbations(agreed=8, run=8),
    )
    things = [("red block", "block", "red"), ("blue box", "box", "blue")]
    things += [(f"{color} {kind}", str(kind), color) for kind, color in shared.distractors]
    placement = np.random.default_rng(shared.seed)  # distractors stand the same in both twins
    objects = tuple(
        _object(name, kind, color, number, rng if number <= 2 else placement)
        for number, (name, kind, color) in enumerate(things, start=1)
    )
    views: list[View] = []
    files: dict[str, bytes] = {}
    for number, camera in enumerate(shared.cameras):
        # The side camera sees too little of the target in one pair of four, in both twins.
        hidden = camera == "side" and shared.seed % 4 == 0
        view, drawn = _view(scene_id, camera, number, objects, hidden, rng)
        views.append(view)
        files |= drawn
    scene = Scene(
        id=scene_id,
        domain=shared.domain,
        source="sim",
        twin_id=twin_id,
        seed=shared.seed,
        robot="g1",
        appearance=shared.appearance,
        objects=objects,
        views=tuple(views),
        verdict=verdict,
    )
    return scene, files


def _object(
    name: str, kind: str, color: str, number: int, rng: np.random.Generator
) -> ObjectRecord:
    x, y = rng.uniform(0.2, 0.5), rng.uniform(-0.3, 0.3)
    return ObjectRecord(
        name=name,
        category=kind,
        world_from_object=((1, 0, 0, x), (0, 1, 0, y), (0, 0, 1, 0.03), (0, 0, 0, 1)),
        size_m=(0.06, 0.06, 0.06),
        mass_kg=0.2,
        color=color,
        material="matt",
        asset=f"builtin/{kind}",
        instance_id=number,
    )


def _view(
    scene_id: str,
    camera: str,
    number: int,
    objects: Sequence[ObjectRecord],
    hidden: bool,
    rng: np.random.Generator,
) -> tuple[View, dict[str, bytes]]:
    shade = 110 + 20 * number
    image = np.full((HEIGHT_PX, WIDTH_PX, 3), shade, np.uint8)
    depth = np.full((HEIGHT_PX, WIDTH_PX), 1500, np.uint16)
    mask = np.zeros((HEIGHT_PX, WIDTH_PX), np.uint16)
    slots = rng.permutation(4)  # one quadrant for each object
    silhouettes = {}
    for obj, slot in zip(objects, slots, strict=True):
        width, height = (12, 12) if hidden and obj.instance_id == 1 else (32, 28)
        free_x = WIDTH_PX // 2 - width - 2 * _MARGIN_PX
        free_y = HEIGHT_PX // 2 - height - 2 * _MARGIN_PX
        x0 = int(slot % 2 * WIDTH_PX // 2 + _MARGIN_PX + rng.integers(free_x + 1))
        y0 = int(slot // 2 * HEIGHT_PX // 2 + _MARGIN_PX + rng.integers(free_y + 1))
        at = np.s_[y0 : y0 + height, x0 : x0 + width]
        image[at], depth[at], mask[at] = _COLORS[obj.color], 900, obj.instance_id
        silhouettes[obj.name] = Visibility(
            pixels=width * height, fraction=1.0, box=(x0, y0, x0 + width, y0 + height)
        )
    image_path, depth_path, mask_path = view_paths(scene_id, camera)
    view = View(
        camera=Camera(
            name=camera,
            width_px=WIDTH_PX,
            height_px=HEIGHT_PX,
            K=((100, 0, WIDTH_PX / 2), (0, 100, HEIGHT_PX / 2), (0, 0, 1)),
            # Above the table, looking straight down.
            world_from_camera=(
                (0, -1, 0, 0.35),
                (-1, 0, 0, 0.1 * number),
                (0, 0, -1, 1.0),
                (0, 0, 0, 1),
            ),
        ),
        image=image_path,
        depth=depth_path,
        mask=mask_path,
        visibility=silhouettes,
    )
    arrays: dict[str, np.ndarray] = {image_path: image, depth_path: depth, mask_path: mask}
    return view, {path: png(array) for path, array in arrays.items()}


def png(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(array).save(buffer, format="PNG", compress_level=1)
    return buffer.getvalue()


def edit_info(path: Path, **changes: object) -> None:
    info = json.loads((path / "suite.json").read_text())
    (path / "suite.json").write_text(json.dumps(info | changes))


def hash_as_earlier(path: Path) -> str:
    """Give the suite the content hash that earlier versions wrote, without pictures."""
    suite, content = Suite.open(path), ContentHash()
    for scene in suite.scenes():
        content.add_scene(scene, {})
    for question in suite.questions():
        content.add_question(question)
    earlier = content.without_pictures(suite.info.counts, suite.info.rejections)
    edit_info(path, content_hash=earlier)
    return earlier


def rewrite(path: Path, name: str, data: bytes) -> None:
    """Change a file and its hash, as someone who knows how would."""
    (path / name).write_bytes(data)
    info = json.loads((path / "suite.json").read_text())
    files = info["files"] | {name: hashlib.sha256(data).hexdigest()}
    edit_info(path, files=files)
