"""``pactwin detect``: an open-vocabulary detector over every picture of a suite."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import SuitePath

if TYPE_CHECKING:
    from rich.table import Table

    from pactwin.perception import DetectionGap


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
        str | None, typer.Option(metavar="COMMIT", help="Commit of weights on the hub.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Name of the detection file; default: the detector's.")
    ] = None,
    vocabulary: Annotated[
        Literal["scene", "suite"],
        typer.Option(help="Look for the objects of each scene, or of the whole suite."),
    ] = "scene",
    threshold: Annotated[
        float, typer.Option(min=0, max=1, help="Minimum score of stored boxes.")
    ] = 0.1,
    scored_from: Annotated[
        float, typer.Option(min=0, max=1, help="Minimum score for recall and precision.")
    ] = 0.3,
    original: Annotated[
        Path | None,
        typer.Option(
            metavar="SUITE",
            help="Simulated suite that this one copies: compare detections of the same name.",
        ),
    ] = None,
    overlays: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for pictures with the boxes drawn.")
    ] = None,
) -> None:
    """Detect the named objects; score the boxes against masks."""
    from pactwin.cli.progress import steps
    from pactwin.cli.tables import add_row, console, plain_table
    from pactwin.perception import (
        GroundingDinoDetector,
        TransformersDetector,
        detect_suite,
        detection_gap,
        draw_detections,
        read_detections,
        score_detections,
    )
    from pactwin.suite import Suite

    opened = Suite.open(suite)
    file_name = name or detector
    simulated = None
    if original is not None:  # read before the detector is waited for
        copied = Suite.open(original)
        simulated = (copied, read_detections(copied, file_name))
    chosen = {"transformers": TransformersDetector, "groundingdino": GroundingDinoDetector}
    model = chosen[detector](weights, revision)
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
    if simulated is not None:
        gap = detection_gap(simulated, (opened, found), threshold=scored_from)
        console().print(_gap_table(gap))


def _gap_table(gap: "DetectionGap") -> "Table":
    """A row for each copied scene and one for all."""
    from pactwin.cli.tables import add_row, plain_table

    heads = ["boxes", "AP simulated", "captured", "difference", "recall simulated", "captured"]
    table = plain_table(["pair", "captured scene"], heads)
    for pair, scene, sim, real in (
        *((row.pair, row.captured, row.in_simulation, row.on_table) for row in gap.scenes),
        ("all", "", gap.in_simulation, gap.on_table),
    ):
        ap = (f"{sim.ap:.3f}", f"{real.ap:.3f}", f"{real.ap - sim.ap:+.3f}")
        add_row(table, pair, scene, real.boxes, *ap, f"{sim.recall:.2f}", f"{real.recall:.2f}")
    return table
