"""Validation of untrusted MJCF models of robots and objects.

MuJoCo parses the files, and nothing in them is executed. First the files that they refer to are
located and confined to their folder, and elements that can create any number of bodies or use any
amount of memory are refused. NaN, infinite or huge numbers are refused after compiling.
"""

import logging
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np

from pactwin.suite import MAX_PIXELS, InvalidInputError, read_untrusted

if TYPE_CHECKING:
    import mujoco

LARGEST = 1e5
"""Upper limit of every position (m), size (m), mass (kg) and inertia (kg m2)."""

_MAX_XML_BYTES = 16 * 2**20
# MuJoCo lets NaN pass.
_PLACES_AND_SIZES = (
    *("body_pos", "body_quat", "body_mass", "body_inertia", "jnt_pos", "jnt_axis"),
    *("geom_pos", "geom_quat", "geom_size", "mesh_vert", "site_pos", "cam_pos"),
    *("geom_rgba", "mat_rgba"),
)
# Elements that may name files.
_MAY_NAME_FILES = {"include", "mesh", "texture", "skin"}
# One line of the first three stands for any number of bodies and geoms, of the fourth for any
# amount of memory; the last two are libraries that MuJoCo would run. No robot's arm and no thing on
# a table is made of them.
_REFUSED = {"replicate", "composite", "flexcomp", "hfield", "extension", "plugin"}
# A humanoid with hands has some 200 geoms and 1,500 elements, and 40 MB of meshes.
_MAX_GEOMS, _MAX_ELEMENTS = 2000, 20_000
_MAX_MESH_BYTES, _MAX_BYTES = 64 * 2**20, 256 * 2**20
# Room that MuJoCo would set aside because a model says so.
_ROOM = (
    *("memory", "nuserdata", "nuser_body", "nuser_jnt", "nuser_geom", "nuser_site", "nuser_cam"),
    *("nuser_tendon", "nuser_actuator", "nuser_sensor"),
)


def named_files(model: Path, called: str, around: Path) -> list[Path]:
    """The model's own file, its includes, and its meshes, each once.

    Raises InvalidInputError that starts with ``called`` if a file is missing, outside ``around`` or
    a link that leads out of it, too large, of too many parts, or with content that is not accepted.
    """
    # MuJoCo looks for what is included, however deep, beside the model itself.
    seen: dict[Path, None] = {}
    meshes: dict[str, None] = {}
    tags: Counter[str] = Counter()
    folder = ""
    waiting = [model]
    while waiting:
        path = waiting.pop()
        if path in seen:  # MuJoCo compares names: under others it would read it again and again
            raise InvalidInputError(f"{called}: {path} is included twice")
        seen[path] = None
        for element in _xml(path, called).iter():
            if element.tag.startswith("{"):  # MuJoCo's parser knows no name spaces
                raise InvalidInputError(f"{called}: xmlns is not read here")
            if element.tag == "compiler":
                folder = element.get("meshdir") or element.get("assetdir") or folder
            if element.tag in _REFUSED or (element.tag == "mesh" and element.get("builtin")):
                raise InvalidInputError(f"{called}: <{element.tag}> is not read here")
            tags[element.tag] += 1
            named = element.get("file")
            if named is None:
                continue
            if element.tag not in _MAY_NAME_FILES:
                raise InvalidInputError(
                    f"{called}: <{element.tag} file={named!r}> is not read here; "
                    "only meshes, textures and included models are"
                )
            if element.tag == "include":
                waiting.append(beside(model, named, called, around))
            elif element.tag == "mesh":
                meshes[named] = None
    if tags["geom"] > _MAX_GEOMS or tags.total() > _MAX_ELEMENTS:
        raise InvalidInputError(
            f"{called}: {tags['geom']:,} geoms and {tags.total():,} elements are too many: at most "
            f"{_MAX_GEOMS:,} and {_MAX_ELEMENTS:,} are read"
        )
    # An absolute path wins.
    files = [beside(model, os.path.join(folder, named), called, around) for named in meshes]  # noqa: PTH118
    sizes = [file.stat().st_size for file in files]
    if sum(sizes) > _MAX_BYTES or max(sizes, default=0) > _MAX_MESH_BYTES:
        raise InvalidInputError(
            f"{called}: its meshes have {sum(sizes):,} bytes: at most {_MAX_BYTES >> 20} MiB are "
            f"read, and {_MAX_MESH_BYTES >> 20} MiB of any"
        )
    return [*seen, *files]


