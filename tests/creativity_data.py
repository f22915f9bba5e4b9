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


def affordance(level: int, **changed: Any) -> dict[str, Any]:
    """One of the ladle's bowl."""
    said = "Normal 0 (its purpose)" if level == 0 else f"Emergency {level} (in need)"
    one = {
        "use_condition": "Hold the polished steel bowl upside down.",
        "environment_condition": "NA",
        "attribute": [["surface: smooth polished steel", "physical", "visual", "seen"]],
        "affordance": f"serve use {level}",
        "level": said,
        "recipient_condition": "soft",
        "example_recipient": "dough, clay",
        "failure_case": "too hard",
    }
    return {**one, **changed}


def part(name: str, beside: str, material: str) -> dict[str, Any]:
    handling = {
        "use_condition": f"Grip the {material}.",
        "attribute": [[f"material: {material}", "physical", "visual", "seen"]],
    }
    return {
        "part_name": name,
        "connected_to": [beside],
        "connection": "welded",
        "physical_attributes": {"material": material, "summary": material},
        "state_attributes": {"visibility": "visible", "availability": "free"},
        "functional_affordances": [affordance(level, **handling) for level in range(6)],
    }


def entity(name: str = "steel soup ladle 3", **changed: Any) -> dict[str, Any]:
    parts = [
        part("ladle_bowl", "long_handle", "deep polished steel bowl"),
        part("long_handle", "ladle_bowl", "flat ribbed rubber"),
    ]
    return {"entity_name": name, "scenario": "kitchen", "parts": parts, **changed}


def write(folder: Path, tasks: list[dict[str, Any]] | None = None) -> Path:
    folder.mkdir()
    some = tasks or [TASK, again("two", setting={"difficulty": "low"}), again("three")]
    (folder / "tasks.json").write_text(json.dumps(some))
    return folder
