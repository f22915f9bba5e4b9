"""Make suites that ask for all visible objects from scenes and pictures of another suite."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from pactwin.suite import ProgressCallback, Scene, Suite, SuiteError, SuiteInfo, SuiteWriter, silent
from pactwin.tasks.kinds.lists.questions import ask_for_objects


def make_recognition_suite(
    suite: Suite, out: Path | str, progress: ProgressCallback = silent
) -> SuiteInfo:
    """Write a suite with the scenes of ``suite`` and other questions.

    Scenes without a suitable view are left out (twins stay in one unit). ``progress`` counts
    scenes. Raises the errors of :meth:`SuiteWriter.open`, and SuiteError for missing pictures or if
    no scene is suitable.
    """
    if not any(_units(suite)):
        raise SuiteError(f"{suite.path}: every view shows some object too barely to be asked about")
    done, total = 0, suite.info.counts["scenes"]
    with SuiteWriter.open(
        out,
        name="recognition",
        request={"of": suite.info.content_hash},
        packages=suite.info.packages,
        gl_renderer=suite.info.gl_renderer,
    ) as writer:
        if writer.info is None:
            for number, scenes in enumerate(_units(suite)):
                if number >= writer.units_done:
                    writer.add(scenes, _files(suite, scenes), {})
                done += len(scenes)
                progress("scenes", done, total)
            progress("scenes", total, total)
            return writer.finish(lambda unit: (q for scene in unit for q in ask_for_objects(scene)))
        return writer.info


def _units(suite: Suite) -> Iterator[tuple[Scene, ...]]:
    """Units of scenes that can be asked about: adjacent twins or steps as one, others alone."""
    for _, scenes in groupby(suite.scenes(), key=_unit):
        unit = tuple(scenes)
        if any(map(ask_for_objects, unit)):
            yield unit


def _unit(scene: Scene) -> str:
    if scene.step is not None:
        return scene.step.ladder
    return min(scene.id, scene.twin_id or scene.id)


def _files(suite: Suite, scenes: tuple[Scene, ...]) -> dict[str, bytes]:
    paths = (p for s in scenes for v in s.views for p in (v.image, v.depth, v.mask))
    return {path: suite.resolve(path).read_bytes() for path in paths if path is not None}
