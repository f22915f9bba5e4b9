"""From the published files to a suite of pictures with three questions each."""

from collections.abc import Iterator
from pathlib import Path

from pactwin.suite import (
    ProgressCallback,
    Question,
    Scene,
    SuiteInfo,
    inside,
    opaque_id,
    silent,
)
from pactwin.tasks.core.import_issues import RowIssueLog, RowReport
from pactwin.tasks.core.imported import (
    ImportedScene,
    content_digest,
    imported_scene,
    write_imported,
)
from pactwin.tasks.core.published_pictures import SourcePicture, read_published_picture
from pactwin.tasks.kinds.lists.questions import (
    ToolTask,
    ask_for_plan,
    ask_for_plan_among,
    ask_for_tools,
)
from pactwin.tasks.published.phystoolbench.source import (
    MATCHES,
    PICTURES,
    TRUTH,
    IssueKind,
    Published,
    QueryRecord,
    read_published,
)

SUITE_NAME = "phystoolbench"
CAMERA = "photo"


def import_phystool(
    root: Path, out: Path, progress: ProgressCallback = silent
) -> tuple[SuiteInfo, RowReport]:
    """Write the suite at ``out`` and its report, or go on with a suite that is half-written.

    Where a picture is missing, what needs it has no view and is not asked, only counted. What is
    not in the suite stands among the report's issues with the reason why. Nothing outside
    ``root`` is read, whatever paths say.

    Raises InvalidInputError for a folder or file that is not PhysTool-Bench's, SuiteError if
    ``out`` holds something else, EnvironmentFaultError where it cannot be written.
    """
    issues = RowIssueLog()
    published = read_published(root, issues)

    def scenes() -> Iterator[ImportedScene]:
        for done, query in enumerate(published.queries.values(), start=1):
            picture = _picture(root, query.key, published, issues)
            scene = _scene(query, picture)
            files = {scene.views[0].image: picture.data} if picture else {}
            yield ImportedScene(scene, _questions(scene, query, published), files)
            progress("queries", done, len(published.queries))

    data = {"data": _digest(root, published)}
    return write_imported(out, SUITE_NAME, data, ["pillow"], scenes(), lambda _: issues.report())


def _digest(root: Path, published: Published) -> str:
    """What decides the suite's content: the three files, names and sizes of the pictures."""
    digest = content_digest(root / name for name in (TRUTH, PICTURES, MATCHES))
    for key in published.pictures:
        place = _place(root, published.pictures[key])
        size = place.stat().st_size if place is not None and place.is_file() else -1
        digest.update(repr((key, size)).encode())
    return digest.hexdigest()


def _place(root: Path, path: str) -> Path | None:
    """Where a picture's published path leads; None if that is outside ``root``, or a link."""
    try:
        return inside(root, path)
    except OSError:
        return None


def _picture(
    root: Path, key: str, published: Published, issues: RowIssueLog
) -> SourcePicture | None:
    """The picture of a query, whole; None, and an issue, where there is none."""
    path = published.pictures.get(key)
    if path is None:
        issues.note(IssueKind.NO_PICTURE, TRUTH, key)
        return None
    place = _place(root, path)
    if place is None:
        issues.note(IssueKind.OUTSIDE, PICTURES, key, what=path)
        return None
    if not place.is_file():
        issues.note(IssueKind.MISSING_PICTURE, PICTURES, key, what=path)
        return None
    picture = read_published_picture(path, place)
    if isinstance(picture, SourcePicture):
        return picture
    fault = IssueKind.HUGE_PICTURE if picture.huge else IssueKind.BROKEN_PICTURE
    issues.note(fault, PICTURES, key, what=picture.what)
    return None


def _scene(query: QueryRecord, picture: SourcePicture | None) -> Scene:
    """A query's picture; its domain says whether its tools have an order."""
    scene_id = opaque_id(f"{SUITE_NAME}:{query.key}")
    views = [picture.view(scene_id, CAMERA)] if picture else []
    return imported_scene(scene_id, "ordered" if query.ordered else "free order", views)


def _questions(scene: Scene, query: QueryRecord, published: Published) -> list[Question]:
    """All tools; those of the task; those of the task, with all named."""
    tools = query.refined_taxonomy
    known = {name.lower(): name for name in tools.target_tools}
    # Those with what is no tool of the task, too: the published script heeds them.
    matches = published.matches.get(query.key, {})
    synonyms = {said: known.get(name.lower(), name) for said, name in matches.items()}
    shown = tuple(query.shuffled_available_tools)
    task = ToolTask(
        instruction=query.task_instruct,
        tools=tuple(tools.target_tools),
        steps=tuple(tools.target_steps),
        order_free=not query.ordered,
        distractors=tuple(tools.negative_tools),
        synonyms=synonyms,
        topic=query.key,
    )
    return [
        ask_for_tools(scene, shown, topic=query.key),
        ask_for_plan(scene, task),
        ask_for_plan_among(shown, scene, task),
    ]
