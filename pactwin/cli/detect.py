"""``pactwin detect``: an open-vocabulary detector over every picture of a suite."""

import time
from pathlib import Path
from typing import Annotated, Literal

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import SuitePath, group

commands = group()


@commands.command()
@handle_errors
def detect(
    suite: SuitePath,
    detector: Annotated[
        Literal["transformers", "groundingdino"], typer.Option(help="Library of the detector.")
    ],
    weights: Annotated[
        str, typer.Option(metavar="PATH|NAME", help="Folder or file, or name on the hub.")
    ],
    revision: Annotated[
        str | None, typer.Option(metavar="COMMIT", help="Of weights on the hub.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Of the detection file; default: the detector's.")
    ] = None,
    vocabulary: Annotated[
        Literal["scene", "suite"],
        typer.Option(help="Look for the objects of each scene, or all of the suite's."),
    ] = "scene",
    threshold: Annotated[
        float, typer.Option(min=0, max=1, help="Least score of a box that is kept.")
    ] = 0.1,
    scored_from: Annotated[
        float, typer.Option(min=0, max=1, help="Least score for recall and precision.")
    ] = 0.3,
    overlays: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Draw the boxes into pictures there.")
    ] = None,
) -> None:
    """Detect the named objects; score the boxes against masks."""
    from pactwin.cli.progress import steps
    from pactwin.cli.tables import add_row, console, plain_table
    from pactwin.perception import (
        GroundingDinoDetector,
        TransformersDetector,
        detect_suite,
        draw_detections,
        read_detections,
        score_detections,
    )
    from pactwin.suite import Suite

    opened = Suite.open(suite)
    chosen = {"transformers": TransformersDetector, "groundingdino": GroundingDinoDetector}
    model = chosen[detector](weights, revision)
    file_name = name or detector
    start = time.monotonic()
    with steps() as progress:
        path = detect_suite(
            opened,
            model,
            file_name,
            threshold=threshold,
            vocabulary=vocabulary,
            progress=progress,
        )
    views = opened.info.counts.get("views", 0)
    rate = views / max(time.monotonic() - start, 1e-9)
    typer.echo(f"{path}: {views} pictures, {rate:.2f} a second")
    found = read_detections(opened, file_name)
    if overlays is not None:
        draw_detections(opened, found, overlays, scored_from)
    scores = score_detections(opened, found, scored_from)
    typer.echo(f"AP {scores.ap:.3f}, AP50 {scores.ap50:.3f}")
    table = plain_table(["by", "value"], ["boxes", "AP", "recall", "precision"])
    for row in scores.groups:
        precision = "-" if row.precision is None else f"{row.precision:.2f}"
        add_row(
            table, row.by, row.value, row.boxes, f"{row.ap:.3f}", f"{row.recall:.2f}", precision
        )
    console().print(table)
