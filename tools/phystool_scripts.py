"""PhysTool-Bench's own scripts beside `pactwin compare --as-published`, on synthetic replies.

python tools/phystool_scripts.py REPOSITORY [REPLIES]

REPOSITORY is a checkout of ModalityDance/PhysTool-Bench, which you fetch yourself. Of its scripts
those functions are called as they are that read a reply and score it. Differences are listed.
"""

import contextlib
import importlib.util
import io
import random
import sys
import types
from pathlib import Path
from typing import Any

from pactwin.tasks.published.phystool.scoring import (
    Query,
    listed,
    plan_scores,
    recognition_scores,
)

KEY = "q1_slot_1"
TOOLS = (
    "adjustable wrench", "pipe wrench", "hacksaw", "saw", "Claw Hammer", "screwdriver", "knife",
    "scissors", "tape measure", "box", "drill bits", "brush", "Jack stand", "loaf tin",
)  # fmt: skip


def load(script: Path) -> types.ModuleType:
    """A published script as a module."""
    described = importlib.util.spec_from_file_location(f"published_{script.stem}", script)
    if described is None or described.loader is None or not script.is_file():
        raise SystemExit(f"there is no {script}")
    module = importlib.util.module_from_spec(described)
    described.loader.exec_module(module)
    return module


def queries(count: int, rng: random.Random) -> list[tuple[Query, str]]:
    """Tasks, some with known matches, each with a reply."""
    found = []
    for _ in range(count):
        shown = rng.sample(TOOLS, rng.randint(3, 8))
        tools = rng.sample(shown, rng.randint(1, min(4, len(shown))))
        steps = sorted(rng.randint(1, len(tools)) for _ in tools)
        ranks = {step: k for k, step in enumerate(sorted(set(steps)), start=1)}
        matches = {
            rng.choice([*shown, "wrench", "Saws"]): rng.choice([*tools, *shown, "nothing", " saw"])
            for _ in range(rng.choice([0, 0, 1, 3]))
        }
        query = Query(
            "q1", 1, tuple(shown), tuple(tool.lower() for tool in tools),
            tuple(ranks[step] for step in steps), rng.random() < 0.8, matches,
        )  # fmt: skip
        found.append((query, reply_of(shown, tools, rng)))
    return found


def reply_of(shown: list[str], tools: list[str], rng: random.Random) -> str:
    """A reply: names of tools as they are or spelt otherwise, in plain and odd lists."""
    said = list(rng.choice([tools, shown, tools[::-1], tools[:-1], [*tools, *tools]]))
    said = [
        rng.choice([name, name, name, name.upper(), f"{name}s", name.split()[-1], f" {name} ", ""])
        for name in said
    ]
    comma = rng.choice([", ", ",", " , ", ",\n", "\n", "; "])
    ending = rng.choice(["", ".", "...", ". ", "\n", ",", ".,"])
    odd = ["", " ", ",", ", ,", "I cannot help with that.", "None", "1. saw, 2. knife"]
    text = f"{comma.join(said)}{ending}"
    return rng.choice([*[text] * 12, f"{rng.choice(['- ', 'Tools: '])}{text}", rng.choice(odd)])


def theirs_found(script: types.ModuleType, query: Query, reply: str, method: str) -> Any:
    """Task I: precision and recall; None where the script that asks stores nothing."""
    # As task_i_api.py reads what a model replies.
    said = [tool.strip() for tool in reply.strip().split(",") if tool.strip()]
    if not said:
        return None
    return script.calculate_metrics(list(query.shown), said, match_method=method)[:2]


def theirs_planned(script: types.ModuleType, query: Query, reply: str) -> Any:
    """Task II: every number of one query, by our names; None where nothing is stored."""
    content = reply.strip()  # as task_ii_api.py does
    if not content:
        return None
    said = [tool.lower() for tool in script.parse_identified_tools(content)]
    target, steps = list(query.tools), list(query.steps)
    matches = {KEY: dict(query.matches)}
    with contextlib.redirect_stdout(io.StringIO()):
        matched = script.get_offline_matches("q1", 1, said, target, matches)
    made = script.calculate_metrics(said, target, steps, matched, query.ordered, [1, 2, 3])
    prefixes, order = made["success_rate_at_k"] or {}, made["pairwise_order_accuracy"] or {}
    found = {
        "precision": made["precision"]["value"],
        "recall": made["recall"]["value"],
        "exact match": float(made["success_rate"]),
        "pairwise order, of all pairs": order.get("value_1"),
        "pairwise order, of pairs named": order.get("value_2"),
    }
    for k in (1, 2, 3):
        value = prefixes.get(f"k={k}")
        found[f"SR@{k}"] = None if value is None else float(value)
    return found


def main() -> None:
    """Compare, and say how often both agree, and where not."""
    folder = Path(sys.argv[1]) / "scripts" / "evaluation"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    finding, planning = load(folder / "eval_tool_finding.py"), load(folder / "eval_offline.py")
    same = {"I, fuzzy": 0, "I, string": 0, "II": 0}
    for query, reply in queries(count, random.Random(0)):
        mine: Any
        for method in ("fuzzy", "string"):
            other = theirs_found(finding, query, reply, method)
            said = listed(reply.strip())
            scores = recognition_scores({KEY: query}, [(KEY, said)], method)
            mine = (scores["precision"][0], scores["recall"][0]) if said else None
            same[f"I, {method}"] += mine == other
            if mine != other:
                print(f"I, {method}: {reply!r} of {query}: ours {mine}, theirs {other}")
        other = theirs_planned(planning, query, reply)
        text = reply.strip()
        scores = plan_scores({KEY: query}, [(KEY, text)])
        mine = {metric: value for metric, (value, _) in scores.items()} if text else None
        same["II"] += mine == other
        if mine != other:
            print(f"II: {reply!r} of {query}: ours {mine}, theirs {other}")
    for task, n in same.items():
        print(f"Task {task}: {n} of {count} are the same")


if __name__ == "__main__":
    main()
