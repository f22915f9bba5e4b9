"""Find the best rule over a single quantity, such as "the target is beyond 0.31 m".

A rule uses one quantity of one involved object and never a comparison of two objects, so a solver
that follows it has understood nothing of the action. The rule is correct where physics makes one
quantity the cause (out of reach is a distance); everywhere else it should be near chance.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from pactwin.suite.records import ObjectRecord, Scene

_FOLDS = 5
_CORNERS = np.array(list(product((-0.5, 0.5), repeat=3)))
# So near (m) below another thing's foot, a top carries it.
_RESTS_M = 0.006


def single_quantities(scene: Scene) -> dict[str, float]:
    """Quantities of each deciding object; lengths in metres.

    Names begin with the object's role in the action (``target``, ``second``, ... in the verdict's
    order) and, for visibility, with the camera. A word of a state counts as 1 if it holds.
    """
    by_name = {obj.name: obj for obj in scene.objects}
    found: dict[str, float] = {}
    for k, name in enumerate(scene.decided.objects):
        role = "target" if k == 0 else f"object {k + 1}"
        obj = by_name[name]
        measured = _place(obj) | _shape(obj) | _company(obj, scene.objects)
        measured |= _along_support(obj, scene.objects)
        measured |= {f"is {word}": 1.0 for word in obj.state.split(", ")}
        found |= {f"{role} {key}": value for key, value in measured.items()}
        for view in scene.views:
            seen = view.visibility[name]
            where = f"{view.camera.name}: {role}"
            found[f"{where} pixels"] = float(seen.pixels)
            found[f"{where} fraction"] = seen.fraction
            if seen.box is not None:
                left, _, right, bottom = seen.box
                found[f"{where} from the left"] = (left + right) / 2
                found[f"{where} from the top"] = float(bottom)
    return found


def _place(obj: ObjectRecord) -> dict[str, float]:
    pose = np.array(obj.world_from_object)
    x, y, z = pose[:3, 3]
    return {
        "x": float(x),
        "y": float(y),
        "to the side": abs(float(y)),
        "away": float(np.hypot(x, y)),
        "height": round(float(z), 4),  # micrometres are how a thing settled: nobody sees them
        "yaw": float(np.arctan2(pose[1, 0], pose[0, 0])),
        "upright": float(pose[2, 2]),
    }


def _shape(obj: ObjectRecord) -> dict[str, float]:
    low, middle, high = sorted(obj.size_m)
    return {
        "least extent": low,
        "middle extent": middle,
        "longest extent": high,
        "volume": low * middle * high,
        "mass": obj.mass_kg,
    }


def _company(obj: ObjectRecord, others: Iterable[ObjectRecord]) -> dict[str, float]:
    """Number of objects on and beside it, and its size among objects of its kind."""
    low, high = bounds_m(obj)
    carries, nearest, like = 0, 10.0, [np.prod(obj.size_m)]
    for other in others:
        if other.name == obj.name:
            continue
        other_low, other_high = bounds_m(other)
        apart = np.maximum(0.0, np.maximum(low - other_high, other_low - high))
        above = abs(other_low[2] - high[2]) < _RESTS_M or other_low[2] > high[2]
        if not apart[:2].any() and above:
            carries += 1
        nearest = min(nearest, float(np.hypot(*apart[:2])))
        if other.category == obj.category:
            like.append(np.prod(other.size_m))
    return {
        "things over it": float(carries),
        "gap to the next": nearest,
        "volume among its like": float(like[0] / np.mean(like)),
    }


def _along_support(obj: ObjectRecord, others: Iterable[ObjectRecord]) -> dict[str, float]:
    """Its position along its board: off the middle, off the support, the outermost or not."""
    others = [other for other in others if other.name != obj.name]
    support = _support_of(obj, others)
    if support is None:
        return {}
    out = _apart_m(obj, support)
    beside = [other for other in others if _support_of(other, [support]) is not None]
    found = {
        "off its support's middle": out,
        "things farther out": float(sum(_apart_m(other, support) > out for other in beside)),
        "volume beside it there": float(sum(np.prod(other.size_m) for other in beside)),
    }
    foot = _support_of(support, others)
    return found if foot is None else found | {"off its support's foot": _apart_m(obj, foot)}


def _support_of(obj: ObjectRecord, others: Iterable[ObjectRecord]) -> ObjectRecord | None:
    """The item of ``others`` on which the object rests; None if there is none."""
    low, high = bounds_m(obj)
    for other in others:
        other_low, other_high = bounds_m(other)
        apart = np.maximum(other_low - high, low - other_high)[:2]
        if abs(low[2] - other_high[2]) < _RESTS_M and (apart < 0.0).all():
            return other
    return None


def _apart_m(one: ObjectRecord, other: ObjectRecord) -> float:
    """Distance of the centres seen from above, m."""
    apart = np.subtract(one.world_from_object, other.world_from_object)[:2, 3]
    return float(np.hypot(*apart))


def bounds_m(obj: ObjectRecord) -> tuple[np.ndarray, np.ndarray]:
    """Minimum and maximum x, y, z (3,) of the object's box in the table frame, m."""
    pose = np.array(obj.world_from_object)
    corners = (_CORNERS * obj.size_m) @ pose[:3, :3].T + pose[:3, 3]
    return corners.min(axis=0), corners.max(axis=0)


