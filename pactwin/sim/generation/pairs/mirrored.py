"""Captured scenes: tried and rendered again with the measured poses."""

from collections.abc import Sequence

from pactwin.sim.generation.pairs.counterfactuals import edits_again, moved_by_taking
from pactwin.sim.generation.pairs.retrial import rebuild
from pactwin.sim.generation.pairs.scenes import APPEARANCE, noise_seed, with_regions
from pactwin.sim.generation.pairs.stored import restored, stored
from pactwin.sim.generation.pairs.verdicts import Case, decide, prevented_by
from pactwin.sim.generation.photographs import photograph
from pactwin.sim.generation.sampling import stream
from pactwin.sim.physics.perturbation import undisturbed
from pactwin.sim.preconditions.settled_scene import SettledScene
from pactwin.sim.rendering.render import scene_renderer
from pactwin.sim.rendering.room import appearance_of, draw_appearance
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Camera, Constraint, Scene, Verdict


def verdict_on(scene: Scene, layout: Layout) -> Verdict:
    """Verdict on a simulated scene with its objects at the poses of ``layout``.

    Raises RejectedLayout with the reason unless it equals the scene's verdict: same causes, the
    margin of labels, and agreement of every perturbed repetition.
    """
    action, _ = rebuild(scene)
    known = scene.decided
    same = (name for name, c in known.checks.items() if c.measurements == known.measurements)
    noise, deciding = noise_seed(scene.seed), next(same, "")
    case = Case(action, layout, known.constraint, scene.robot, noise, deciding=deciding)
    verdict = decide(case)
    holds = [{name: c.constraint for name, c in v.checks.items()} for v in (verdict, known)]
    if holds[0] != holds[1]:
        raise RejectedLayout(f"{case.side}: other causes")
    return verdict


def counterfactuals_agree(
    twins: tuple[Scene, Scene], layouts: tuple[Layout, Layout]
) -> tuple[bool, bool]:
    """Return whether counterfactual trials (motions and edits) agree for the poses of ``layouts``.

    Also False if the twins' own trials could not decide.
    """
    pairs = sorted(zip(twins, layouts, strict=True), key=lambda pair: pair[0].decided.feasible)
    (blocked, there), (free, other) = pairs
    noise = noise_seed(blocked.seed)
    moves = all(
        scene.decided.moved is not None
        and moved_by_taking(layout, scene.robot, noise) == scene.decided.moved
        for scene, layout in pairs
    )
    known = blocked.decided.edits, free.decided.edits
    if not known[0]:
        return moves, False
    texts = [edit.text for edit in known[0]]
    found = edits_again(rebuild(blocked)[0], (there, other), blocked.robot, texts)
    return moves, found == known


def carried_out(scene: Scene, layout: Layout) -> Constraint | None:
    """The constraint that prevents a scene's action in ``layout``, tried once.

    The first constraint found; ``none`` if the action is feasible, None if undecided.
    """
    noise = undisturbed(noise_seed(scene.seed))
    return prevented_by(rebuild(scene)[0], SettledScene(layout, noise, scene.robot))


def photographed(
    scene: Scene, layout: Layout, cameras: Sequence[Camera]
) -> tuple[Scene, dict[str, bytes]]:
    """Render ``scene`` with the objects of ``layout`` through ``cameras``; the files' bytes.

    Room and light are the scene's. Lens distortion is left out. Region visibility is included if
    everything named in the scene's trial is present.
    """
    items = sorted(layout.items, key=lambda item: item.name)
    if scene.appearance:
        look = appearance_of(scene.appearance)
    else:  # of a captured scene, whose own room is not known
        look = draw_appearance(stream(scene.seed, APPEARANCE))
    regions = {item.name for item in items} >= {region.item for region in layout.must_show}
    (drawn,), files = photograph(
        [scene],
        [items],
        cameras,
        lambda items: scene_renderer(items, look, scene.robot, cameras),
        lambda drawn, _, frames: with_regions(drawn, layout, cameras, frames) if regions else drawn,
    )
    there = stored(restored(scene)[0], layout) if scene.layout else ""
    return drawn.model_copy(update={"layout": there}), files
