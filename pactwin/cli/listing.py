"""``pactwin ls``: the scenes of a suite and their numbers."""

from typing import Annotated

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import SuitePath


@handle_errors
def ls(
    suite: SuitePath,
    domain: Annotated[
        str | None, typer.Option(metavar="DOMAIN", help="List only scenes of this domain.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="List only questions of this kind.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Number of scenes to list; default: all.")
    ] = None,
) -> None:
    """List a suite's scenes: number, domain, twin, views, question.

    Other commands take a scene by its number, its id, or the beginning of its id.
    """
    from itertools import islice

    from pactwin.cli.tables import add_row, console, plain_table
    from pactwin.suite import Suite, counted, unknown_name

    opened = Suite.open(suite)
    scenes = list(opened.scenes())
    number = {scene.id: at for at, scene in enumerate(scenes, start=1)}
    asked: dict[str, list[str]] = {}
    things: dict[str, tuple[str, ...]] = {}
    kinds: set[str] = set()
    for question in opened.questions():
        kinds.add(question.kind)
        if kind in (None, question.kind):
            asked.setdefault(question.scene_id, []).append(question.text)
        if question.kind in ("property", "affordance"):
            things[question.scene_id] = question.objects
    domains = sorted({scene.domain for scene in scenes})
    if domain not in (None, *domains):
        raise unknown_name("domain", str(domain), domains)
    if kind not in (None, *kinds):
        raise unknown_name("kind of question", str(kind), sorted(kinds))
    chosen = [s for s in scenes if domain in (None, s.domain) and (kind is None or s.id in asked)]
    table = plain_table(["no.", "scene", "domain", "views", "asks"], ("twin", "questions"))
    for scene in islice(chosen, limit):
        texts = asked.get(scene.id, [])
        views = ",".join(view.camera.name for view in scene.views) or "none"
        shown = texts[0].splitlines()[0] if texts else "none"
        if scene.verdict is not None:
            shown = scene.verdict.action
        elif scene.id in things:
            shown = f"{', '.join(things[scene.id])}: {shown}"
        row = (number[scene.id], scene.id[:8], scene.domain, _cut(views, 24), _cut(shown, 56))
        add_row(table, *row, number.get(scene.twin_id or ""), len(texts))
    console().print(table)
    questions = sum(len(asked.get(scene.id, ())) for scene in chosen)
    typer.echo(f"{suite}: {counted(len(chosen), 'scenes')}, {counted(questions, 'questions')}")


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
