"""From the published tasks to a suite of situations told in words."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import TypeAdapter

from pactwin.suite import (
    Candidate,
    InvalidInputError,
    ProgressCallback,
    Question,
    Scene,
    SuiteInfo,
    opaque_id,
    silent,
    write_file,
)
from pactwin.tasks.core.import_issues import RowIssueLog, RowReport
from pactwin.tasks.core.imported import (
    ImportedScene,
    content_digest,
    imported_scene,
    write_imported,
)
from pactwin.tasks.published.creativitybench.entities import (
    PublishedEntity,
    creative_entities_path,
    holds_entities,
    read_entities,
)
from pactwin.tasks.published.creativitybench.source import (
    IssueKind,
    Published,
    TaskRecord,
    published_files,
    read_published,
    untagged,
)

SUITE_NAME = "creativitybench"
_ASKS = "Which part of which thing serves best, and how would you use it?"


def import_creativitybench(
    root: Path, out: Path, progress: ProgressCallback = silent
) -> tuple[SuiteInfo, RowReport]:
    """Write the suite at ``out`` and its report, or go on with a suite that is half-written.

    Entities, where there are files of them, are written beside it (:func:`creative_entities_path`).
    The mark of what is meant is taken out, and candidates are asked about in an order of our own.
    Every task is in the suite, or among the report's issues with the reason why not. Raises
    InvalidInputError for a folder or file that is not CreativityBench's, SuiteError if ``out``
    holds something else, EnvironmentFaultError where it cannot be written.
    """
    issues = RowIssueLog()
    files = published_files(root)
    of_entities = [path for path in files if holds_entities(path)]
    entities = read_entities(of_entities, issues)
    published = read_published([path for path in files if path not in of_entities], issues)
    if not published.tasks:
        raise InvalidInputError(f"{root} holds no task that can be asked")
    _note_unknown(published, entities, issues)

    def scenes() -> Iterator[ImportedScene]:
        for done, task in enumerate(published.tasks.values(), start=1):
            # Its domain is how hard the others make it.
            scene_id = opaque_id(f"{SUITE_NAME}:scene:{task.task_id}")
            scene = imported_scene(scene_id, task.setting.difficulty or "unknown")
            yield ImportedScene(scene, [_question(scene, task, published.parts[task.task_id])])
            progress("tasks", done, len(published.tasks))

    data = content_digest(files).hexdigest()
    if of_entities:  # before the suite: what is interrupted here can be imported again
        listed = TypeAdapter(list[PublishedEntity]).dump_json(entities, indent=1)
        write_file(creative_entities_path(out), listed.decode() + "\n")
    return write_imported(out, SUITE_NAME, {"data": data}, (), scenes(), lambda _: issues.report())


def _note_unknown(
    published: Published, entities: Sequence[PublishedEntity], issues: RowIssueLog
) -> None:
    """Say which candidates are not among the entities, where there are any."""
    known = {entity.entity_name for entity in entities}
    for task in published.tasks.values() if known else ():
        for name in sorted({entity.name for entity in task.entities} - known):
            issues.note(IssueKind.NOT_KNOWN, "", task.task_id, 0, name)


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
