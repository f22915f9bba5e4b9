"""Features of a scene that must not predict its label, in groups.

Quantities that decide by physics (size, state and relative pose of objects that decide or are
involved) are in no group. An object's position on the table causes failure only if the object is
out of reach or part of a balance, so each critical object's own position must also be
uninformative.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from pactwin.suite.pictures import load_image
from pactwin.suite.reader import Suite
from pactwin.suite.records import Camera, ObjectRecord, Scene
from pactwin.suite.taxonomy import Constraint

Features = dict[str, float | str]
"""Feature names with numbers, or with words (each value is then a feature of its own)."""

FEATURE_GROUPS = (
    "object kinds",
    "colours",
    "counts",
    "distractors",
    "positions",
    "place of the target",
    "place of the second object",
    "target across the pictures",
    "second object across the pictures",
    "cameras",
    "appearance",
    "ids",
    "file order",
    "file sizes",
    "image statistics",
)

_POSE_DIGITS = 4  # 0.1 mm: what a simulation settles to below that, nobody sees
_THUMBNAIL_PX = 8
# Causes that are places.
_BY_PLACE = {Constraint.OUT_OF_REACH, Constraint.WOULD_COLLAPSE, Constraint.NEEDS_TWO_HANDS}
_EDGE_LEVELS = 24.0  # of 255, a step between neighbouring pixels that counts as an edge


def scene_features(
    suite: Suite, scene: Scene, question_ids: Sequence[str], index: int, cause: Constraint
) -> dict[str, Features]:
    """Features of scene number ``index`` in the file, by group.

    ``cause`` is the constraint of the scene or its twin. Raises SuiteError if a picture cannot be
    read.
    """
    taking_part = {*scene.decided.objects, *scene.decided.involved}
    others = [obj for obj in scene.objects if obj.name not in taking_part]
    return {
        "object kinds": _kinds(scene),
        "colours": _colours(scene),
        "counts": {"objects": len(scene.objects), "distractors": len(others)},
        "distractors": _distractors(others),
        "positions": _positions(others),
        **_places(scene, cause),
        "cameras": _cameras(scene),
        "appearance": dict(scene.appearance) | {"robot": scene.robot},
        "ids": _ids([scene.id, *question_ids]),
        "file order": _order(scene, index),
        "file sizes": _file_sizes(suite, scene),
        "image statistics": _image_statistics(suite, scene),
    }


def _kinds(scene: Scene) -> Features:
    words = _tally(w for o in scene.objects for w in (o.category, o.asset, f"of {o.material}"))
    return words | {f"deciding {i}": obj.category for i, obj in enumerate(_deciding(scene))}


def _colours(scene: Scene) -> Features:
    words = _tally(obj.color for obj in scene.objects)
    return words | {f"deciding {i}": obj.color for i, obj in enumerate(_deciding(scene))}


def _deciding(scene: Scene) -> list[ObjectRecord]:
    by_name = {obj.name: obj for obj in scene.objects}
    return [by_name[name] for name in scene.decided.objects]


def _tally(words: Iterable[str]) -> Features:
    return {word: float(n) for word, n in Counter(words).items()}


def _distractors(others: Sequence[ObjectRecord]) -> Features:
    features = _tally(
        word for o in others for word in (o.category, o.color, f"of {o.material}", o.state)
    )
    for i, obj in enumerate(others):
        sizes = {f"{i} size {axis}": size for axis, size in zip("xyz", obj.size_m, strict=True)}
        features |= sizes | {f"{i} mass": obj.mass_kg, f"{i} kind": obj.category}
    return features


def _positions(others: Sequence[ObjectRecord]) -> Features:
    return {
        f"{i} {row}{column}": round(obj.world_from_object[row][column], _POSE_DIGITS)
        for i, obj in enumerate(others)
        for row in range(3)
        for column in range(4)
    }


def _places(scene: Scene, cause: Constraint) -> dict[str, Features]:
    """Positions of the first two deciding objects on the table and in the pictures, each alone.

    How one lies to the other (a load on its carrier) is a cause that may be seen.
    """
    groups: dict[str, Features] = {}
    names = scene.decided.objects
    for k, who in enumerate(("target", "second object")):
        placed, seen = f"place of the {who}", f"{who} across the pictures"
        groups |= {placed: {}, seen: {}}
        if cause in _BY_PLACE or k >= len(names):
            continue
        (obj,) = (obj for obj in scene.objects if obj.name == names[k])
        pose = np.array(obj.world_from_object)
        groups[placed] = {axis: round(float(pose[i, 3]), 3) for i, axis in enumerate("xy")}
        boxes = {view.camera.name: view.visibility[obj.name].box for view in scene.views}
        groups[seen] = {
            name: (box[0] + box[2]) / 2 for name, box in boxes.items() if box is not None
        }
    return groups


def _cameras(scene: Scene) -> Features:
    features: Features = {}
    for view in scene.views:
        camera = view.camera
        numbers = [float(camera.width_px), float(camera.height_px)]
        if isinstance(camera, Camera):
            numbers += [*np.ravel(camera.K), *np.ravel(camera.world_from_camera)]
            numbers += camera.distortion
        features |= {f"{camera.name} {i}": float(n) for i, n in enumerate(numbers)}
    return features


def _ids(ids: Sequence[str]) -> Features:
    return {
        f"{i} bit {bit}": int(text, 16) >> bit & 1
        for i, text in enumerate(ids)
        for bit in range(64)
    }


def _order(scene: Scene, index: int) -> Features:
    names = [obj.name for obj in scene.objects]
    features: Features = {"second of the pair": index % 2}
    for i, name in enumerate(scene.decided.objects):
        number = names.index(name)
        features |= {f"{i} place": number, f"{i} instance": scene.objects[number].instance_id}
    return features


def _file_sizes(suite: Suite, scene: Scene) -> Features:
    """Bytes beside the compressed pixels, per view.

    Pixels take more bytes where more is seen: a thing hides part of what it stands on. Twins differ
    in that by physics, by 0.1 to 0.4 %, and a single picture's bytes do not tell its label.
    """
    return {v.camera.name: _beside_bytes(suite.resolve(v.image)) for v in scene.views}


def _beside_bytes(picture: Path) -> float:
    """Number of bytes of a PNG file that are not compressed pixels; 0 for other files."""
    data, at, beside = picture.read_bytes(), 8, 0
    while picture.suffix == ".png" and at + 8 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        beside += 0 if data[at + 4 : at + 8] == b"IDAT" else length
        at += length + 12
    return float(beside)


def _image_statistics(suite: Suite, scene: Scene) -> Features:
    """Mean and deviation per channel, an 8x8 thumbnail, share of edge pixels; per view."""
    features: Features = {}
    for view in scene.views:
        image = load_image(suite, view)
        small = Image.fromarray(image).resize((_THUMBNAIL_PX,) * 2, Image.Resampling.BOX)
        grey = image.mean(axis=2, dtype=np.float32)
        edges = [(np.abs(np.diff(grey, axis=axis)) > _EDGE_LEVELS).mean() for axis in (0, 1)]
        numbers = np.concatenate(
            [image.mean(axis=(0, 1)), image.std(axis=(0, 1)), edges, np.asarray(small).ravel()]
        )
        features |= {f"{view.camera.name} {i}": float(n) for i, n in enumerate(numbers)}
    return features
