"""Locate models of MuJoCo Menagerie on this machine; nothing is downloaded."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from pactwin.suite import InvalidInputError

_SCHEME = "menagerie:"


def find_model(model: str) -> Path:
    """The file of ``--robot-model``: a path, or ``menagerie:FOLDER/FILE``.

    A ``menagerie:`` model is searched in a checkout that MENAGERIE_ROOT names, and in the caches of
    the packages mujoco-menagerie (MENAGERIE_CACHE_DIR) and robot_descriptions
    (ROBOT_DESCRIPTIONS_CACHE). Raises InvalidInputError if there is no such file, or several
    versions of it.
    """
    if not model.startswith(_SCHEME):
        if not Path(model).is_file():
            raise InvalidInputError(f"robot model {model} is not a file")
        return Path(model).absolute()
    folder, _, file = model.removeprefix(_SCHEME).partition("/")
    if not folder or not file or ".." in Path(folder, file).parts:
        raise InvalidInputError(f"robot model {model!r}: write {_SCHEME}unitree_g1/g1.xml")
    for place, folders in _places(folder):
        found = [path / file for path in folders if (path / file).is_file()]
        if len(found) > 1:
            raise InvalidInputError(
                f"{place} has {len(found)} versions of {folder}: "
                f"give the path of one, as {found[0]}"
            )
        if found:
            return found[0].absolute()
    places = ", ".join(str(place) for place, _ in _places(folder))
    raise InvalidInputError(
        f"robot model {model!r} is not in {places}: set MENAGERIE_ROOT to a checkout"
    )


def _places(folder: str) -> Iterator[tuple[Path, list[Path]]]:
    """Where to look, in order: the place as a user knows it, and folders of that name in it."""
    if root := os.environ.get("MENAGERIE_ROOT"):
        yield Path(root), [Path(root) / folder]
    cache = Path(os.environ.get("MENAGERIE_CACHE_DIR") or _user_cache() / "mujoco_menagerie")
    # There a model's folder ends with the first digits of its version, and with a mark once whole.
    versions = sorted((cache / "models").glob(f"{folder}-*"))
    yield cache, [path for path in versions if (path / ".complete").is_file()]
    clones = os.environ.get("ROBOT_DESCRIPTIONS_CACHE", "~/.cache/robot_descriptions")
    clone = Path(clones).expanduser() / "mujoco_menagerie"
    yield clone, [clone / folder]


def _user_cache() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
