"""CreativityBench's own judge.py beside `pactwin as-published`, on synthetic predictions.

python tools/creativity_judge.py REPOSITORY [PREDICTIONS]

REPOSITORY is a checkout of CreativityBench/CreativityBench, which you fetch yourself. Its judge.py
is run as it is; what it would ask a model is answered by an empty object. Differences are listed.
"""

import contextlib
import importlib.util
import io
import json
import random
import sys
import tempfile
import types
from collections import Counter
from pathlib import Path
from typing import Any

from pactwin.suite import Suite
from pactwin.tasks import import_creativitybench
from pactwin.tasks.published.creativitybench.published import published_match

Task = dict[str, Any]
Found = tuple[bool, bool, str]


def load_judge(repository: Path) -> types.ModuleType:
    """The published script, without what only asking a model needs."""
    models = types.ModuleType("models")
    models.call_model = lambda *args, **options: "{}"  # type: ignore[attr-defined]
    sys.modules |= {"models": models, "tqdm": types.ModuleType("tqdm")}
    sys.modules["tqdm"].tqdm = iter  # type: ignore[attr-defined]
    sys.path.insert(0, str(repository / "evaluation"))
    described = importlib.util.spec_from_file_location(
        "published_judge", repository / "evaluation" / "judge.py"
    )
    if described is None or described.loader is None:
        raise SystemExit(f"{repository} has no evaluation/judge.py")
    module = importlib.util.module_from_spec(described)
    described.loader.exec_module(module)
    module._load_entity_lookup = list  # its lookup of entities is not published
    return module


def predictions(tasks: list[Task], count: int, rng: random.Random) -> list[tuple[Task, str, str]]:
    """Names as they are, spelt otherwise, cut, crossed, of items, of nothing, and none."""
    found = []
    for number in range(count):
        task = tasks[number % len(tasks)]
        gold = task["golds"][0]
        entities = [(e["name"], part) for e in task["entities"] for part in e["judge_output"]]
        pair = rng.choice([(gold["gold_entity"], gold["gold_part"]), rng.choice(entities)])
        parts = [part for _, part in entities]
        items = [item["name"] for item in task["items"][:1]]
        entity = rng.choice([pair[0], *_spelt(pair[0], rng), *items, "unicorn", ""])
        part = [pair[1], pair[1], *_spelt(pair[1], rng), rng.choice(parts), "horn", ""]
        found.append((task, entity, rng.choice(part)))
    return found


def _spelt(name: str, rng: random.Random) -> list[str]:
    words = name.replace("_", " ").split()
    return [name.upper(), " ".join(words[:-1]), f"the {' '.join(words)} (old)", rng.choice(words)]


def theirs(judge: types.ModuleType, task: Task, entity: str, part: str, use: str) -> Found | str:
    """What the script makes of a prediction, or the error that it ends in."""
    sample = {"gold_entity": entity, "gold_part": part, "how_to_use": use}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            made = judge._judge_one(task, sample)
    except Exception as error:  # noqa: BLE001 whatever the foreign script raises is what it does
        return f"{type(error).__name__}: {error}"
    return made["entity_correct"], made["part_correct"], made["prediction_relation"]


def main() -> None:
    """Compare, and say how often both agree, and where not."""
    repository = Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    judge = load_judge(repository)
    data = repository / "dataset"
    tasks = {
        t["task_id"]: t for f in sorted(data.glob("*.json")) for t in json.loads(f.read_text())
    }
    with tempfile.TemporaryDirectory() as folder:
        import_creativitybench(data, Path(folder) / "suite")
        questions = {q.topic: q for q in Suite.open(Path(folder) / "suite").questions()}
    outcomes: Counter[Found] = Counter()
    differ = 0
    for task, entity, part in predictions(list(tasks.values()), count, random.Random(0)):
        mine = published_match(questions[task["task_id"]], entity, part)
        other = theirs(judge, task, entity, part, "as it is")
        outcomes[mine] += 1
        if mine != other:
            differ += 1
            print(f"{entity!r}, {part!r}: ours {mine}, theirs {other}")
    for outcome, n in outcomes.most_common():
        print(f"{n:4} {outcome}")
    print(f"{count - differ} of {count} are the same")
    silent = theirs(judge, task, entity, part, "")
    print(f"without a word how to use it: theirs {silent}; ours {mine}")


if __name__ == "__main__":
    main()
