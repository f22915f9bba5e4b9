"""Simulated twins rendered through the cameras of the table, to compare with captures. With
measured poses only the appearance differs; with simulated poses, appearance and geometry."""

from pathlib import Path
from typing import Literal

import numpy as np

from pactwin.real.verification import copied_questions, masked
from pactwin.sim import as_pose, environment_versions, photographed, rebuild_layout
from pactwin.suite import (
    InvalidInputError,
    ProgressCallback,
    Scene,
    Suite,
    SuiteInfo,
    SuiteWriter,
    opaque_id,
    silent,
)

Places = Literal["measured", "planned"]


def render_captures(
    suite: Suite,
    captured: Suite,
    out: Path | str,
    places: Places,
    gl_renderer: str,
    progress: ProgressCallback = silent,
) -> SuiteInfo:
    """Write a suite at ``out`` with the twins of ``suite`` that ``captured`` asks about.

    Their things stand where they were measured, or as planned; cameras are those of the captures.
    Raises InvalidInputError if nothing is asked about, or ``captured`` copies another suite.
    """
    if captured.info.request.get("mirror_of") != suite.info.content_hash:
        raise InvalidInputError(f"{captured.path} holds no captures of {suite.path}")
    total = captured.info.counts["pairs"]
    if not total:
        raise InvalidInputError(f"{captured.path} has no pair that counts: nothing to compare with")
    request = {"mirror_of": suite.info.content_hash, "captures": captured.info.content_hash}
    writer = SuiteWriter.open(
        out,
        name=f"rendered {places}",
        request={**request, "places": places},
        packages=environment_versions(),
        gl_renderer=gl_renderer,
    )
    with writer:
        if writer.info is not None:
            return writer.info
        originals = {scene.id: scene for scene in suite.scenes()}
        for done, twins in enumerate(captured.pairs(), start=1):
            if done > writer.units_done:
                drawn = [_drawn(scene, originals[str(scene.mirror_of)], places) for scene in twins]
                one, other = (scene for scene, _ in drawn)
                one = one.model_copy(update={"twin_id": other.id})
                other = other.model_copy(update={"twin_id": one.id})
                files = {path: data for _, made in drawn for path, data in made.items()}
                writer.add([one, other], files, {})
            progress("pairs", done, total)
        return writer.finish(copied_questions(suite))


def _drawn(scene: Scene, original: Scene, places: Places) -> tuple[Scene, dict[str, bytes]]:
    layout = rebuild_layout(original)
    # What else trials tell is asked about where it was tried again for the capture.
    tried = {"moved": scene.decided.moved, "edits": scene.decided.edits}
    verdict = original.decided.model_copy(update=tried)
    if places == "measured":
        verdict = scene.decided
        poses = {o.name: as_pose(np.array(o.world_from_object)) for o in scene.objects}
        layout = layout.replacing(*(item.at(poses[item.name]) for item in layout.items))
    key = f"{places}:{scene.id}"
    update = {"id": opaque_id(key), "mirror_of": original.id, "verdict": verdict}
    bare = original.model_copy(update=update)
    drawn, files = photographed(bare, layout, [view.camera for view in scene.views])  # type: ignore[misc]
    for view in drawn.views:
        files[view.image] = masked(files[view.image], files[str(view.mask)], view.camera, scene)
    return drawn, files
