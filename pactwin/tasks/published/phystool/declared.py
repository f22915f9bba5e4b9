"""PhysTool-Bench: pictures with three questions each."""

from collections.abc import Iterator
from pathlib import Path

from pactwin.suite import Question, Scene, opaque_id
from pactwin.tasks.kinds.lists.questions import (
    ToolTask,
    ask_for_plan,
    ask_for_plan_among,
    ask_for_tools,
)
from pactwin.tasks.published.contract import (
    Benchmark,
    ImportedScene,
    Source,
    content_digest,
    imported_scene,
)
from pactwin.tasks.published.folder import PublishedFolder
from pactwin.tasks.published.issues import IssueKind, IssueLog
from pactwin.tasks.published.phystool.scoring import score_as_phystool
from pactwin.tasks.published.phystool.source import (
    MATCHES,
    PICTURES,
    TRUTH,
    QueryRecord,
    read_queries,
)
from pactwin.tasks.published.pictures import SourcePicture, read_published_picture

CAMERA = "photo"


def read(root: Path, issues: IssueLog) -> Source:
    """Read the queries; a question whose picture is missing has no view and is only counted."""
    queries = read_queries(root, issues)
    folder = PublishedFolder(root)
    places = {key: folder.find(path) for key, path in queries.pictures.items()}

    def scenes() -> Iterator[ImportedScene]:
        for key, query in queries.records.items():
            picture = _picture(key, queries.pictures.get(key, ""), places.get(key), issues)
            scene = _scene(query, picture)
            files = {scene.views[0].image: picture.data} if picture else {}
            yield ImportedScene(scene, _questions(scene, query, queries.matches), files)

    digest = content_digest(root / name for name in (TRUTH, PICTURES, MATCHES))
    for key, place in places.items():
        size = place.stat().st_size if place is not None else -1
        digest.update(repr((key, size)).encode())
    return Source(digest.hexdigest(), len(queries.records), scenes)


def _picture(key: str, path: str, place: Path | None, issues: IssueLog) -> SourcePicture | None:
    """Read the picture of a query; None, with an issue, if it is missing or broken."""
    if place is None:
        issues.note(IssueKind.NO_PICTURE, PICTURES, key, what=path)
        return None
    picture = read_published_picture(path, place)
    if isinstance(picture, SourcePicture):
        return picture
    issues.note(picture.kind, PICTURES, key, what=picture.what)
    return None


def _scene(query: QueryRecord, picture: SourcePicture | None) -> Scene:
    """A scene of a query's picture; its domain says whether its tools have an order."""
    scene_id = opaque_id(f"phystoolbench:{query.key}")
    views = [picture.view(scene_id, CAMERA)] if picture else []
    return imported_scene(scene_id, "ordered" if query.ordered else "free order", views)


def _questions(
    scene: Scene, query: QueryRecord, matches: dict[str, dict[str, str]]
) -> list[Question]:
    """The three questions: all tools; the task's tools; the task's tools with all names given."""
    tools = query.refined_taxonomy
    known = {name.lower(): name for name in tools.target_tools}
    # Those with what is no tool of the task, too: the published script heeds them.
    synonyms = {
        said: known.get(name.lower(), name) for said, name in matches.get(query.key, {}).items()
    }
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


BENCHMARK = Benchmark("PhysTool-Bench", "phystoolbench", read, score_as_phystool, ("pillow",))
