"""Scenes in which an object is lifted by its handle and kept level.

- ``near_or_far``: a dumbbell and a sponge on a tray with a handle at one end: the dumbbell at the
  far end, or next to the handle.
- ``middle_or_end``: the same on a carrier with a bar over its middle: at one end, or under the bar.
- ``heavy_or_light``: two trays with handles; at the far end of one lies a dumbbell, of the other a
  sponge.
- ``where_the_bar_is``: two long boxes with a bar on top, over the middle or near an end.
- ``turned_away``: a tray whose handle is out of reach, or at the near end.
- ``bridged``: beside a tray a board on a block, its other end on the tray's rim, or not.
- ``walled_off``: a tray whose handle is at the near end, a board before that or behind the tray.
"""

import numpy as np

from pactwin.sim.actions.lift_level import LiftLevel
from pactwin.sim.objects.blocks import block, open_box, plank
from pactwin.sim.objects.everyday import sponge
from pactwin.sim.objects.household import dumbbell
from pactwin.sim.objects.obstacles import fence, screen
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.standard_sizes import DUMBBELLS_KG, SPONGE_M, in_steps
from pactwin.sim.objects.trays import (
    BAR_M,
    FLOOR_M,
    HANDLE_M,
    RIM_M,
    carrier,
    handled_tray,
    long_box,
)
from pactwin.sim.scenarios.common import (
    SHOWING_SHAPE,
    Colors,
    exchanged,
    yaw_rad,
)
from pactwin.sim.scenarios.handreach import guards_against
from pactwin.sim.scenarios.twins import Items, Twins, completed
from pactwin.sim.scene.layout import Item, Region
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.sim.scene.pose import Pose
from pactwin.suite import Constraint

# Loads lie this far inside a tray's outer edge.
_OFF_RIM_M = 0.014
_ASKEW_RAD = 0.5
# So often what is light is an empty cardboard box, larger than the dumbbell; its inside and walls.
_EMPTY_BOXES = 0.4
_EMPTY_BOX_M, _CARDBOARD_M = (0.084, 0.114, 0.08), 0.003

_BOARDS, _BOARD_M = {"screen": screen, "fence": fence}, (0.30, 0.28)
# A board beside a tray, and how far it reaches over its rim.
_LONG_M, _OVER_RIM_M = 0.2, 0.025

_Family = tuple[Items, Items, tuple[str, ...]]


def lift_level(rng: np.random.Generator, robot: str, cause: str) -> Twins:
    """Lift a tray, carrier or box that is ``heavy`` for one hand, or ``loaded`` with a board.

    Other variants: a tray whose handle is ``away`` at the far end, or ``guarded`` by a board.
    """
    colors = Colors(rng)
    constraint, families = _FAMILIES[cause]
    family = families[rng.integers(len(families))]
    infeasible, feasible, named = family(rng, colors, robot)
    return completed(
        rng,
        colors,
        LiftLevel(named[0]),
        infeasible,
        feasible,
        critical_objects=named,
        constraint=constraint,
        regions=(Region(named[1], "base"),) if cause == "loaded" else (),
    )


def _turned_away(rng: np.random.Generator, colors: Colors, _robot: str) -> _Family:
    """A tray lies away from the robot, its handle at the far end or at the near one."""
    near, light = _lengthwise(rng, colors)
    (x, y, _), turn = near.world_from_object.pos, yaw_rad(near)
    far = standing_at(near, x, y, yaw_rad=turn + np.pi)
    return _with(light, far), _with(light, near), (near.name,)


def _walled_off(rng: np.random.Generator, colors: Colors, robot: str) -> _Family:
    """A tray lies with its handle towards the robot; a board stands before or behind it."""
    tray, light = _lengthwise(rng, colors)
    kinds = [kind for kind in _BOARDS if kind in guards_against(robot)]
    if not kinds:
        raise RejectedLayout("no board keeps the robot's hands away")
    board = _BOARDS[kinds[rng.integers(len(kinds))]](colors.next(), *_BOARD_M)
    apart, askew = (
        tray.size_m[0] / 2 + float(rng.uniform(0.03, 0.04)),
        float(rng.uniform(-0.1, 0.1)),
    )

    def build(side: float) -> Items:
        return *_with(light, tray), _beside(tray, board, (side * apart, 0.0), askew)

    return build(1.0), build(-1.0), (tray.name, board.name)


