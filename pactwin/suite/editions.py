"""Editions: suites for comparing models, fixed by seed, size, generator and content hash.

``editions.yaml`` holds them; ``tools/pin_edition.py`` writes their hashes.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import platformdirs
from pydantic import Field, JsonValue

from pactwin.suite.base import Record
from pactwin.suite.errors import InvalidInputError, unknown_name
from pactwin.suite.parsing import parse_yaml
from pactwin.suite.records import Scene, SuiteInfo

EDITIONS_FILE = Path(__file__).with_name("editions.yaml")
_DIGITS = 12


class EditionSuite(Record):
    """One suite of an edition: the ``request`` of its make command, and the result.

    ``trial_version`` is the version of the trials, None if nothing is tried. ``made_by``,
    ``packages`` and ``gl_renderer`` made the pinned suite; ``scenes`` are its sorted
    :func:`scene_digest` values. ``content_hash`` is "" before pinning.
    """

    request: dict[str, JsonValue]
    trial_version: int | None = None
    made_by: str = ""
    packages: dict[str, str] = Field(default={})
    gl_renderer: str = ""
    counts: dict[str, int] = Field(default={})
    content_hash: str = ""
    scenes: tuple[str, ...] = ()

    def options(self) -> dict[str, JsonValue]:
        """The request as command options: lists joined, size as ``WxH``."""
        joint = {"size": "x"}
        return {
            name: joint.get(name, ",").join(map(str, value)) if isinstance(value, list) else value
            for name, value in self.request.items()
        }

    def require_request(self, request: Mapping[str, JsonValue], edition: str) -> None:
        """Raise InvalidInputError that names the first option that is not the edition's."""
        for key in sorted(request.keys() | self.request.keys()):
            if request.get(key) != self.request.get(key):
                raise InvalidInputError(
                    f"edition {edition} has {key} {self.request.get(key)!r}, "
                    f"not {request.get(key)!r}: leave the option out"
                )

    def require_trials(self, scenes: Iterable[Scene], edition: str) -> None:
        """Raise InvalidInputError for scenes labelled by another version of the trials."""
        for scene in scenes:
            if scene.verdict and scene.verdict.trial_version != self.trial_version:
                raise InvalidInputError(
                    f"edition {edition} has trials of version {self.trial_version}, this pactwin "
                    f"version {scene.verdict.trial_version}: install the {self.made_by} that "
                    "pinned it, or take a newer edition"
                )

    def difference(self, info: SuiteInfo, edition: str) -> str:
        """One-line reason why the suite is not the edition's; "" if it is."""
        if info.content_hash == self.content_hash:
            return ""
        mine = {"made_by": self.made_by, "OpenGL": self.gl_renderer, **self.packages}
        theirs = {"made_by": info.made_by, "OpenGL": info.gl_renderer, **info.packages}
        changed = [
            f"{key} {theirs.get(key, 'none')} instead of {mine.get(key, 'none')}"
            for key in mine | theirs
            if mine.get(key) != theirs.get(key)
        ]
        return (
            f"not edition {edition}: content hash {info.content_hash[:_DIGITS]}, the edition's is "
            f"{self.content_hash[:_DIGITS] or 'not pinned yet'}; made with "
            + (", ".join(changed) or "the same packages and OpenGL, another processor or code")
        )


@cache
def load_editions() -> dict[str, dict[str, EditionSuite]]:
    """All editions by name, the newest last, each with its suites by make command."""
    told = parse_yaml(EDITIONS_FILE.read_bytes(), str(EDITIONS_FILE))
    return {
        name: {command: EditionSuite(**fixed) for command, fixed in told[name].items()}
        for name in sorted(told)
    }


def edition_suite(name: str, command: str) -> EditionSuite:
    """The suite of ``make COMMAND`` in an edition; InvalidInputError if there is none."""
    if name not in load_editions():
        raise unknown_name("edition", name, tuple(load_editions()))
    if command not in load_editions()[name]:
        raise unknown_name(f"suite of edition {name}", command, tuple(load_editions()[name]))
    return load_editions()[name][command]


def edition_of(content_hash: str) -> str:
    """Name of the edition with a suite of this content hash; "" if there is none."""
    return next(
        (
            name
            for name, suites in load_editions().items()
            if any(suite.content_hash == content_hash for suite in suites.values())
        ),
        "",
    )


def edition_folder(content_hash: str) -> Path:
    """Folder in the user's cache for the suite of an edition, whether or not it exists."""
    cache = Path(platformdirs.user_cache_dir("pactwin"))
    return cache / "editions" / content_hash[:32] / "suite"


def scene_digest(scene: Scene) -> str:
    """12 hex digits that identify the objects and their poses, without pictures and questions.

    Positions are rounded to 1 mm and sizes to 0.1 mm, so that it is equal on other processors.
    Scenes of a single object may differ only in their pictures, so their seed is included.
    """
    things = sorted(
        (
            item.category,
            [round(1e4 * side) for side in item.size_m],
            [round(1e3 * row[3]) for row in item.world_from_object[:3]],
        )
        for item in scene.objects
    )
    alone = scene.seed if len(things) == 1 else None
    return hashlib.sha256(json.dumps([things, alone]).encode()).hexdigest()[:_DIGITS]


def require_other_seed(request: Mapping[str, JsonValue], edition: str) -> None:
    """Raise InvalidInputError for a seed of the edition, or an unknown edition."""
    if edition not in load_editions():
        raise unknown_name("edition", edition, tuple(load_editions()))
    seeds = {suite.request["seed"] for suite in load_editions()[edition].values()}
    if request.get("seed") in seeds:
        raise InvalidInputError(
            f"--not-in {edition}: seed {request['seed']} is the edition's: give another"
        )


def require_outside(scenes: Iterable[Scene], edition: str | None = None) -> None:
    """Raise InvalidInputError that names a scene of ``edition``, or of any edition if None."""
    names = load_editions() if edition is None else (edition,)
    fixed = {
        digest: name
        for name in names
        for suite in load_editions()[name].values()
        for digest in suite.scenes
    }
    for scene in scenes:
        if name := fixed.get(scene_digest(scene)):
            raise InvalidInputError(
                f"scene {scene.id} is in edition {name}, on which models are compared: make a "
                f"suite of another seed, with --not-in {name}"
            )
