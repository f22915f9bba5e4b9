"""Compare a judge's marks of described uses with manual marks."""

from pathlib import Path
from typing import Any

from inspect_ai.model import Model

from pactwin.suite import InvalidInputError, parse_json, read_lines
from pactwin.tasks.kinds.part.judging import (
    USE_ERRORS,
    UseMarks,
    UseMaterial,
    mark,
    use_judge_name,
    use_judge_prompt,
)
from pactwin.tasks.running.ask import ask_each
from pactwin.tasks.running.judge_agreement import Agreement, agreement
from pactwin.tasks.running.request import Display


class LabelledUse(UseMaterial):
    """A choice with a careful reader's marks."""

    label: UseMarks

    def unlabelled(self) -> dict[str, Any]:
        """The part that a judge may see, as JSON."""
        return self.model_dump(mode="json", exclude={"label"})


def holds_labelled_uses(path: Path) -> bool:
    """Return whether a file's first line is a labelled use instead of a labelled open answer."""
    try:
        with path.open("rb") as file:
            first = parse_json(file.readline())
    except (OSError, ValueError):
        return False
    return isinstance(first, dict) and "chosen" in first


def read_labelled_uses(path: Path) -> list[LabelledUse]:
    """Read the labelled choices in a JSONL file; InvalidInputError names the line of a fault."""
    found = read_lines(LabelledUse, path, "labelled choices")
    for number, one in enumerate(found, start=1):
        wrong = one.reference is not None
        known = one.label.error in USE_ERRORS if wrong else not one.label.error
        if set(one.label.grades) != set(one.marked) or not known:
            raise InvalidInputError(f"{path}: line {number}: its label is not {one.marked}")
    return found


def measure_use_agreement(
    labels: Path, judge: str, *, log_dir: Path | str = "logs", display: Display = "plain"
) -> list[Agreement]:
    """Agreement of ``judge`` with the labels, by mark (linearly weighted kappa) and in errors.

    Raises InvalidInputError for a file without labelled choices, and the errors of
    :func:`ask_each`.
    """
    labelled = read_labelled_uses(labels)

    async def mark_one(model: Model, number: str) -> dict[str, Any]:
        material = UseMaterial.model_validate(labelled[int(number)].unlabelled())
        return (await mark(model, material)).model_dump(mode="json")

    inputs = {str(number): one.use or "-" for number, one in enumerate(labelled)}
    notes = {"judge_prompt": use_judge_prompt().identity()}
    said = ask_each("use_agreement", inputs, mark_one, judge, log_dir, notes=notes, display=display)
    given = [UseMarks.model_validate(said[n]) if n in said else None for n in inputs]
    pairs = [(one.label, marks) for one, marks in zip(labelled, given, strict=True)]
    name = use_judge_name(judge)
    found = []
    for grade in sorted({grade for label, _ in pairs for grade in label.grades}):
        mine = [(a.grades[grade], b and b.grades[grade]) for a, b in pairs if grade in a.grades]
        found.append(agreement(f"{name}: {grade}", mine, "linear"))
    errors = [(a.error, b and b.error) for a, b in pairs if a.error]
    return [*found, *([agreement(f"{name}: error", errors)] if errors else [])]
