"""Made-up files in the layout of MacGyver's: whole ones, and ones with every fault."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from openpyxl import Workbook

PROBLEM_COLUMNS = ["ID", "Problem", "Solvable?", "Unconventional?", "Solution", "Label"]
HUMAN_COLUMNS = ["ID", "Problem", "Solvable?", "Solution"]
COIN = (
    "A coin has rolled under a heavy wardrobe. You have a wooden ruler, a cup and a towel. How do "
    "you get it out?"
)
KITE = (
    "A kite hangs in a tree. You have a spoon and a sock. The branches hold. How do you fetch it?"
)

WHOLE_PROBLEMS: list[list[Any]] = [
    ["11", COIN, "Yes", "unconventional", "Step1: Slide the coin out with the ruler.", "efficient"],
    ["12", "A door slams in the wind. You have a shoe and a wedge of wood. How do you keep it "
     "open?", "Yes", "conventional", "Step1: Prop the door open with the shoe.", "inefficient"],
    ["13", "Soup without a spoon. You have a shell and a fork. How do you eat it?", "Yes",
     "unconventional", "Step1: Drink from the fork.", "infeasible"],
    ["14", "A picture is to hang. You have a nail and a stone. How do you hang it?", "Yes",
     "conventional", "It is not possible to hang it with these items.", "none"],
    ["21", KITE, "No", "N/A", "It is not possible: nothing reaches that far.",
     "correct_right_reason"],
    ["22", "A tyre is flat. You have a leaf. How do you mend it?", "No", "N/A",
     "Step1: Patch the tyre with the leaf.", "wrong_solution"],
    ["23", "A lamp is broken. You have a stone. How do you light the room?", "No", "N/A",
     "It is not possible, stones are expensive.", "correct_wrong_reason"],
]  # fmt: skip
WHOLE_HUMAN: list[list[Any]] = [["13", WHOLE_PROBLEMS[2][1], "Yes", "Step 1. Use the shell."]]


def record(model: str, annotation: str | None, solution: str) -> dict[str, str]:
    fields = {"model": model, "annotation": annotation, "solution": solution}
    return {key: value for key, value in fields.items() if value is not None}


WHOLE_BENCHMARK: dict[str, list[dict[str, str]]] = {
    "11": [
        record("Prolific", "correct_efficient", "Use the ruler."),
        record("Prolific", "wrong_partial_correct", "Use the towel."),
        record("solutions_gpt4", "correct_inefficient", "Tie the towel to the ruler."),
        record("gpt4-prompt-2", "wrong_fail_solvability_status", "It cannot be done."),
    ],
    "21": [
        record("Prolific", "correct_unsolvable", "Unsolvable, too high."),
        record("Prolific", "wrong_entire_wrong_solution", "Throw the sock."),
        record("solutions_gpt4", "correct_efficient", "Step1: Poke it with the spoon."),
        record("solutions_gpt35", "wrong_partial_correct", "Step1: Climb."),
    ],
}


def write(
    folder: Path,
    problems: Sequence[Sequence[Any]] = WHOLE_PROBLEMS,
    human: Sequence[Sequence[Any]] = WHOLE_HUMAN,
    benchmark: Any = WHOLE_BENCHMARK,
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    sheet(folder / "problem_solution_pair.xlsx", PROBLEM_COLUMNS, problems)
    sheet(folder / "additional_human_solutions.xlsx", HUMAN_COLUMNS, human)
    text = benchmark if isinstance(benchmark, str) else json.dumps(benchmark)
    (folder / "benchmark_results.json").write_text(text, encoding="utf-8")
    return folder


def sheet(path: Path, head: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    book = Workbook()
    for row in (head, *rows):
        book.active.append(row)
    book.save(path)


def faulty(folder: Path) -> Path:
    """Every kind, each as often as ``FAULTS`` says."""
    problems = [
        *WHOLE_PROBLEMS,
        [
            31,
            "Wet shoes. You have salt. How do you dry them?",
            "No",
            "N/A",
            "No.",
            "wrong_solution",
        ],
        ["32", "A <br>\nlong road. How do you walk?", "Yes", "conventional", "Walk.", "efficient"],
        ["33", None, "Yes", "conventional", "Walk.", "efficient"],
        ["34", "A bird. How do you feed it?", "Perhaps", "N/A", "Seeds.", "efficient"],
        ["35", "A fish. How do you feed it?", "Yes", "N/A", "Seeds.", "efficient"],
        ["36", "A dog. How do you feed it?", "Yes", "conventional", "Seeds.", "wrong_solution"],
        ["11", "Another problem.", "Yes", "conventional", "Walk.", "efficient"],
        ["37", COIN.upper(), "Yes", "conventional", "Use the ruler.", "efficient"],
    ]
    human = [
        *WHOLE_HUMAN,
        ["13", "Soup, retold.", "Yes", "Use the shell."],
        ["13", WHOLE_PROBLEMS[2][1], "No", "Unsolvable.<br>No spoon."],
        ["99", "Nobody knows.", "No", "Unsolvable."],
        ["13", WHOLE_PROBLEMS[2][1], "Maybe", "Perhaps."],
    ]
    benchmark = WHOLE_BENCHMARK | {
        "12": [
            record("Prolific", None, "Leave it."),
            record("Prolific", "correct_efficient", "Use the shoe."),
            record("Prolific", "correct_efficient", "Use the shoe.<br>\n"),
            record("Prolific", "correct_inefficient", "Use the shoe."),
            record("oracle", "correct_efficient", "Use the wedge."),
            record("Prolific", "excellent", "Hold it."),
            record("Prolific", "correct_efficient", " "),
        ],
        "98": [record("Prolific", "correct_efficient", "Nobody knows.")],
    }
    return write(folder, problems, human, benchmark)


# (kept, skipped); rows of ``faulty`` by kind, counted by hand.
FAULTS = {
    "NUMBER_AS_ID": (1, 0),
    "MARKUP": (3, 0),
    "BLANK_FIELD": (0, 2),
    "UNKNOWN_VALUE": (0, 3),
    "REPEATED_ID": (0, 1),
    "REPEATED_PROBLEM": (1, 0),
    "UNKNOWN_ID": (0, 2),
    "OTHER_TEXT": (1, 0),
    "UNFIT_LABEL": (0, 2),
    "NO_REFERENCE": (5, 0),
    "OTHER_CLAIM": (1, 0),
    "NO_RATING": (1, 0),
    "UNKNOWN_SYSTEM": (1, 0),
    "REPEATED_ANSWER": (1, 0),
    "RERATED_ANSWER": (1, 0),
}
