"""CreativityBench's own scripts beside `pactwin compare --as-published`, on synthetic replies.

python tools/creativity_judge.py REPOSITORY [REPLIES]

REPOSITORY is a checkout of CreativityBench/CreativityBench, which you fetch yourself. Its
evaluate.py reads every reply and its judge.py judges it, as they are; what the judge would ask a
model is answered by an empty object. Differences are listed.
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
from pactwin.tasks import import_published
from pactwin.tasks.published.creativitybench.scoring import (
    published_answer,
    published_match,
)

Task = dict[str, Any]
Found = tuple[bool, bool, str]


def load_scripts(repository: Path) -> tuple[types.ModuleType, types.ModuleType]:
    """The published reader and judge, without what only asking a model needs."""
    models = types.ModuleType("models")
    models.call_model = lambda *args, **options: "{}"  # type: ignore[attr-defined]
    sys.modules |= {"models": models, "tqdm": types.ModuleType("tqdm")}
    sys.modules["tqdm"].tqdm = iter  # type: ignore[attr-defined]
    sys.path.insert(0, str(repository / "evaluation"))
    reader, judge = (_load(repository / "evaluation" / f"{n}.py") for n in ("evaluate", "judge"))
    reader.MODE = "static"
    judge._load_entity_lookup = list  # its lookup of entities is not published
    return reader, judge


def _load(script: Path) -> types.ModuleType:
    described = importlib.util.spec_from_file_location(f"published_{script.stem}", script)
    if described is None or described.loader is None or not script.is_file():
        raise SystemExit(f"there is no {script}")
    module = importlib.util.module_from_spec(described)
    described.loader.exec_module(module)
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
    odd = [name.upper(), " ".join(words[:-1]), f"the {' '.join(words)} (old)", rng.choice(words)]
    return [*odd, f" {name} ", f"{name}\n"]


def replies(tasks: list[Task], count: int, rng: random.Random) -> list[tuple[Task, str]]:
    """Predictions as replies, plain and in odd formats."""
    found = []
    for task, entity, part in predictions(tasks, count, rng):
        use = rng.choice([*["I hold it."] * 8, "", " "])
        record = {"gold_entity": entity, "gold_part": part, "how_to_use": use}
        odd = rng.choice([*[record] * 8, record | {"gold_part": 3}, {"gold_entity": None}])
        text = json.dumps(odd)
        found.append((task, rng.choice([
            *[text] * 9, f"I think so.\n{text}", f"```json\n{text}\n```",
            f"A set {{1, 2}} of them.\n{text}", f"{text}\nDone {{or not}}.", f"{text}\n{text}",
            json.dumps(odd, indent=2), text[:-1], "I cannot help with that.", "", "{}",
        ])))  # fmt: skip
    return found


def theirs(
    scripts: tuple[types.ModuleType, types.ModuleType], task: Task, reply: str
) -> Found | None:
    """What the scripts make of a reply; None where nothing is judged."""
    reader, judge = scripts
    reader.call_model = lambda *args, **options: reply  # type: ignore[attr-defined]
    _, _, sample = reader._run_one((task, 0, 0.0))
    if sample is None:
        return None
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            made = judge._judge_one(task, sample)
        except UnboundLocalError:  # without a word how to use it
            return None
    return made["entity_correct"], made["part_correct"], made["prediction_relation"]


def main() -> None:
    """Compare, and say how often both agree, and where not."""
    repository = Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    scripts = load_scripts(repository)
    data = repository / "dataset"
    tasks = {
        t["task_id"]: t for f in sorted(data.glob("*.json")) for t in json.loads(f.read_text())
    }
    with tempfile.TemporaryDirectory() as folder:
        import_published("creativitybench", data, Path(folder) / "suite")
        questions = {q.topic: q for q in Suite.open(Path(folder) / "suite").questions()}
    outcomes: Counter[Found | None] = Counter()
    differ = 0
    for task, reply in replies(list(tasks.values()), count, random.Random(0)):
        answer = published_answer(reply)
        mine = answer and published_match(questions[task["task_id"]], *answer)
        other = theirs(scripts, task, reply)
        outcomes[mine] += 1
        if mine != other:
            differ += 1
            print(f"{reply!r}: ours {mine}, theirs {other}")
    for outcome, n in outcomes.most_common():
        print(f"{n:4} {outcome or 'not judged'}")
    print(f"{count - differ} of {count} are the same")


if __name__ == "__main__":
    main()
