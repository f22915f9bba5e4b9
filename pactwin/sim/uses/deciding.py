"""From playing a use to a label: with every thing, by every end, undisturbed and disturbed.

A thing serves if the best of the ways in which a hand may bring it there does the task; a label is
kept only if that way, disturbed, comes out the same each time.
"""

from dataclasses import dataclass, replace

from pactwin.sim.physics.perturbation import Perturbation, perturbations
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.sim.uses.base import DONE, HALF, NOT_DONE, Played, Poses, Use, UseWorld
from pactwin.sim.uses.things import along_x, ends, turned
from pactwin.suite import WHOLE, Measurement

LEAST_MARGIN = 0.4
"""What is nearer to its limit than this is not decided."""


@dataclass(frozen=True)
class Tried:
    """What came of one end of a thing, by the best way, and of its disturbed repetitions."""

    share: float
    measurements: dict[str, Measurement]
    agreed: int
    run: int

    @property
    def serves(self) -> bool:
        """Whether the task was done."""
        return self.share >= HALF

    @property
    def margin(self) -> float:
        """Signed distance to half of the task; 1 where it is done, or nothing of it is."""
        return round((self.share - HALF) / (DONE - HALF), 4)


def parts_of(use: Use, thing: Item) -> dict[str, bool]:
    """The parts of a thing that may do the work, and whether each is its front end."""
    return ends(along_x(thing)) if use.by_end else {WHOLE: True}


def try_part(use: Use, thing: Item, part: str, seed: int, runs: int | None = None) -> Tried:
    """Play ``use`` with one part of a thing; raises RejectedLayout where that is not decided.

    ``seed`` feeds the pose noise. Of the disturbed repetitions the first ``runs`` are made.
    """
    found = best_way(use, thing, part)
    if found is None:  # no room for it: nothing can be disturbed
        return Tried(0.0, {}, 0, 0)
    way, played = found
    if NOT_DONE < played.share < DONE:
        raise RejectedLayout("half done")
    nominal = Tried(played.share, played.measurements, 0, 0)
    disturbed = perturbations(seed)[:runs]
    for perturbation in disturbed:
        share = UsePlay(use, way, perturbation).played.share
        if NOT_DONE < share < DONE or (share >= HALF) != nominal.serves:
            raise RejectedLayout(f"flips under {perturbation.name}")
    return replace(nominal, agreed=len(disturbed), run=len(disturbed))


def best_way(use: Use, thing: Item, part: str) -> tuple[Item, Played] | None:
    """The way by which most of the task is done, and how much; None if there is no room for any."""
    front = parts_of(use, thing)[part]
    best: tuple[Item, Played] | None = None
    for way in use.ways(turned(along_x(thing), front=front)):
        play = UsePlay(use, way, Perturbation())
        if play.fits and (best is None or play.played.share > best[1].share):
            best = way, play.played
            if play.played.share >= DONE:
                break
    return best


class UsePlay:
    """One playing of a use; ``fits`` says whether the thing had room where it began.

    ``frames`` collects all poses, if it is given.
    """

    def __init__(
        self, use: Use, way: Item, perturbation: Perturbation, frames: list[Poses] | None = None
    ) -> None:
        world = UseWorld(use, way, perturbation, frames)
        self.fits = not world.overlaps
        self.played = use.play(world, way) if self.fits else Played(0.0)
