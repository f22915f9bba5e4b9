"""Make two labelled, rendered scenes with their records from a task and a seed."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from mujoco import MjSpec

from pactwin.catalogue import Procedure, tool_title
from pactwin.sim.generation.pairs.scenes import with_regions
from pactwin.sim.generation.photographs import photograph
from pactwin.sim.generation.sampling import Drawn, as_twins, blank_scenes, stream
from pactwin.sim.generation.tools.arranging import ToolTwins, arranged, drawn_tools, lies_flat
from pactwin.sim.generation.tools.places import PLACES, cameras_before
from pactwin.sim.physics.trials.fitting import IN_PLACE, TURNED, WORKS, try_tool
from pactwin.sim.rendering.draw import instance_ids, scene_model
from pactwin.sim.rendering.render import Frame, Renderer
from pactwin.sim.rendering.room import draw_appearance
from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item, Layout, Region
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import (
    Camera,
    Constraint,
    Measurement,
    Perturbations,
    Scene,
    Verdict,
    views_answering,
)

# Streams of random numbers that one pair draws from.
_TOOLS, _APPEARANCE, _CAMERAS, _IDENTITY = range(4)
_TABLE, _VERSION = "table of procedures", 1
_OTHER = "what lies there in the twin"
_PAINTS = ((0.62, 0.10, 0.09), (0.12, 0.22, 0.42), (0.30, 0.32, 0.34), (0.62, 0.48, 0.32))


def tool_pair(procedure: Procedure, place_name: str, size_px: tuple[int, int], seed: int) -> Drawn:
    """Both scenes of a task in the order drawn, and the files' bytes.

    Raises RejectedLayout if there is no room, or if no camera shows every tool of both scenes and
    the difference between the deciding ones.
    """
    place = PLACES[place_name]
    rng = stream(seed, _TOOLS)
    twins = arranged(drawn_tools(procedure, place, rng), place, rng)
    look = draw_appearance(stream(seed, _APPEARANCE))
    paint = (*_PAINTS[int(rng.integers(len(_PAINTS)))], 1.0)
    tools = (twins.deciding, *((item,) for item in twins.others))
    points = np.concatenate([item_points(item)[0] for items in tools for item in items])
    cameras = cameras_before(place, points, size_px, stream(seed, _CAMERAS))
    identity = stream(seed, _IDENTITY)
    served = (True, False)
    blank = blank_scenes(identity, 2, place_name, seed, appearance=look.record())
    known = [{"verdict": _verdict(procedure, served=one)} for one in served]

    def renderer_of(items: Sequence[Item]) -> Renderer:
        def furnish(spec: MjSpec) -> None:
            place.furnish(spec, place, paint, tools)

        model = scene_model(items, look, "none", size_px, furnish=furnish)
        return Renderer(model, instance_ids(model))

    def shown(scenes: Sequence[Scene]) -> bool:
        return bool(views_answering(scenes, tuple(obj.name for obj in scenes[0].objects)))

    scenes, files = photograph(
        blank,
        [twins.items(served=one) for one in served],
        cameras,
        renderer_of,
        lambda scene, k, frames: _with_region(scene, twins, served[k], cameras, frames),
        shown,
        (
            "a tool is too small in the pictures, or hidden",
            "what tells the look-alikes apart is not plain in the pictures",
        ),
    )
    return as_twins(scenes, identity.permutation(2).tolist(), known), files


def _verdict(procedure: Procedure, *, served: bool) -> Verdict:
    """Verdict on the tool in its place, from a trial or from the table."""
    decides = procedure.decides
    margin, agreed, run = (1.0 if served else -1.0), 0, 0
    measurements: dict[str, Measurement] = {}
    if decides.work:
        fit = try_tool(decides.tool if served else decides.instead, decides.work)
        if fit.serves != served or fit.agreed < fit.run:
            raise RejectedLayout("a trial does not decide as the table says")
        margin, agreed, run = fit.margin, fit.agreed, fit.run
        measurements["inserted"] = Measurement(
            value=fit.inserted, limit=IN_PLACE, unit="of the way"
        )
        if WORKS[decides.work].head:
            measurements["turned"] = Measurement(value=fit.turned, limit=TURNED, unit="of the turn")
    needed = (tool_title(kind) for kind in procedure.tools if kind != decides.tool)
    return Verdict(
        action=procedure.task,
        objects=(decides.both, *needed),
        feasible=served,
        constraint=Constraint.NONE,
        lacking="" if served else tool_title(decides.tool),
        trial=decides.work or _TABLE,
        trial_version=_VERSION,
        measurements=measurements,
        margin=round(margin, 4),
        perturbations=Perturbations(agreed=agreed, run=run),
    )


def _with_region(
    scene: Scene, twins: ToolTwins, served: bool, cameras: Sequence[Camera], frames: Sequence[Frame]
) -> Scene:
    """The scene with the visibility of the contour that only one twin has."""
    here, other = twins.deciding[not served], replace(twins.deciding[served], name=_OTHER)
    region = Region(here.name, unlike=other.name)
    layout = Layout((here, other), action="", critical_objects=(), regions=(region,))
    return with_regions(scene, layout, cameras, frames)


def places_for(procedure: Procedure) -> tuple[str, ...]:
    """Names of the places for the tools of a task; thick tools do not hang."""
    kinds = (*procedure.tools, procedure.decides.instead)
    flat = all(lies_flat(kind) for kind in kinds)
    return tuple(name for name, place in PLACES.items() if flat or place.straight_rad is None)