def _bridged(rng: np.random.Generator, colors: Colors, _robot: str) -> _Family:
    """A board lies on a low block beside a tray, and with one end on the tray's rim, or not."""
    tray, light = _lengthwise(rng, colors)
    low = block(colors.next(), (0.05, 0.05, RIM_M))
    board = plank(colors.next(), (_LONG_M, 0.05, 0.01))
    side = -float(np.sign(tray.world_from_object.pos[1]))  # where there is room
    along = float(rng.uniform(-0.04, 0.04)) - HANDLE_M / 2
    rim = tray.size_m[1] / 2
    out = float(rng.uniform(0.13, 0.15))
    turns = np.pi / 2 + rng.uniform(-0.08, 0.08, 2)

    def build(board_out: float) -> Items:
        stood = _beside(tray, low, (along, side * (rim + out)), float(turns[0]))
        lies = _beside(tray, board, (along, side * (rim + board_out)), float(turns[1]), RIM_M)
        return *_with(light, tray), stood, lies

    return build(_LONG_M / 2 - _OVER_RIM_M), build(out), (tray.name, board.name)


def _beside(
    tray: Item, thing: Item, at: tuple[float, float], turn: float, on_z: float = 0.0
) -> Item:
    """``thing`` at x, y of the tray's frame, turned against it."""
    x, y, _ = (tray.world_from_object @ Pose((*at, 0.0))).pos
    return standing_at(thing, x, y, on_z=on_z, yaw_rad=yaw_rad(tray) + turn)


def _lengthwise(rng: np.random.Generator, colors: Colors) -> tuple[Item, Item]:
    """A tray that lies away from the robot, its handle at the near end; something light."""
    tray = handled_tray(colors.next(SHOWING_SHAPE), (in_steps(rng, 0.24, 0.28, 0.02), 0.18))
    _, light = _loads(rng, colors)
    turn, x = float(rng.uniform(-0.3, 0.3)), float(rng.uniform(0.30, 0.33))
    return standing_at(tray, x, float(rng.uniform(-0.12, 0.12)), yaw_rad=turn + np.pi), light


def _with(light: Item, tray: Item) -> Items:
    return tray, on_floor(light, tray, -HANDLE_M / 2, 0.0)


def _loads(rng: np.random.Generator, colors: Colors) -> tuple[Item, Item]:
    """A heavy and a light object, as everyone knows; the larger may be the light one."""
    heavy = dumbbell(colors.next(SHOWING_SHAPE), DUMBBELLS_KG[0])
    color = colors.next(SHOWING_SHAPE)
    if rng.random() < _EMPTY_BOXES:
        return heavy, open_box(color, _EMPTY_BOX_M, _CARDBOARD_M)
    return heavy, sponge(color, *SPONGE_M)


def _near_or_far(rng: np.random.Generator, colors: Colors, _robot: str) -> _Family:
    tray = handled_tray(colors.next(SHOWING_SHAPE), (in_steps(rng, 0.30, 0.32, 0.02), 0.21))
    tray = laid_across(rng, tray, rng.uniform(0.2, 0.3))
    heavy, light = _loads(rng, colors)
    half = (tray.size_m[0] - HANDLE_M) / 2 - _OFF_RIM_M
    turns = _askew(rng)

    def build(side: int) -> Items:
        """A layout with the dumbbell at the handle's end (1) or the other (-1)."""
        far, near = (
            on_floor(thing, tray, s * (half - thing.size_m[0] / 2) - HANDLE_M / 2, turn)
            for thing, s, turn in ((heavy, side, turns[0]), (light, -side, turns[1]))
        )
        return tray, far, near

    return build(-1), build(1), (tray.name, heavy.name)


