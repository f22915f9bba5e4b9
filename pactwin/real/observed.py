"""A robot's observation at the rig as a suite of one scene, for asking a model at once.

Nobody measured where things stand, so the scene counts in no comparison with simulation.
"""

from pathlib import Path
from typing import Literal

from pactwin.hardware import Rig
from pactwin.real.captures import png_bytes
from pactwin.real.robot import RigObservation
from pactwin.suite import (
    CaptureRecord,
    Suite,
    SuiteWriter,
    UnknownCamera,
    View,
    Visibility,
    opaque_id,
    unknown_name,
    view_paths,
)

_UNMEASURED = "asked about at once: nobody measured where things stand"


def write_observed(
    suite: Suite,
    scene_id: str,
    seen: RigObservation,
    camera: str,
    rig: Rig,
    out: Path,
) -> str:
    """Write what ``camera`` saw of a scene of ``suite`` to the new suite ``out``; returns its id.

    The question is that of the simulated scene, and so is the truth. Raises InvalidInputError for a
    camera that is not the rig's.
    """
    frame_set = seen.frame_set
    if camera not in frame_set.frames:
        raise unknown_name("camera", camera, list(frame_set.frames))
    source: Literal["real", "rehearsal"] = "real" if rig.rehearsal is None else "rehearsal"
    planned, frame = suite.scene(scene_id), frame_set.frames[camera]
    names = [thing.name for thing in planned.objects]
    shown = {view.camera.name: view.visibility for view in planned.views}
    new_id = opaque_id(f"{source}:{suite.info.content_hash}:{scene_id}:observed")
    image, _, _ = view_paths(new_id, camera)
    height, width = frame.color.shape[:2]
    view = View(
        camera=UnknownCamera(name=camera, width_px=width, height_px=height),
        image=image,
        visibility=shown.get(camera, dict.fromkeys(names, Visibility(pixels=0, fraction=0.0))),
        captured_at_ns=frame.captured_at_ns,
    )
    state = CaptureRecord(
        calibration="",
        skew_ms=frame_set.skew_ms,
        state_age_ms=frame_set.state_age_ms,
        clock_offset_ms=frame_set.state.offset_ns / 1e6,
        mode_machine=frame_set.state.mode_machine,
        joints_rad=frame_set.state.q_rad,
        placement={},
        unverified=_UNMEASURED,
    )
    scene = planned.model_copy(
        update={
            "id": new_id,
            "source": source,
            "twin_id": None,
            "mirror_of": scene_id,
            "views": (view,),
            "capture": state,
        }
    )
    writer = SuiteWriter.open(
        out,
        name=source,
        request={"source": source, "observed": scene_id, "mirror_of": suite.info.content_hash},
    )
    with writer:
        writer.add([scene], {image: png_bytes(frame.color)}, {})
        asked = [
            question.model_copy(
                update={"id": opaque_id(f"{new_id}:{question.form}")}
                | {"scene_id": new_id, "views": (camera,)}
            )
            for question in suite.questions()
            if question.scene_id == scene_id and question.form == "yes_no"
        ]
        writer.finish(lambda scenes: asked)
    return new_id
