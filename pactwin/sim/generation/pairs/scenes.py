"""Make two labelled, rendered scenes with their records from a seed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.sim.domains.base import Domain
from pactwin.sim.generation.pairs.counterfactuals import with_counterfactuals
from pactwin.sim.generation.pairs.stored import stored
from pactwin.sim.generation.pairs.verdicts import Tried, repeated, try_twins
from pactwin.sim.generation.photographs import HIDDEN, photograph
from pactwin.sim.generation.sampling import DecidedTwins, TooSmallError, blank_scene, stream
from pactwin.sim.rendering.cameras import CAMERAS, frame_cameras, shown_px
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


@dataclass(frozen=True)
class TriedTwins(DecidedTwins):
    """Two layouts tried undisturbed with the intended results, not yet repeated."""

    tried: tuple[Tried, Tried]

    @classmethod
    def of(cls, seed: int, domain: str, tried: tuple[Tried, Tried]) -> "TriedTwins":
        """The twins of two trials, the infeasible one first."""
        one, other = tried
        layouts, verdicts = (one.case.layout, other.case.layout), (one.verdict, other.verdict)
        return cls(seed, domain, one.situation.robot, layouts, verdicts, tried)


class UnseenArmsError(RejectedLayout):
    """Reach decides, and no available camera shows the robot's arms."""


def try_layouts(
    domain: Domain,
    robot: str,
    seed: int,
    cameras: Sequence[str] = CAMERAS,
    size_px: tuple[int, int] = (640, 480),
) -> TriedTwins:
    """Draw twin layouts from ``seed`` and try both unperturbed; raises RejectedLayout.

    UnseenArmsError if reach decides and none of ``cameras`` can show the arms, TooSmallError if
    their pictures of (width, height) are too small.
    """
    twins = domain.propose(layout_rng(seed), robot)
    if not _able((twins.infeasible, twins.feasible), cameras):
        raise UnseenArmsError(f"camera 'head' alone does not show how far {robot!r} reaches")
    layouts = twins.infeasible, twins.feasible
    check_size(layouts, robot, seed, cameras, size_px)
    tried = try_twins(twins.action, layouts, twins.constraint, robot, noise_seed(seed))
    return TriedTwins.of(seed, domain.name, tried)


def check_size(
    layouts: Sequence[Layout],
    robot: str,
    seed: int,
    cameras: Sequence[str],
    size_px: tuple[int, int],
) -> None:
    """Raise TooSmallError if what decides covers too few pixels, even with nothing in front of it.

    RejectedLayout if other things seem to hide most of it.

    Pictures of (width, height) that are high enough are not looked at.
    """
    if size_px[1] >= _HIGH_PX:
        return
    decide, able = layouts[0].critical_objects, _able(layouts, cameras)
    rigs = frame_cameras(layouts, cameras, size_px, stream(seed, _CAMERAS), robot)
    covered = sorted(
        min(silhouette_px(layout.item(name), camera) for layout in layouts for name in decide)
        for camera in rigs
    )
    needed = min(_MIN_VIEWS, len(able))
    most = covered[-needed]
    if most < _CERTAINLY * MIN_PIXELS:
        raise TooSmallError(size_px[1] * np.sqrt(MIN_PIXELS / max(most, 1.0)))
    seen = sum(shown_px(layouts, c) > _ABOUT * MIN_PIXELS for c in rigs if c.name in able)
    if seen < needed:
        raise RejectedLayout(HIDDEN)


def label(twins: TriedTwins, *, repairs: bool = False) -> tuple[Verdict, Verdict]:
    """Verdicts on both twins, with their counterfactuals; raises RejectedLayout.

    With ``repairs``, changes of the layouts are tried too.
    """
    infeasible, feasible = map(repeated, twins.tried)
    return with_counterfactuals(
        twins.tried[0].case.action,
        twins.layouts,
        (infeasible, feasible),
        twins.robot,
        stream(twins.seed, _EDITS),
        repairs=repairs,
    )


def labelled(
    twins: TriedTwins, scenes: tuple[Scene, Scene], *, repairs: bool = False
) -> tuple[Scene, Scene]:
    """The scenes of both twins, in any order, with their verdicts; raises RejectedLayout."""
    verdicts, cases = label(twins, repairs=repairs), (tried.case for tried in twins.tried)
    final = {
        verdict.feasible: {"verdict": verdict, "layout": stored(case.action, case.layout)}
        for verdict, case in zip(verdicts, cases, strict=True)
    }
    one, other = (scene.model_copy(update=final[scene.decided.feasible]) for scene in scenes)
    return one, other


def with_regions(
    scene: Scene, layout: Layout, cameras: Sequence[Camera], frames: Sequence[Frame]
) -> Scene:
    """The scene with the visibility of the regions that each picture must show."""
    names = sorted(item.name for item in layout.items)
    views = []
    for view, camera, frame in zip(scene.views, cameras, frames, strict=True):
        regions = {
            region.name: region_visibility(
                layout, region, camera, frame, names.index(region.item) + 1
            )
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


def render_pair(
    twins: DecidedTwins,
    cameras: tuple[str, ...],
    size_px: tuple[int, int],
    room: str = "study",
) -> tuple[tuple[Scene, Scene], dict[str, bytes]]:
    """Render all views of both twins; returns the scenes in the order drawn and the files' bytes.

    The verdicts are those of ``twins``. Raises the errors of :func:`render_alike`.
    """
    scenes, files, order = render_alike(
        twins.layouts, twins.robot, twins.domain, twins.seed, cameras, size_px, room
    )
    ids = [scene.id for scene in scenes]
    pair = [
        scene.model_copy(update={"twin_id": ids[1 - k], "verdict": twins.verdicts[k]})
        for k, scene in enumerate(scenes)
    ]
    return (pair[order[0]], pair[order[1]]), files


def render_alike(
    layouts: Sequence[Layout],
    robot: str,
    domain: str,
    seed: int,
    cameras: tuple[str, ...],
    size_px: tuple[int, int],
    room: str = "study",
) -> tuple[list[Scene], dict[str, bytes], list[int]]:
    """Render all views of ``layouts``, which share room, light and cameras.

    Returns the scenes without verdicts, the files' bytes, and a random order of the scenes. Raises
    RejectedLayout if fewer than two cameras (or all possible ones) show what decides in all
    layouts, InvalidInputError if no camera ever could.
    """
    able = _able(layouts, cameras)
    if not able:
        raise unseen_arms(domain)
    look = draw_appearance(stream(seed, APPEARANCE), room)
    rigs = frame_cameras(layouts, cameras, size_px, stream(seed, _CAMERAS), robot)
    identity = stream(seed, _IDENTITY)
    blank = [
        blank_scene(identity.bytes(8).hex(), domain, seed, robot, appearance=look.record())
        for _ in layouts
    ]
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