def beside(model: Path, named: str, called: str, around: Path) -> Path:
    """The file that ``model`` refers to; InvalidInputError if missing or outside ``around``."""
    written = model.parent / named
    path = Path(os.path.normpath(written))
    try:  # behind a linked folder ".." leads elsewhere than it reads
        inside = all(p.resolve().is_relative_to(around.resolve()) for p in (path, written))
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a name with a NUL
        raise InvalidInputError(f"{called}: cannot follow {named!r}: {error}") from error
    if not inside:
        raise InvalidInputError(f"{called}: {named} lies outside of {around}")
    if not path.is_file():
        there = sorted(file.name for file in path.parent.glob("*")) if path.parent.is_dir() else []
        raise InvalidInputError(f"{called}: {named} is missing; {path.parent} has {listed(there)}")
    return path


def log_warnings() -> None:
    """Send MuJoCo's warnings to Python's log instead of MUJOCO_LOG.TXT in the working folder."""
    import mujoco

    mujoco.set_mju_user_warning(logging.getLogger("mujoco").warning)


def read_model(model: Path, called: str) -> "mujoco.MjSpec":
    """Read a model whose :func:`named_files` are valid; InvalidInputError otherwise.

    Actuators, sensors and annotations are removed, because they are not used.
    """
    import mujoco

    log_warnings()
    fresh = mujoco.MjSpec()
    try:
        spec = mujoco.MjSpec.from_file(str(model))
    except ValueError as error:
        raise InvalidInputError(f"{called}: {_one_line(error)}") from error
    spec.strippath = False  # else MuJoCo would take other files than the model seems to name
    for name in _ROOM:
        setattr(spec, name, getattr(fresh, name))
    for texture in spec.textures:
        if texture.width * texture.height > MAX_PIXELS:
            raise InvalidInputError(f"{called}: texture {texture.name!r} is too large")
    driving = (spec.actuators, spec.sensors, spec.keys, spec.tendons, spec.equalities)
    others = (spec.pairs, spec.excludes, spec.skins, spec.numerics, spec.texts, spec.tuples)
    for elements in (*driving, *others):
        for element in list(elements):
            delete(spec, element)
    return spec


def delete(spec: "mujoco.MjSpec", element: object) -> None:
    """Delete ``element`` from ``spec`` in any version of MuJoCo."""
    if hasattr(spec, "delete"):  # since MuJoCo 3.3.4
        spec.delete(element)
    else:
        element.delete()  # type: ignore[attr-defined]


def compile_model(spec: "mujoco.MjSpec", called: str) -> "mujoco.MjModel":
    """Compile ``spec``; InvalidInputError if it is invalid or its numbers are absurd."""
    try:
        model = spec.compile()
    except (ValueError, RuntimeError) as error:
        raise InvalidInputError(f"{called}: {_one_line(error)}") from error
    for name in _PLACES_AND_SIZES:
        if not (np.abs(getattr(model, name)) < LARGEST).all():
            raise InvalidInputError(f"{called}: {name} is not finite and below {LARGEST:g}")
    return model


def listed(names: Iterable[str], most: int = 12) -> str:
    """Names for an error message, at most ``most`` of them."""
    names = list(names)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return (", ".join(names[:most]) or "nothing") + more


def _xml(path: Path, called: str) -> ElementTree.Element:
    try:
        text = read_untrusted(path, _MAX_XML_BYTES).decode("utf-8-sig")
        if "<!DOCTYPE" in text:  # MuJoCo's parser skips it, so would see another model than we
            raise InvalidInputError(f"{called}: {path} has a DOCTYPE, which is not read here")
        root = ElementTree.fromstring(text)  # noqa: S314
    except OSError as error:
        raise InvalidInputError(f"{called}: {path}: {error.strerror}") from error
    except (ElementTree.ParseError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"{called}: {path} is not XML: {error}") from error
    if root.tag not in ("mujoco", "mujocoinclude"):
        raise InvalidInputError(f"{called}: {path} is not MJCF: it is a <{root.tag}>")
    return root


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
