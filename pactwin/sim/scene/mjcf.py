"""MuJoCo models that strangers wrote, of robots and of objects: what of them is let in.

MuJoCo reads them and nothing of them is ever run. Before it does, the files they name are found
and held to their folder, and elements of which one line stands for any number of bodies or any
amount of memory are refused. After it did, numbers that are none, or absurd, are.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np

from pactwin.suite import InvalidInputError, read_untrusted

if TYPE_CHECKING:
    import mujoco

LARGEST = 1e5
"""No place (m), size (m), mass (kg) or inertia (kg m2) here is larger."""

_MAX_XML_BYTES = 16 * 2**20
# MuJoCo lets NaN pass.
_PLACES_AND_SIZES = (
    *("body_pos", "body_quat", "body_mass", "body_inertia", "jnt_pos", "jnt_axis"),
    *("geom_pos", "geom_quat", "geom_size", "mesh_vert", "site_pos", "cam_pos"),
    *("geom_rgba", "mat_rgba"),
)
# Elements that may name files.
_MAY_NAME_FILES = {"include", "mesh", "texture", "skin"}
# One line of the first three stands for any number of bodies and geoms, of the last for any amount
# of memory: nothing that a robot's arm or a thing on a table is made of.
_MULTIPLYING = {"replicate", "composite", "flexcomp", "hfield"}
# Room that MuJoCo would set aside because a model says so.
_ROOM = (
    *("memory", "nuserdata", "nuser_body", "nuser_jnt", "nuser_geom", "nuser_site", "nuser_cam"),
    *("nuser_tendon", "nuser_actuator", "nuser_sensor"),
)


def named_files(model: Path, called: str, around: Path) -> Iterator[Path]:
    """The model's own file, those it includes, and its meshes, each once.

    Raises InvalidInputError, beginning with ``called``, if one is missing, lies outside ``around``
    by its path, or is not what is read here.
    """
    # MuJoCo looks for what is included, however deep, beside the model itself.
    seen: dict[Path, None] = {}
    meshes: dict[str, None] = {}
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
            if element.tag in _MULTIPLYING:
                raise InvalidInputError(f"{called}: <{element.tag}> is not read here")
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
    yield from seen
    for named in meshes:
        yield beside(model, os.path.join(folder, named), called, around)  # noqa: PTH118 (an absolute one wins)


def beside(model: Path, named: str, called: str, around: Path) -> Path:
    """The file that ``model`` names; InvalidInputError if it is missing or not in ``around``."""
    path = Path(os.path.normpath(model.parent / named))
    if not path.absolute().is_relative_to(around):
        raise InvalidInputError(f"{called}: {named} lies outside of {around}")
    if not path.is_file():
        there = sorted(file.name for file in path.parent.glob("*")) if path.parent.is_dir() else []
        raise InvalidInputError(f"{called}: {named} is missing; {path.parent} has {listed(there)}")
    return path


def read_model(model: Path, called: str) -> "mujoco.MjSpec":
    """A model whose :func:`named_files` are as they should be; InvalidInputError otherwise."""
    import mujoco

    fresh = mujoco.MjSpec()
    try:
        spec = mujoco.MjSpec.from_file(str(model))
    except ValueError as error:
        raise InvalidInputError(f"{called}: {_one_line(error)}") from error
    spec.strippath = False  # else MuJoCo would take other files than the model seems to name
    for name in _ROOM:
        setattr(spec, name, getattr(fresh, name))
    return spec


def compile_model(spec: "mujoco.MjSpec", called: str) -> "mujoco.MjModel":
    """The model that ``spec`` describes; InvalidInputError if it is none, or its numbers absurd."""
    try:
        model = spec.compile()
    except (ValueError, RuntimeError) as error:
        raise InvalidInputError(f"{called}: {_one_line(error)}") from error
    for name in _PLACES_AND_SIZES:
        if not (np.abs(getattr(model, name)) < LARGEST).all():
            raise InvalidInputError(f"{called}: {name} is not finite and below {LARGEST:g}")
    return model


def listed(names: Iterable[str], most: int = 12) -> str:
    """Names for an error message, the first ``most`` of them."""
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
