"""Learn what ``pactwin/familiar`` knows: ``python tools/familiar.py SEED,SEED SEED,SEED...``.

Plans the tasks of ``pactwin make creative``, before trials, for a few seeds that nobody would ask
about; two minutes a seed. Each round of seeds is planned against what was learnt in the rounds
before, since tasks that avoid one table are alike in what they avoid; three rounds are enough. Do
so again when what tasks mean has changed.
"""

import json
import sys

from pactwin.catalogue import load_uses
from pactwin.sim import measured_entities
from pactwin.solvers.baselines.uses import FAMILIAR, Known, other_seeds
from pactwin.tasks import KnowledgeBase, plan_tasks

TASKS = 200


def main(rounds: list[list[int]]) -> None:
    """Count over the tasks of all seeds, and write a line for each use after every round."""
    learnt = Known()
    for seeds in rounds:
        for seed in seeds:
            learn(seed, learnt)
        write(learnt)


def learn(seed: int, learnt: Known) -> None:
    """Add the tasks of one seed."""
    table = load_uses()
    known = KnowledgeBase(measured_entities(seed, table.kinds()), table)
    for group in plan_tasks(known, TASKS, seed):
        for plan in group:
            names = [known.entities[kind].name for kind in (plan.kind, *plan.others)]
            learnt.add(plan.use, names[0], plan.part, names)


def write(learnt: Known) -> None:
    """Write the table, and plan against it from now on."""
    lines = (f" {json.dumps(use)}: {json.dumps(things)}" for use, things in learnt.record().items())
    FAMILIAR.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    other_seeds.cache_clear()
    print(FAMILIAR, f"{FAMILIAR.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main([[int(seed) for seed in some.split(",")] for some in sys.argv[1:]])
