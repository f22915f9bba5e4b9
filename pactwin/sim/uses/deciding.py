"""Decide labels of uses from rollouts with every end of every object, with and without noise.

An object serves if the task succeeds with its best candidate pose. A label is kept only if that
pose gives the same result under every perturbation, with the pose noise of a retrial and with more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pactwin.sim.physics.perturbation import Perturbation, perturbations
from pactwin.sim.physics.trials.using import DONE, HALF, NOT_DONE
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.sim.uses.base import PlayedTask, Rollout, UseWorld
from pactwin.sim.uses.things import along_x, ends, turned
from pactwin.suite import WHOLE, Measurement

NOISE_SCALES = 2.0, 1.0
"""Factors of a retrial's pose noise that a label must withstand.

Twice the noise finds rare failures. The single one finds what only that lets happen: something that
slips through a gap, which twice the noise stops.
"""


@dataclass(frozen=True)
class Tried:
    """Result of one end of an object in the best pose, and of its perturbed repetitions.

    ``way`` is None if the use has no candidate pose. ``least_clear`` is the share, of all
    repetitions, that is nearest to half of the task.
    """

    way: Item | None
    share: float
    measurements: dict[str, Measurement]
    least_clear: float
    run: int = 0

    @property
    def serves(self) -> bool:
        """Return whether the task was done."""
        return self.share >= HALF

    @property
    def margin(self) -> float:
        """Signed distance from half of the task in the least clear repetition; 1 if done."""
        return round((self.least_clear - HALF) / (DONE - HALF), 4)


def parts_of(use: PlayedTask, thing: Item) -> dict[str, bool]:
    """Parts of an object that may do the work, and whether each is its front end."""
    return ends(along_x(thing)) if use.by_end else {WHOLE: True}


def try_once(use: PlayedTask, thing: Item, part: str) -> Tried:
    """Simulate ``use`` with one part of an object; raises RejectedLayout if only half done."""
    found = best_way(use, thing, part)
    if found is None:  # no room: whether a disturbed one finds some is tried, too
        return Tried(next(_ways(use, thing, part), None), 0.0, {}, 0.0)
    way, played = found
    if NOT_DONE < played.share < DONE:
        raise RejectedLayout("half done")
    return Tried(way, played.share, played.measurements, played.share)


def repeated(
    use: PlayedTask, tried: Tried, disturbed: Sequence[Perturbation], *, clearly: bool = True
) -> Tried:
    """``tried`` with its repetitions; raises RejectedLayout if one of them disagrees.

    For new labels each result must be ``clearly`` decided; in a retrial, on the same side of one
    half.
    """
    if tried.way is None:  # nothing can be disturbed
        return tried
    shares = [tried.share]
    for perturbation in disturbed:
        share = (play(use, tried.way, perturbation) or Rollout(0.0)).share
        unclear = clearly and NOT_DONE < share < DONE
        if unclear or (share >= HALF) != tried.serves:
            raise RejectedLayout(f"flips under {perturbation.name}")
        shares.append(share)
    least_clear = min(shares, key=lambda share: abs(share - HALF))
    return replace(tried, least_clear=least_clear, run=len(disturbed))


def disturbances(seed: int, *noise_scales: float) -> tuple[Perturbation, ...]:
    """Perturbations of every trial with each scale of pose noise, drawn from ``seed``."""
    runs: list[Perturbation] = []
    for scale in noise_scales:
        runs += perturbations(seed + len(runs), scale)
    return tuple(sorted(runs, key=lambda perturbation: perturbation.pose_noise_m == 0.0))


def best_way(use: PlayedTask, thing: Item, part: str) -> tuple[Item, Rollout] | None:
    """Initial pose that achieves the largest share, and the share; None if none has room."""
    best: tuple[Item, Rollout] | None = None
    for way in _ways(use, thing, part):
        played = play(use, way, Perturbation())
        if played is not None and (best is None or played.share > best[1].share):
            best = way, played
            if played.share >= DONE:
                break
    return best


def play(use: PlayedTask, way: Item, perturbation: Perturbation) -> Rollout | None:
    """One rollout with an object from its initial pose; None if it has no room there."""
    world = UseWorld(use, way, perturbation)
    return None if world.overlaps else use.rollout(world, way)


def _ways(use: PlayedTask, thing: Item, part: str) -> Iterator[Item]:
    """Poses in which a hand may hold the thing with this part as its front end."""
    return use.candidates(turned(along_x(thing), front=parts_of(use, thing)[part]))
