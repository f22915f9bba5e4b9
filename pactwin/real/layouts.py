"""Layouts: what goes where in each scene of a suite, written once where there is a simulator.

With them a session runs on a computer that has none, such as the robot's own.
"""

from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from pactwin.sim import Layout
from pactwin.suite import (
    EnvironmentFaultError,
    InvalidInputError,
    Suite,
    SuiteError,
    first_fault,
    read_untrusted,
    write_file,
)

_MAX_BYTES = 2**24
_LAYOUTS = TypeAdapter(Layout)


@dataclass(frozen=True)
class Layouts:
    """The layouts in ``folder``, a file for each scene."""

    folder: Path

    def layout(self, scene_id: str) -> Layout:
        """Of one scene; SuiteError if its file is missing or damaged."""
        path = self.folder / f"{scene_id}.json"
        try:
            return _LAYOUTS.validate_json(read_untrusted(path, _MAX_BYTES))
        except OSError as error:
            raise SuiteError(f"{path}: {error.strerror}") from error
        except ValueError as error:
            raise SuiteError(f"{path}: {first_fault(error)}") from error


def layouts_of(
    suite: Suite, folder: Path, robot_model: str | None = None, mapping: Path | None = None
) -> Layouts:
    """The plans of a suite in ``folder``; what is missing is written, by a process of its own.

    Raises SuiteError as :func:`pactwin.sim.rebuild_layout` does, EnvironmentFaultError if plans are
    missing and there is no simulator.
    """
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    wanted = [scene.id for twins in suite.pairs() for scene in twins]
    if missing := [name for name in wanted if not (folder / f"{name}.json").exists()]:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            write = process.submit(_write, suite.path, folder, missing, robot_model, mapping)
            try:
                write.result()
            except ImportError as error:
                raise EnvironmentFaultError(
                    f"{folder} lacks the plans of {len(missing)} scenes, and there is no simulator "
                    f"to draw them ({error}): run pactwin mirror session --prepare on a computer "
                    "that has one, and bring its folder"
                ) from error
    return Layouts(folder)


def _write(
    suite: Path, folder: Path, wanted: list[str], robot_model: str | None, mapping: Path | None
) -> None:
    from pactwin.sim import load_robot_model, rebuild_layout

    if robot_model is not None:
        load_robot_model(robot_model, mapping)
    opened = Suite.open(suite)
    folder.mkdir(parents=True, exist_ok=True)
    for name in wanted:
        layout = rebuild_layout(opened.scene(name))
        if any(part.mesh_file for item in layout.items for part in item.parts):
            raise InvalidInputError(f"scene {name} has scanned things, which nobody can print")
        write_file(folder / f"{name}.json", _LAYOUTS.dump_json(layout).decode())
