"""What labels are worth: each precondition alone, what trials reject, and what places give away.

- ``python -m benchmarks.labels preconditions SUITE [FIRST [LAST]]``: in every feasible scene every
  precondition of its action is tried by itself, on a scene of its own, without what other trials
  found; prints each that does not hold, then how many do, and the draws rejected per domain.
- ``python -m benchmarks.labels places [DOMAIN ...]``: from where the things of an action stand
  alone, gradient boosting is to tell the twins of held-out pairs; 1,500 layouts a domain.

Margins and agreement by margin: ``pactwin check --margins`` and ``pactwin check --retrial``.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np
from rich.console import Console
from rich.table import Table

from pactwin.sim import domain_names
from pactwin.sim.actions.base import Action
from pactwin.sim.domains import Twins, load_domain
from pactwin.sim.generation.pairs.retrial import rebuild
from pactwin.sim.generation.pairs.scenes import layout_rng
from pactwin.sim.generation.sampling import batch_seeds
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.preconditions.settled_scene import SettledScene
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Constraint, Suite

LAYOUTS, ROBOT, SEED, FOLDS = 1500, "g1", 17, 5
BY_PLACE = {Constraint.OUT_OF_REACH, Constraint.WOULD_COLLAPSE, Constraint.NEEDS_TWO_HANDS}
CONSOLE = Console(width=120)


def failing_alone(action: Action, layout: Layout, robot: str) -> tuple[int, list[str]]:
    """How many preconditions there are, and those that do not hold when tried by themselves."""
    count, failing = 0, []
    for trial in action.trials():
        for name, outcome in trial(SettledScene(layout, Perturbation(), robot)).items():
            count += 1
            if outcome.feasible is not True:
                failing.append(f"{name}: {outcome.reason or outcome.constraint.value}")
    return count, failing


def preconditions(suite: Suite, first: int = 0, last: int | None = None) -> None:
    """Print what does not hold in scenes that are said to be feasible."""
    tried, scenes, bad = 0, 0, 0
    for scene in islice((s for s in suite.scenes() if s.decided.feasible), first, last):
        count, failing = failing_alone(*rebuild(scene), scene.robot)
        tried, scenes, bad = tried + count, scenes + 1, bad + len(failing)
        for what in failing:
            CONSOLE.print(f"{scene.domain} {scene.id}: {what}")
    CONSOLE.print(f"{scenes} feasible scenes: {tried - bad} of {tried} preconditions hold alone")
    table = Table("domain", "pairs", "rejected by trials", "by pictures", "most often")
    counts = suite.info.counts
    for domain, reasons in sorted(suite.info.rejections.items()):
        found = Counter(dict(reasons))
        pictures = sum(n for reason, n in found.items() if reason.startswith("what decides"))
        trials, pairs = found.total() - pictures, counts.get(f"pairs/{domain}", 0)
        share = trials / max(1, pairs + found.total())
        common = found.most_common(1)[0][0] if found else ""
        table.add_row(domain, str(pairs), f"{trials} ({share:.0%})", str(pictures), common)
    CONSOLE.print(table)


def places(domains: Sequence[str], layouts: int = LAYOUTS) -> None:
    """Print by domain and by cause how well places alone tell twins apart."""
    for name in domains:
        rows: list[tuple[Constraint, list[float], list[float]]] = []
        for seed in batch_seeds(SEED, name, 0, 4 * layouts):
            if len(rows) == layouts // 2:
                break
            try:
                twins = load_domain(name).propose(layout_rng(seed), ROBOT)
            except RejectedLayout:
                continue
            rows.append((twins.constraint, *_where(twins)))
        groups: Mapping[str, list[int]] = defaultdict(list)
        for k, (cause, *_) in enumerate(rows):
            groups[cause.value].append(k)
        told = {
            f"{cause} (a place)" if Constraint(cause) in BY_PLACE else cause: members
            for cause, members in groups.items()
        }
        others = [k for k, (cause, *_) in enumerate(rows) if cause not in BY_PLACE]
        for group, members in {"all but places": others, **told}.items():
            if len(members) >= 2 * FOLDS:
                score = held_out([rows[k][1:] for k in members])
                CONSOLE.print(f"{name:14} {group:28} {2 * len(members):5} layouts {score:.3f}")


def _where(twins: Twins) -> tuple[list[float], list[float]]:
    """x and y of what the action names, in its order, in either twin; others as NaN."""
    found = []
    for layout in (twins.infeasible, twins.feasible):
        there = {item.name: item.world_from_object.pos[:2] for item in layout.items}
        at = [there[name] for name in vars(twins.action).values() if name in there]
        row = np.full((3, 2), np.nan)
        row[: len(at)] = at
        found.append(row.ravel().tolist())
    return found[0], found[1]


def held_out(pairs: Sequence[tuple[list[float], list[float]]]) -> float:
    """Balanced accuracy on pairs that were not learned from."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.metrics import balanced_accuracy_score
    from sklearn.model_selection import GroupKFold, cross_val_predict
    from threadpoolctl import threadpool_limits

    at = np.array(pairs).reshape(2 * len(pairs), -1)
    known = np.nan_to_num(at, nan=-1.0)  # beyond the table: there is none
    truth, group = np.tile([0, 1], len(pairs)), np.repeat(np.arange(len(pairs)), 2)
    model = HistGradientBoostingClassifier(max_iter=100, max_leaf_nodes=8, random_state=0)
    with threadpool_limits(1):  # more are slower, by far where other work is done beside
        said = cross_val_predict(model, known, truth, groups=group, cv=GroupKFold(FOLDS))
    return float(balanced_accuracy_score(truth, said))


if __name__ == "__main__":
    what, *named = sys.argv[1:] or [""]
    if what == "preconditions" and named:
        preconditions(Suite.open(named[0]), *map(int, named[1:3]))
    elif what == "places":
        places(named or domain_names())
    else:
        sys.exit(__doc__)
