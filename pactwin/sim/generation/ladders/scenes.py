"""Draw a ladder from a seed: labelled and rendered steps."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from pactwin.sim.actions.base import Action
from pactwin.sim.generation.configs import LadderSuiteConfig
from pactwin.sim.generation.pairs.scenes import layout_rng, noise_seed, render_alike
from pactwin.sim.generation.pairs.stored import stored
from pactwin.sim.generation.pairs.verdicts import Case, Tried, repeated, try_once
from pactwin.sim.generation.sampling import Drawn, stream
from pactwin.sim.ladders import load_quantity
from pactwin.sim.ladders.base import Quantity
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import FRICTION, Constraint, LadderStep, Measurement, Verdict

T = TypeVar("T")

# A stream of random numbers that pairs do not use.
_LADDER = 6


@dataclass(frozen=True)
class _Step:
    """One step of a ladder; ``tried`` is None if the trials did not clearly agree with x."""

    x: float
    layout: Layout
    tried: Tried | None


def draw_ladder(request: LadderSuiteConfig, name: str, seed: int) -> Drawn:
    """The scenes of a ladder of quantity ``name``, in the order drawn, and their files' bytes.

    Raises RejectedLayout unless all trials of steps beyond the quantity's band agree with x because
    of that quantity alone, and enough cameras show what decides at all steps.
    """
    quantity, robot = load_quantity(name), request.robot
    drawn = quantity.drawn(layout_rng(seed), robot)
    # The ends first: most of what is rejected is rejected there.
    found = {
        x: _tried(quantity, x, drawn.action, drawn.at(x), robot, noise_seed(seed))
        for x in sorted(quantity.steps(request.steps), key=lambda x: -abs(x))
    }
    ladder = [found[x] for x in sorted(found)]
    layouts = [step.layout for step in ladder]
    scenes, files, order = render_alike(request, layouts, name, seed)
    verdicts = [_told(_verdict(quantity, step), drawn.friction) for step in ladder]
    shared = stream(seed, _LADDER).bytes(8).hex()
    labelled = [
        scene.model_copy(
            update={
                "verdict": verdict,
                "step": LadderStep(ladder=shared, quantity=name, x=step.x, unit=quantity.unit),
                "layout": stored(drawn.action, step.layout),
            }
        )
        for scene, step, verdict in zip(scenes, ladder, verdicts, strict=True)
    ]
    return tuple(labelled[k] for k in order), files


def _told(verdict: Verdict | None, friction: float | None) -> Verdict | None:
    """The verdict with the friction that its limit depends on, which the question tells."""
    if verdict is None or friction is None:
        return verdict
    told = {FRICTION: Measurement(value=round(friction, 3), unit="")}
    return verdict.model_copy(update={"measurements": {**verdict.measurements, **told}})


def _tried(
    quantity: Quantity, x: float, action: Action, layout: Layout, robot: str, seed: int
) -> _Step:
    if x == 0.0:  # neither side
        return _Step(x, layout, None)
    constraint = Constraint.NONE if x > 0.0 else quantity.constraint
    case = Case(action, layout, constraint, robot, seed)
    tried = _plain_beyond_band(quantity, x, partial(try_once, case))
    if tried is not None and tried.verdict.also:
        raise RejectedLayout("another constraint fails beside the one that is stepped")
    return _Step(x, layout, tried)


def _verdict(quantity: Quantity, step: _Step) -> Verdict | None:
    """The verdict that all repetitions agree on; None within the band if they do not."""
    if step.tried is None:
        return None
    return _plain_beyond_band(quantity, step.x, partial(repeated, step.tried))


def _plain_beyond_band(quantity: Quantity, x: float, decided: Callable[[], T]) -> T | None:
    """What is ``decided``; None if it is rejected within the band, beyond it RejectedLayout."""
    try:
        return decided()
    except RejectedLayout:
        if abs(x) > quantity.band:
            raise
        return None
