"""Made-up task files in the layout of CreativityBench's."""

import copy
import json
from pathlib import Path
from typing import Any


def judged(similar: str = "No", change: str = "Yes", level: Any = "NA") -> dict[str, Any]:
    return {
        "similar_affordance": similar,
        "gold_change": change,
        "decision_making_difficulty": level,
    }


TASK: dict[str, Any] = {
    "task_id": "kitchen-ladle-bowl-1",
    "scenario": "kitchen",
    "setting": {"difficulty": "difficult", "entity_count": 2},
    "golds": [
        {
            "gold_entity": "steel soup ladle 3",
            "gold_part": "ladle_bowl",
            "gold_affordance": {
                "use_condition": "Hold the polished steel bowl upside down.",
                "environment_condition": "NA",
                "attribute": [["surface: smooth polished steel", "physical"]],
                "affordance": "press a round shape into dough",
                "level": "Emergency 1 (plausible)",
                "recipient_condition": "soft dough",
            },
        }
    ],
    "entities": [
        {
            "name": "wooden rolling pin 2",
            "description": (
                "roller: physical — A heavy beech roller, smooth.; state — Free and dry.. "
                "handles: physical — Two turned grips.; state — Free."
            ),
            "judge_output": {"roller": judged("Yes", "No", 2), "handles": judged()},
        },
        {
            "name": "steel soup ladle 3",
            "description": (
                "ladle_bowl [gold part]: physical — A deep polished steel bowl, smooth.; state — "
                "Free, dry and upside down.. long_handle: physical — A flat bar.; state — Free."
            ),
            "judge_output": {"long_handle": judged()},
        },
    ],
    "items": [
        {"name": "ball of dough", "description": "Soft and cool.", "interactable": "Yes"},
        {"name": "table", "description": "Solid.", "interactable": "No"},
    ],
    "environment": "There is the wooden rolling pin 2 and the steel soup ladle 3 by the dough.",
    "task": "I want round dents in the dough and have no cutter. What can I use?",
    "solution": {"apply_affordance": "Press the ladle's bowl into the dough."},
}


def again(task_id: str, **changed: Any) -> dict[str, Any]:
    task = f"{TASK['task']} (This is for {task_id}.)"
    return {**copy.deepcopy(TASK), "task_id": task_id, "task": task, **changed}


def write(folder: Path, tasks: list[dict[str, Any]] | None = None) -> Path:
    folder.mkdir()
    some = tasks or [TASK, again("two", setting={"difficulty": "low"}), again("three")]
    (folder / "tasks.json").write_text(json.dumps(some))
    return folder
