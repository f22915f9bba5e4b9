"""Record an episode in 3D over time for the Rerun viewer (optional package)."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pactwin.sim.episodes.interface import PERIOD_S
from pactwin.sim.episodes.simulation import State
from pactwin.sim.episodes.video import EVERY
from pactwin.sim.scene.layout import Item
from pactwin.suite import EnvironmentFaultError, needs


def write_recording(path: Path, items: Sequence[Item], moments: Sequence[State]) -> None:
    """Write boxes of ``items`` and the arms' joint angles over time as .rrd.

    Raises EnvironmentFaultError if Rerun is not installed, or cannot write there.
    """
    with needs("a recording needs Rerun", "view"):
        import rerun as rr
    recording = rr.RecordingStream("pactwin")
    try:
        recording.save(str(path))
    except (OSError, RuntimeError) as error:
        raise EnvironmentFaultError(f"{path}: Rerun cannot write there: {error}") from error
    recording.log("table", rr.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
    for item in items:
        color = [round(255 * value) for value in item.rgba[:3]]
        half = np.array(item.size_m) / 2
        box = rr.Boxes3D(half_sizes=[half], colors=[color], labels=[item.name])
        recording.log(["table", "objects", item.name], box, static=True)
    for k in range(0, len(moments), EVERY):
        recording.set_time("episode", duration=k * PERIOD_S)
        moment = moments[k]
        for item, pose in zip(items, moment.poses, strict=True):
            w, *xyz = pose.quat
            there = rr.Transform3D(translation=pose.pos, rotation=rr.Quaternion(xyzw=[*xyz, w]))
            recording.log(["table", "objects", item.name], there)
        for joint, angle in moment.joints_rad.items():
            recording.log(["joints", joint], rr.Scalars(angle))
    recording.flush()
