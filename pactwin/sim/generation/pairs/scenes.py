"""Make two labelled, rendered scenes with their records from a seed."""

from collections.abc import Sequence

import numpy as np

from pactwin.sim.domains.base import Domain
from pactwin.sim.generation.configs import ConstraintSuiteConfig, RobotSuiteConfig
from pactwin.sim.generation.pairs.counterfactuals import with_counterfactuals
from pactwin.sim.generation.pairs.stored import stored
from pactwin.sim.generation.pairs.verdicts import Tried, repeated, try_twins
from pactwin.sim.generation.photographs import HIDDEN, photograph
from pactwin.sim.generation.sampling import (
    Drawn,
    TooSmallError,
    as_twins,
    blank_scenes,
    stream,
)
from pactwin.sim.rendering.cameras import frame_cameras, shown_px
from pactwin.sim.rendering.regions import ARM, arm_visibility, region_visibility
from pactwin.sim.rendering.render import Frame, scene_renderer
from pactwin.sim.rendering.room import draw_appearance
from pactwin.sim.rendering.silhouette import silhouette_px
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import (
    MIN_PIXELS,
    Camera,
    InvalidInputError,
    Scene,
    Verdict,
    views_answering,
)

# Streams of random numbers that one pair draws from, so that none depends on what another used.
_LAYOUT, APPEARANCE, _CAMERAS, _IDENTITY, _NOISE, _EDITS = range(6)
_MIN_VIEWS = 2
# In pictures as high as this what decides is nearly always large enough; masks have this share of
# a silhouette's area at least.
_HIGH_PX, _CERTAINLY = 400, 0.95
# What of it other things hide is estimated roughly: where less than this is left, it is hidden.
_ABOUT = 0.8


def layout_rng(seed: int) -> np.random.Generator:
    """Random generator of a pair's layouts."""
    return stream(seed, _LAYOUT)


def noise_seed(seed: int) -> int:
    """Seed of all noise in a pair's trials."""
    return int(stream(seed, _NOISE).integers(2**62))


class UnseenArmsError(RejectedLayout):
    """Reach decides, and no available camera shows the robot's arms."""


def try_layouts(request: RobotSuiteConfig, domain: Domain, seed: int) -> tuple[Tried, Tried]:
    """Draw twin layouts from ``seed`` and try both unperturbed; raises RejectedLayout.

    UnseenArmsError if reach decides and none of the cameras can show the arms, TooSmallError if
    their pictures are too small.
    """
    robot = request.robot
    twins = domain.propose(layout_rng(seed), robot)
    layouts = twins.infeasible, twins.feasible
    if not _able(layouts, request.cameras):
        raise UnseenArmsError(f"camera 'head' alone does not show how far {robot!r} reaches")
    check_size(request, layouts, seed)
    return try_twins(twins.action, layouts, twins.constraint, robot, noise_seed(seed))


def check_size(request: RobotSuiteConfig, layouts: Sequence[Layout], seed: int) -> None:
    """Raise TooSmallError if what decides covers too few pixels, even with nothing in front of it.

    RejectedLayout if other things seem to hide most of it. Pictures that are high enough are not
    looked at.
    """
    if request.height_px >= _HIGH_PX:
        return
    decide, able = layouts[0].critical_objects, _able(layouts, request.cameras)
    rigs = _rigs(request, layouts, seed)
    covered = sorted(
        min(silhouette_px(layout.item(name), camera) for layout in layouts for name in decide)
        for camera in rigs
    )
    needed = min(_MIN_VIEWS, len(able))
    most = covered[-needed]
    if most < _CERTAINLY * MIN_PIXELS:
        raise TooSmallError(request.height_px * np.sqrt(MIN_PIXELS / max(most, 1.0)))
    seen = sum(shown_px(layouts, c) > _ABOUT * MIN_PIXELS for c in rigs if c.name in able)
    if seen < needed:
        raise RejectedLayout(HIDDEN)


