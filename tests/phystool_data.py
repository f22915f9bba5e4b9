"""Made-up files in the layout of PhysTool-Bench's: whole ones, and ones with every fault."""

import json
from pathlib import Path
from typing import Any

from PIL import Image

DRILL = "Fix a shelf to the wall."
WHOLE: list[dict[str, Any]] = [
    {
        "id": "q1", "slot": 1, "task_instruct": DRILL, "ordered": True,
        "shuffled_available_tools": ["Claw hammer", "Spirit level", "Drill", "Screwdriver", "Saw"],
        "refined_taxonomy": {
            "target_tools": ["Spirit level", "Drill", "Screwdriver"],
            "target_steps": [1, 2, 3],
            "negative_tools": ["Claw hammer", "Saw"],
        },
    },
    {
        "id": "q1", "slot": 2, "task_instruct": DRILL, "ordered": True,
        "shuffled_available_tools": ["Drill", "Spirit level", "Screwdriver", "Tape measure"],
        "refined_taxonomy": {
            "target_tools": ["Spirit level", "Drill", "Screwdriver"],
            "target_steps": [1, 2, 2],
            "negative_tools": ["Tape measure"],
        },
    },
    {
        "id": 7, "task_instruct": "Lay the table", "ordered": False,
        "shuffled_available_tools": ["fork", "knife", "saw"],
        "refined_taxonomy": {
            "target_tools": ["fork", "knife"], "target_steps": [2, 1], "negative_tools": ["saw"],
        },
    },
]  # fmt: skip
MATCHES = {"q1_slot_1": {"power drill": "drill", "Level": "Spirit level"}}


def write(
    root: Path,
    queries: list[dict[str, Any]] | None = None,
    matches: dict[str, dict[str, str]] | None = None,
) -> Path:
    """The three files and a picture of each query."""
    queries = WHOLE if queries is None else queries
    (root / "images").mkdir(parents=True)
    pictures = []
    for number, query in enumerate(queries):
        path = f"./images/{number}.png"
        Image.new("RGB", (64, 48), (40 * number % 255, 90, 90)).save(root / path)
        pictures.append(
            {
                "id": f"{query['id']}_slot_{query.get('slot', 0)}", "original_id": query["id"],
                "slot": query.get("slot", 0), "image_path": path,
                "task_instruct": query["task_instruct"],
            }
        )  # fmt: skip
    (root / "corrected_tools.json").write_text(json.dumps(queries))
    (root / "generation_checkpoint.json").write_text(json.dumps(pictures))
    (root / "final_matching_info.json").write_text(
        json.dumps(MATCHES if matches is None else matches)
    )
    return root
