"""Learn what ``pactwin/familiar`` knows: ``python tools/familiar.py SEED...``.

Plans the tasks of ``pactwin make creative``, before trials, for a few seeds that nobody would ask
about; two minutes a seed. Do so again when what tasks mean has changed.
"""

import json
import sys

from pactwin.catalogue import load_uses
from pactwin.sim import measured_entities
from pactwin.solvers.baselines.uses import FAMILIAR, Known
from pactwin.tasks import KnowledgeBase, plan_tasks

TASKS = 200


def main(seeds: list[int]) -> None:
    """Count over the tasks of all ``seeds``, and write a line for each use."""
    table, learnt = load_uses(), Known()
    for seed in seeds:
        known = KnowledgeBase(measured_entities(seed, table.kinds()), table)
        for group in plan_tasks(known, TASKS, seed):
            for plan in group:
                names = [known.entities[kind].name for kind in (plan.kind, *plan.others)]
                learnt.add(plan.use, names[0], plan.part, names)
    lines = (f" {json.dumps(use)}: {json.dumps(things)}" for use, things in learnt.record().items())
    FAMILIAR.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(FAMILIAR, f"{FAMILIAR.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main([int(seed) for seed in sys.argv[1:]])
