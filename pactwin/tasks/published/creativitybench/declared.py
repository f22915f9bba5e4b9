"""CreativityBench: situations in words; which part of which object could serve?"""

from collections.abc import Iterator
from pathlib import Path

from pactwin.suite import Candidate, InvalidInputError, Question, Scene, opaque_id
from pactwin.tasks.published.contract import (
    Benchmark,
    ImportedScene,
    Source,
    content_digest,
    imported_scene,
)
from pactwin.tasks.published.creativitybench.scoring import score_as_creativitybench
from pactwin.tasks.published.creativitybench.source import (
    Parts,
    TaskRecord,
    published_files,
    read_tasks,
    untagged,
)
from pactwin.tasks.published.issues import IssueLog

_ASKS = "Which part of which thing serves best, and how would you use it?"


def read(root: Path, issues: IssueLog) -> Source:
    """Read the tasks without the mark of the gold part, with candidates in pactwin's order."""
    files = published_files(root)
    tasks = read_tasks(files, issues)
    if not tasks:
        raise InvalidInputError(f"{root} holds no task that can be asked")

    def scenes() -> Iterator[ImportedScene]:
        for id, (task, parts) in tasks.items():
            # Its domain is how hard the others make it.
            difficulty = task.setting.difficulty or "unknown"
            scene = imported_scene(opaque_id(f"creativitybench:scene:{id}"), difficulty)
            yield ImportedScene(scene, [_question(scene, task, parts)])

    return Source(content_digest(files).hexdigest(), len(tasks), scenes)


def _question(scene: Scene, task: TaskRecord, parts: Parts) -> Question:
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
        id=opaque_id(f"creativitybench:question:{task.task_id}"),
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


BENCHMARK = Benchmark("CreativityBench", "creativitybench", read, score_as_creativitybench)
