"""From the published tasks to a suite of situations told in words."""

from collections.abc import Iterator
from pathlib import Path

from pactwin.suite import (
    Candidate,
    ProgressCallback,
    Question,
    Scene,
    SuiteInfo,
    opaque_id,
    silent,
)
from pactwin.tasks.core.import_issues import RowIssueLog, RowReport
from pactwin.tasks.core.imported import ImportedScene, content_digest, write_imported
from pactwin.tasks.creativitybench.source import TaskRecord, read_published, untagged

SUITE_NAME = "creativitybench"
_ASKS = "Which part of which thing serves best, and how would you use it?"


def import_creativitybench(
    root: Path, out: Path, progress: ProgressCallback = silent
) -> tuple[SuiteInfo, RowReport]:
    """Write the suite at ``out`` and its report, or go on with a suite that is half-written.

    The mark of what is meant is taken out, and candidates are asked about in an order of our own.
    Every task is in the suite, or among the report's issues with the reason why not. Raises
    InvalidInputError for a folder or file that is not CreativityBench's, SuiteError if ``out``
    holds something else, EnvironmentFaultError where it cannot be written.
    """
    issues = RowIssueLog()
    published = read_published(root, issues)

    def scenes() -> Iterator[ImportedScene]:
        for done, task in enumerate(published.tasks.values(), start=1):
            scene = _scene(task)
            yield ImportedScene(scene, [_question(scene, task, published.parts[task.task_id])])
            progress("tasks", done, len(published.tasks))

    data = content_digest(sorted(root.glob("*.json"))).hexdigest()
    return write_imported(out, SUITE_NAME, {"data": data}, (), scenes(), lambda _: issues.report())


def _scene(task: TaskRecord) -> Scene:
    """A task's place in the suite; its domain is how hard the others make it."""
    return Scene(
        id=opaque_id(f"{SUITE_NAME}:scene:{task.task_id}"),
        domain=task.setting.difficulty or "unknown",
        source="imported",
        seed=0,
        robot="",
        objects=(),
        views=(),
    )


def _question(scene: Scene, task: TaskRecord, parts: dict[str, dict[str, str]]) -> Question:
    """The task with all its candidates, as published; interactable items are candidates, too."""
    gold = task.gold
    candidates = [
        Candidate(
            name=entity.name,
            description=untagged(entity.description),
            parts=parts[entity.name],
            likeness={part: found.likeness for part, found in entity.judge_output.items()},
        )
        for entity in task.entities
    ]
    known = {entity.name for entity in task.entities}
    candidates += [
        Candidate(name=item.name, description=item.description)
        for item in task.items
        if item.interactable == "Yes" and item.name not in known
    ]
    return Question(
        id=opaque_id(f"{SUITE_NAME}:question:{task.task_id}"),
        scene_id=scene.id,
        kind="creative_use",
        form="open",
        text="\n".join(filter(None, (task.task.strip(), task.environment.strip(), _ASKS))),
        truth=f"{gold.gold_entity}; {gold.gold_part}",
        rationale="\n".join((gold.gold_affordance.affordance, *task.solution.values())),
        objects=(),
        views=(),
        topic=task.task_id,
        accepted=(gold.gold_entity, gold.gold_part),
        candidates=tuple(candidates),
        conditions=gold.gold_affordance.conditions,
    )