def label(
    twins: tuple[Tried, Tried], seed: int, *, repairs: bool = False
) -> tuple[Verdict, Verdict]:
    """Verdicts on both twins, with their counterfactuals; raises RejectedLayout.

    With ``repairs``, changes of the layouts are tried too.
    """
    infeasible, feasible = map(repeated, twins)
    case, other = (tried.case for tried in twins)
    return with_counterfactuals(
        case.action,
        (case.layout, other.layout),
        (infeasible, feasible),
        case.robot,
        stream(seed, _EDITS),
        repairs=repairs,
    )


def labelled_pair(
    request: ConstraintSuiteConfig, twins: tuple[Tried, Tried], domain: str, seed: int
) -> Drawn:
    """Render and label both twins; the scenes are in the order drawn.

    Raises the errors of :func:`render_alike` and :func:`label`.
    """
    cases = [tried.case for tried in twins]
    layouts = [case.layout for case in cases]
    scenes, files, order = render_alike(request, layouts, domain, seed)
    known = [
        {"verdict": verdict, "layout": stored(case.action, case.layout)}
        for verdict, case in zip(label(twins, seed, repairs=request.repairs), cases, strict=True)
    ]
    return as_twins(scenes, order, known), files


def with_regions(
    scene: Scene, layout: Layout, cameras: Sequence[Camera], frames: Sequence[Frame]
) -> Scene:
    """The scene with the visibility of the regions that each picture must show."""
    numbers = {obj.name: obj.instance_id for obj in scene.objects}
    views = []
    for view, camera, frame in zip(scene.views, cameras, frames, strict=True):
        regions = {
            region.name: region_visibility(layout, region, camera, frame, numbers[region.item])
            for region in layout.must_show
        }
        if layout.by_reach:
            regions[ARM] = arm_visibility(scene.robot, camera, frame)
        views.append(view.model_copy(update={"regions": regions}))
    return scene.model_copy(update={"views": tuple(views)})


def unseen_arms(domain: str) -> InvalidInputError:
    """Error message for a domain decided by reach alone, if no camera shows the arms."""
    return InvalidInputError(
        f"domain {domain!r} asks how far the robot reaches, which camera 'head' does not "
        "show: add one with --cameras, or leave the domain out with --domains"
    )


def _able(layouts: Sequence[Layout], cameras: Sequence[str]) -> list[str]:
    """The ``cameras`` that can show what decides; the head camera does not see the arms."""
    by_reach = any(layout.by_reach for layout in layouts)
    return [name for name in cameras if not by_reach or name != "head"]


def _rigs(request: RobotSuiteConfig, layouts: Sequence[Layout], seed: int) -> list[Camera]:
    """The cameras of all ``layouts``."""
    names, rng = request.cameras, stream(seed, _CAMERAS)
    return frame_cameras(layouts, names, request.size_px, rng, request.robot)


def render_alike(
    request: RobotSuiteConfig, layouts: Sequence[Layout], domain: str, seed: int
) -> tuple[tuple[Scene, ...], dict[str, bytes], list[int]]:
    """Render all views of ``layouts``, which share room, light and cameras.

    Returns the scenes without verdicts, the files' bytes, and a random order of the scenes. Raises
    RejectedLayout if fewer than two cameras (or all possible ones) show what decides in all
    layouts, InvalidInputError if no camera ever could.
    """
    robot, able = request.robot, _able(layouts, request.cameras)
    if not able:
        raise unseen_arms(domain)
    look = draw_appearance(stream(seed, APPEARANCE), request.room)
    rigs = _rigs(request, layouts, seed)
    identity = stream(seed, _IDENTITY)
    blank = blank_scenes(identity, len(layouts), domain, seed, robot, appearance=look.record())
    decide, least = layouts[0].critical_objects, min(_MIN_VIEWS, len(able))
    scenes, files = photograph(
        blank,
        [sorted(layout.items, key=lambda item: item.name) for layout in layouts],
        rigs,
        lambda items: scene_renderer(items, look, robot, rigs),
        lambda scene, k, frames: with_regions(scene, layouts[k], rigs, frames),
        lambda scenes: len(views_answering(scenes, decide)) >= least,
    )
    return scenes, files, identity.permutation(len(layouts)).tolist()
