"""Counterfactuals of a scene: what moves if the target is taken anyway, and which edits make the
action feasible.

Both are decided like a label: results near a limit are left out, for both twins.
"""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

import numpy as np

from pactwin.sim.actions.base import Action
from pactwin.sim.generation.engines.base import still_alive
from pactwin.sim.generation.pairs.verdicts import LEAST_MARGIN, prevented_by
from pactwin.sim.objects.posing import UPRIGHT, heights_m, resting_at
from pactwin.sim.physics.perturbation import Perturbation, perturbations
from pactwin.sim.physics.settling import run_until_still
from pactwin.sim.physics.trials.removal import DISTURBED, LIMIT_M, LIMIT_RAD, UNDISTURBED
from pactwin.sim.preconditions.settled_scene import SettledScene
from pactwin.sim.preconditions.surroundings import on_or_over
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import disc
from pactwin.sim.scene.pose import Pose
from pactwin.suite import Constraint, Edit, Verdict

MOST_EDITS = 4
_LIFT_M, _SPEED_M_S = (0.0, 0.0, 0.15), 0.25
_PATIENCE_S, _CHUNK_S, _STILL = 1.92, 0.24, (0.005, 0.005)
_UPRIGHT = 0.95
# More than any pose noise brings two things together.
_CLEAR_M = 0.005


def moved_by_taking(layout: Layout, robot: str, seed: int) -> tuple[str, ...] | None:
    """Names of the items that move if the first critical object is lifted straight up.

    None if it is undecided for an item, or if pose noise or weights change the result.
    """
    if _stands_clear(layout):
        return ()
    moved = _moved(SettledScene(layout, Perturbation(), robot))
    disturbed = perturbations(seed)[-1]
    return moved if _moved(SettledScene(layout, disturbed, robot)) == moved else None


def _stands_clear(layout: Layout) -> bool:
    """Whether the target has nothing beside, on or over it that it could meet on its way up."""
    target = layout.item(layout.critical_objects[0])
    x, y, around = disc(target)
    return not any(
        np.hypot(there[0] - x, there[1] - y) < around + there[2] + _CLEAR_M
        for there in (disc(i) for i in layout.items if i.name != target.name)
    )


def _moved(situation: SettledScene) -> tuple[str, ...] | None:
    if situation.settle_error:
        return None
    target = situation.layout.critical_objects[0]
    world = situation.world(target)
    others = np.array(world.names) != target
    before = world.poses()
    world.grasp()
    world.run(0.048)
    world.move_hand(np.array(_LIFT_M), _SPEED_M_S)
    run_until_still(world, _PATIENCE_S, _CHUNK_S, _STILL, items=others)
    moved_m, turned_rad = world.moved_since(before)
    ratio = np.maximum(moved_m / LIMIT_M, turned_rad / LIMIT_RAD)[others]
    if ((ratio > UNDISTURBED) & (ratio < DISTURBED)).any():
        return None
    return tuple(sorted(np.array(world.names)[others][ratio >= DISTURBED].tolist()))


def with_counterfactuals(
    action: Action,
    layouts: tuple[Layout, Layout],
    verdicts: tuple[Verdict, Verdict],
    robot: str,
    rng: np.random.Generator,
    *,
    repairs: bool,
) -> tuple[Verdict, Verdict]:
    """Verdicts on twins, the infeasible one first, with moved items; and edits, if ``repairs``.

    If undecided for one twin, it is left out for both.
    """
    noise = int(rng.integers(2**62))
    moved = [moved_by_taking(layouts[0], robot, noise)]
    moved.append(None if moved[0] is None else moved_by_taking(layouts[1], robot, noise))
    if None in moved:
        moved = [None, None]
    causes = {verdicts[0].constraint, *verdicts[0].also}
    edits = tried_edits(action, layouts, causes, robot, rng) if repairs else ((), ())
    infeasible, feasible = (
        verdict.model_copy(update={"moved": m, "edits": e})
        for verdict, m, e in zip(verdicts, moved, edits, strict=True)
    )
    return infeasible, feasible


@dataclass(frozen=True)
class Change:
    """A change of a scene in words, the objects it is about, and what makes it in a layout."""

    text: str
    objects: tuple[str, ...]
    made: Callable[[Layout], Layout]

    def tried(
        self, action: Action, layouts: tuple[Layout, Layout], robot: str, causes: Set[Constraint]
    ) -> tuple[Edit, Edit] | None:
        """The change tried in both layouts; None if one of the results is undecided."""
        found = []
        for layout in layouts:
            works = _works(action, self.made(layout), robot, causes)
            if works is None:
                return None
            found.append(Edit(text=self.text, objects=self.objects, works=works))
        return found[0], found[1]