@dataclass(frozen=True)
class Shortcut:
    """A rule over one quantity: feasible above ``limit`` (or below it, if not ``above``)."""

    quantity: str
    limit: float
    above: bool

    def says_feasible(self, quantities: Mapping[str, float]) -> bool:
        """The rule's prediction for a scene; a missing quantity counts as 0."""
        return (quantities.get(self.quantity, 0.0) > self.limit) == self.above

    def __str__(self) -> str:
        return f"{self.quantity} {'>' if self.above else '<='} {self.limit:.4g}"


def find_shortcut(scenes: Sequence[Mapping[str, float]], feasible: Sequence[bool]) -> Shortcut:
    """The rule with the highest informedness on these scenes; ValueError if labels are equal."""
    from sklearn.feature_extraction import DictVectorizer

    vectorizer = DictVectorizer(sparse=False, sort=True)
    x = vectorizer.fit_transform([dict(scene) for scene in scenes])
    y = np.asarray(feasible, dtype=bool)
    if y.all() or not y.any():
        raise ValueError("a rule separates feasible from infeasible scenes: both are needed")
    weight = np.where(y, 1.0 / y.sum(), -1.0 / (~y).sum())
    order = np.argsort(x, axis=0, kind="stable")
    ranked = np.take_along_axis(x, order, axis=0)
    # Informedness of "feasible at or below the k-th value"; only where values step is a limit.
    below = np.cumsum(weight[order], axis=0)[:-1]
    below[np.diff(ranked, axis=0) <= 1e-9] = 0.0
    k, column = np.unravel_index(int(np.abs(below).argmax()), below.shape)
    limit = float(ranked[k : k + 2, column].mean())
    name = str(vectorizer.get_feature_names_out()[column])
    return Shortcut(name, limit, bool(below[k, column] < 0))


def held_out_shortcuts(pairs: Sequence[tuple[Scene, Scene]]) -> dict[str, Shortcut]:
    """Best rule for each scene (by id) of one domain, fitted on the other folds."""
    from sklearn.model_selection import KFold

    if len(pairs) < 2:
        return {}
    quantities = [[single_quantities(scene) for scene in pair] for pair in pairs]
    rules: dict[str, Shortcut] = {}
    folds = KFold(min(_FOLDS, len(pairs)), shuffle=True, random_state=0)
    for seen, held_out in folds.split(pairs):
        rule = find_shortcut(
            [q for k in seen for q in quantities[k]],
            [scene.decided.feasible for k in seen for scene in pairs[k]],
        )
        rules |= {scene.id: rule for k in held_out for scene in pairs[k]}
    return rules


@dataclass(frozen=True)
class ShortcutScore:
    """Score of a domain's best rules on held-out pairs.

    ``quantity`` is the one selected in most folds; ``informedness`` is 0 for chance, 1 for perfect.
    ``within`` is half of its 95 % interval over pairs: of 20 pairs it is about 0.3 at chance. As in
    Agresti and Caffo, The American Statistician 54(4), 2000, a success and a failure are added.
    """

    domain: str
    pairs: int
    quantity: str
    informedness: float
    within: float


def score_shortcuts(pairs: Iterable[tuple[Scene, Scene]]) -> list[ShortcutScore]:
    """Score single quantities in each domain with at least two pairs, sorted by domain."""
    by_domain: dict[str, list[tuple[Scene, Scene]]] = {}
    for pair in pairs:
        by_domain.setdefault(pair[0].domain, []).append(pair)
    return [_score(domain, found) for domain, found in sorted(by_domain.items()) if len(found) > 1]


def _score(domain: str, pairs: Sequence[tuple[Scene, Scene]]) -> ShortcutScore:
    rules = held_out_shortcuts(pairs)
    gains = []  # of each pair: 1 if the rule tells the twins apart, 0 if it says the same of both
    for pair in pairs:
        says = {
            scene.decided.feasible: rules[scene.id].says_feasible(single_quantities(scene))
            for scene in pair
        }
        gains.append(float(says[True]) - float(says[False]))
    names = [rule.quantity for rule in rules.values()]
    # With one pair more of each kind, or the width would be 0 where all of a few pairs are alike.
    within = 1.96 * float(np.std([*gains, 1.0, -1.0], ddof=1)) / (len(pairs) + 2) ** 0.5
    quantity = max(set(names), key=names.count)
    return ShortcutScore(domain, len(pairs), quantity, float(np.mean(gains)), within)