def _middle_or_end(rng: np.random.Generator, colors: Colors, _robot: str) -> _Family:
    inner = (in_steps(rng, 0.34, 0.38, 0.02), 0.22)
    tote = carrier(colors.next(SHOWING_SHAPE), inner, 0.17)
    tote = laid_across(rng, tote, rng.uniform(0.2, 0.3))
    heavy, light = _loads(rng, colors)
    half, side = tote.size_m[0] / 2 - _OFF_RIM_M, float(rng.choice([-1.0, 1.0]))
    turns = _askew(rng)

    def build(first: Item, second: Item) -> Items:
        """A layout with the first at an end and the second under the bar."""
        out = side * (half - first.size_m[0] / 2)
        return (
            tote,
            on_floor(first, tote, out, turns[0]),
            on_floor(second, tote, 0.0, 0.3 * turns[1]),
        )

    return build(heavy, light), build(light, heavy), (tote.name, heavy.name)


def _heavy_or_light(rng: np.random.Generator, colors: Colors, _robot: str) -> _Family:
    inner = (0.30, 0.195)
    trays = [
        laid_across(rng, handled_tray(colors.next(SHOWING_SHAPE), inner), x)
        for x in (rng.uniform(0.19, 0.21), rng.uniform(0.43, 0.45))
    ]
    order = rng.permutation(2)
    laden, other = trays[order[0]], trays[order[1]]
    heavy, light = _loads(rng, colors)
    half = inner[0] / 2 - _OFF_RIM_M
    items = (
        *trays,
        *(
            on_floor(thing, tray, -(half - thing.size_m[0] / 2) - HANDLE_M / 2, turn)
            for thing, tray, turn in zip((heavy, light), (laden, other), _askew(rng), strict=True)
        ),
    )
    return items, exchanged(items, laden, other), (laden.name, heavy.name)


def _where_the_bar_is(rng: np.random.Generator, colors: Colors, _robot: str) -> _Family:
    size, height = (in_steps(rng, 0.39, 0.43, 0.02), 0.1, 0.085), 0.07
    end = float(rng.choice([-1.0, 1.0])) * (size[0] / 2 - BAR_M)
    kinds = [long_box(colors.next(SHOWING_SHAPE), size, at, height) for at in (end, 0.0)]
    rows = rng.permutation([rng.uniform(0.16, 0.19), rng.uniform(0.32, 0.38)])
    bad, good = (laid_across(rng, box, x) for box, x in zip(kinds, rows, strict=True))
    return (bad, good), exchanged((bad, good), bad, good), (bad.name,)


_FAMILIES = {
    "heavy": (
        Constraint.NEEDS_TWO_HANDS,
        (_near_or_far, _middle_or_end, _heavy_or_light, _where_the_bar_is),
    ),
    "away": (Constraint.OUT_OF_REACH, (_turned_away,)),
    "guarded": (Constraint.PATH_BLOCKED, (_walled_off,)),
    "loaded": (Constraint.SUPPORTS_OTHER, (_bridged,)),
}


def laid_across(rng: np.random.Generator, thing: Item, x_m: float) -> Item:
    """``thing`` with its long axis roughly across the robot's view, in either direction."""
    turn = float(rng.choice([-1.0, 1.0]) * np.pi / 2 + rng.uniform(-_ASKEW_RAD, _ASKEW_RAD))
    return standing_at(thing, x_m, float(rng.uniform(-0.04, 0.04)), yaw_rad=turn)


def on_floor(thing: Item, holder: Item, x_m: float, turn_rad: float) -> Item:
    """``thing`` on the floor of a tray, at ``x_m`` along it from its middle, slightly turned."""
    floor = Pose((x_m, 0.0, FLOOR_M - holder.size_m[2] / 2))
    x, y, z = (holder.world_from_object @ floor).pos
    return standing_at(thing, x, y, on_z=z, yaw_rad=yaw_rad(holder) + turn_rad)


def _askew(rng: np.random.Generator) -> list[float]:
    return list(map(float, rng.uniform(-0.06, 0.06, 2)))
