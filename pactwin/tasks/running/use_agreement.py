"""A judge's marks of how parts would be used, beside marks given by hand."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import CachePolicy, GenerateConfig, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from pactwin.suite import InvalidInputError, parse_json, read_lines
from pactwin.tasks.core.asking import MAX_RETRIES
from pactwin.tasks.kinds.part.judging import (
    USE_ERRORS,
    UseMarks,
    UseMaterial,
    mark,
    use_judge_name,
    use_judge_prompt,
)
from pactwin.tasks.running.ask import ask_judge
from pactwin.tasks.running.judge_agreement import Agreement
from pactwin.tasks.running.models import CACHED_FOR, resolve_model
from pactwin.tasks.running.request import Display

_MARKS = "marks"


class LabelledUse(UseMaterial):
    """One choice with the marks that a careful reader gives it."""

    label: UseMarks

    def unlabelled(self) -> dict[str, Any]:
        """What a judge may see of it, as JSON."""
        return self.model_dump(mode="json", exclude={"label"})


def holds_labelled_uses(path: Path) -> bool:
    """Whether a file's first line tells of a choice, not of an answer about constraints."""
    try:
        with path.open("rb") as file:
            first = parse_json(file.readline())
    except (OSError, ValueError):
        return False
    return isinstance(first, dict) and "chosen" in first


def read_labelled_uses(path: Path) -> list[LabelledUse]:
    """The labelled choices in a JSONL file; InvalidInputError, naming the line, for others."""
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
    """How ``judge`` agrees with the labels, by mark (kappa with linear weights) and in errors.

    Raises InvalidInputError for a file that holds no labelled choices, and what resolving and
    asking a model raise.
    """
    labelled = read_labelled_uses(labels)
    samples = [
        Sample(id=number, input=one.use or "-", metadata={"material": one.unlabelled()})
        for number, one in enumerate(labelled)
    ]
    task = Task(
        dataset=MemoryDataset(samples, name=labels.name),
        name="use_agreement",
        solver=_marking(),
        config=GenerateConfig(max_retries=MAX_RETRIES),
        fail_on_error=False,
        metadata={"judge_prompt": use_judge_prompt().identity()},
    )
    model = resolve_model(judge, cache=CachePolicy(expiry=CACHED_FOR))
    given = {
        int(sample.id): UseMarks.model_validate(sample.metadata[_MARKS])
        for sample in ask_judge(task, model, log_dir, display)
    }
    pairs = [(one.label, given.get(number)) for number, one in enumerate(labelled)]
    name = use_judge_name(judge)
    found = []
    for grade in sorted({grade for label, _ in pairs for grade in label.grades}):
        mine = [(a.grades[grade], b and b.grades[grade]) for a, b in pairs if grade in a.grades]
        found.append(_agreement(f"{name}: {grade}", mine, "linear"))
    errors = [(a.error, b and b.error) for a, b in pairs if a.error]
    return [*found, *([_agreement(f"{name}: error", errors, None)] if errors else [])]


@solver
def _marking() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        material = UseMaterial.model_validate(state.metadata["material"])
        state.metadata[_MARKS] = (await mark(get_model(), material)).model_dump(mode="json")
        return state

    return solve


def _agreement(reader: str, pairs: Sequence[tuple], weights: str | None) -> Agreement:
    from sklearn.metrics import cohen_kappa_score  # takes a second to import

    read = [(label, said) for label, said in pairs if said is not None]
    labels, said = [label for label, _ in read], [mark for _, mark in read]
    right = sum(a == b for a, b in read)
    varied = len({*labels, *said}) > 1
    return Agreement(
        reader=reader,
        n=len(read),
        failed=len(pairs) - len(read),
        accuracy=right / len(read) if read else 0.0,
        kappa=float(cohen_kappa_score(labels, said, weights=weights)) if varied else None,
        definite=len(read),
        misread=len(read) - right,
    )