def tried_edits(
    action: Action,
    layouts: tuple[Layout, Layout],
    causes: Set[Constraint],
    robot: str,
    rng: np.random.Generator,
) -> tuple[tuple[Edit, ...], tuple[Edit, ...]]:
    """Up to ``MOST_EDITS`` changes, each tried in both layouts, the infeasible one first.

    ``causes`` prevent the action there. A change that introduces another cause is left out: a
    picture may not show, for example, that an object in its new place is just out of reach. Empty
    for both twins if no change makes the infeasible one feasible, or fewer than two could be
    decided.
    """
    possible = list(_changes(action, layouts))
    found: list[tuple[Edit, Edit]] = []
    helped = False
    for change in (possible[k] for k in rng.permutation(len(possible))):
        still_alive()
        edits = change.tried(action, layouts, robot, causes)
        # The last place is for one that helps.
        if edits and (edits[0].works or helped or len(found) < MOST_EDITS - 1):
            found.append(edits)
            helped |= edits[0].works
        if len(found) == MOST_EDITS:
            break
    if len(found) < 2 or not helped:
        return (), ()
    infeasible, feasible = zip(*found, strict=True)
    return infeasible, feasible


def edits_again(
    action: Action, layouts: tuple[Layout, Layout], robot: str, texts: Sequence[str]
) -> tuple[tuple[Edit, ...], tuple[Edit, ...]] | None:
    """Edits described by ``texts``, tried in both layouts, the infeasible one first.

    None if an edit cannot be made or its result is undecided.
    """
    known = {change.text: change for change in _changes(action, layouts)}
    found: list[tuple[Edit, Edit]] = []
    for text in texts:
        edits = known[text].tried(action, layouts, robot, {*Constraint}) if text in known else None
        if edits is None:
            return None
        found.append(edits)
    infeasible, feasible = zip(*found, strict=True)
    return infeasible, feasible


def _works(action: Action, layout: Layout, robot: str, causes: Set[Constraint]) -> bool | None:
    """Whether the action can be done in ``layout``.

    None if that is not plain, or if something else than ``causes`` prevents it.
    """
    by = prevented_by(action, SettledScene(layout, Perturbation(), robot), LEAST_MARGIN)
    return by is Constraint.NONE if by in {Constraint.NONE, *causes} else None


def _changes(action: Action, layouts: tuple[Layout, Layout]) -> Iterator[Change]:
    """Possible changes: another object removed, two objects exchanged, one turned upright."""
    about = (*layouts[0].critical_objects, *layouts[0].other_participants)
    named = tuple(name for name in about if name in vars(action).values())
    # What bears something fixed to it is not taken away: that would go with it unsaid.
    bearing = {item.attached_to for layout in layouts for item in layout.items}
    for name in about:
        if name not in named and name not in bearing:
            yield Change(f"The {name} is taken away.", (name,), partial(_without, name=name))
    for a, b in combinations(about, 2):
        if {a, b} & set(named) and _alike([layout.item(n) for layout in layouts for n in (a, b)]):
            loaded = any(on_or_over(x.item(n), x.items) for x in layouts for n in (a, b))
            rest = ", and what is on or in them stays where it is" if loaded else ""
            trade = f"The {a} and the {b} change places{rest}."
            yield Change(trade, (a, b), partial(_swapped, a=a, b=b))
    for name in named:
        if any(_tilted(layout.item(name)) for layout in layouts):
            upright = f"The {name} is set upright where it is."
            yield Change(upright, (name,), partial(_upright, name=name))


def _without(layout: Layout, name: str) -> Layout:
    items = tuple(item for item in layout.items if item.name != name)
    critical = tuple(other for other in layout.critical_objects if other != name)
    return replace(layout, items=items, critical_objects=critical)


def _alike(items: Sequence[Item]) -> bool:
    """Whether items are of one kind and upright, and can trade places."""
    return len({item.category for item in items}) == 1 and not any(map(_tilted, items))


def _tilted(item: Item) -> bool:
    return item.world_from_object.matrix()[2, 2] < _UPRIGHT


def _swapped(layout: Layout, a: str, b: str) -> Layout:
    """Each stands where the other did, as high as that stood, turned as it was itself."""
    places = {a: layout.item(b), b: layout.item(a)}
    for name, place in places.items():
        item = layout.item(name)
        x, y, _ = place.world_from_object.pos
        rise = heights_m(place)[0] - heights_m(item)[0]
        z = item.world_from_object.pos[2] + rise
        layout = layout.moved(name, Pose((x, y, z), item.world_from_object.quat))
    return layout


def _upright(layout: Layout, name: str) -> Layout:
    item = layout.item(name)
    x, y, _ = item.world_from_object.pos
    foot = max(heights_m(item)[0], 0.0)
    stood = resting_at(item, x, y, UPRIGHT, state="upright", on_z=foot)
    return layout.moved(name, stood.world_from_object)
