"""``pactwin mirror``: copies of simulated scenes on a real table."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pactwin.cli.boundary import handle_errors, negative
from pactwin.cli.options import (
    Force,
    NewSuite,
    PicturePath,
    RecordedIn,
    RigPath,
    RobotChoice,
    RobotMapping,
    RobotModelPath,
    SceneName,
    SuitePath,
)
from pactwin.cli.outputs import check_outputs
from pactwin.cli.suites import with_trials

if TYPE_CHECKING:
    from rich.table import Table

    from pactwin.real import BillItem, Selection
    from pactwin.suite import Scene, Suite


CapturedPath = Annotated[
    Path, typer.Argument(metavar="CAPTURED", help="Folder that pactwin mirror capture writes to.")
]
PdfPath = Annotated[Path, typer.Option("--out", metavar="FILE", help="PDF file to write.")]
PaperSize = Annotated[
    Literal["a4", "a3", "letter", "large"],
    typer.Option(help="Sheets to cut and join, or one large page."),
]


@handle_errors
def materials(
    suite: SuitePath,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Table to write: a .csv, .html or .json file."),
    ] = None,
    stl: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for STL files of printable objects."),
    ] = None,
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
    force: Force = False,
) -> None:
    """List objects needed to copy a suite's scenes."""
    from pactwin.cli.progress import steps
    from pactwin.cli.tables import console
    from pactwin.real import bill_of_materials, check_bill_name, write_bill, write_prints

    if out is not None:
        check_bill_name(out)
    prints = [] if stl is None else stl.glob("*.stl")
    check_outputs([out, *prints], [suite, robot_mapping], force=force)
    opened = with_trials(suite)
    RobotChoice(None, robot_model, robot_mapping).load()
    with steps() as progress:

        def counted() -> "Iterator[Scene]":
            for done, scene in enumerate(opened.scenes(), start=1):
                yield scene
                progress("scenes", done, opened.info.counts["scenes"])

        bill = bill_of_materials(counted())
    if out is None:
        console().print(_table(bill))
    else:
        write_bill(bill, out)
        typer.echo(out)
    if stl is not None:
        typer.echo(f"{stl}: {write_prints(bill, stl)} shapes to print")
    for material in bill:
        if material.doubt:
            typer.echo(f"{material.item.name} ({material.shape}): {material.doubt}")
    shapes = len({material.shape for material in bill})
    typer.echo(f"{suite}: {sum(m.count for m in bill)} things of {shapes} shapes")


@handle_errors
def kit(
    suite: SuitePath,
    out: Annotated[Path, typer.Option(metavar="DIR", help="New folder to write.")],
    rig: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Calibrated rig: leave out what its cameras miss."),
    ] = None,
    pairs: Annotated[
        int | None, typer.Option(min=1, help="Number of pairs, the surest first; default: all.")
    ] = None,
    paper: PaperSize = "a3",
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
) -> None:
    """Write everything a lab needs: bill of materials, prints, templates.

    The folder holds bill.html and bill.csv, stl/ with all 3D-printable objects, and templates/ with
    a PDF at 1:1 for each pair of twins, named by the numbers of its scenes.

    Pairs whose labels may change if things are put down 5 mm off their places are named and come
    last. Pairs that no camera of the rig would show are left out.
    """
    from pactwin.cli.progress import steps
    from pactwin.hardware import pdf_of, read_rig, tiles
    from pactwin.real import (
        bill_of_materials,
        select_pairs,
        template_of,
        write_bill,
        write_prints,
    )
    from pactwin.sim import rebuild_layout, verdict_on
    from pactwin.suite import InvalidInputError, new_folder, write_file

    opened = with_trials(suite)
    RobotChoice(None, robot_model, robot_mapping).load()
    known = None if rig is None else read_rig(rig)
    with new_folder(out) as folder, steps() as progress:
        selection = select_pairs(opened, rebuild_layout, known, progress, verdict_on, enough=pairs)
        tell_selection(opened, selection)
        chosen, pages = selection.pairs[:pairs], 0
        if not chosen:
            raise InvalidInputError(f"{suite}: no pair can be set up: make others")
        (folder / "templates").mkdir()
        bill = bill_of_materials(scene for pair in chosen for scene in pair)
        for name in ("bill.html", "bill.csv"):
            write_bill(bill, folder / name)
        printed = write_prints(bill, folder / "stl")
        for done, (scene, _) in enumerate(chosen, start=1):
            template = template_of(opened, scene.id)
            drawing = template.drawing
            file = folder / "templates" / f"{template.numbers[0]:03}-{template.numbers[1]:03}.pdf"
            write_file(file, pdf_of(drawing, paper, [template.cover(opened)]))
            pages += len(tiles(drawing.width_mm, drawing.height_mm, paper))
            progress("templates", done, len(chosen))
    things = sum(material.count for material in bill)
    typer.echo(
        f"{out}: {things} things, {printed} shapes to print, {len(chosen)} templates on "
        f"{pages} pages, each with a page of instructions"
    )


@handle_errors
def board(
    rig: RigPath,
    out: PdfPath = Path("board.pdf"),
    paper: PaperSize = "a3",
    force: Force = False,
) -> None:
    """Draw the calibration board and marker strips at 1:1."""
    from pactwin.hardware import board_drawing, pdf_of, read_rig, strip_drawings
    from pactwin.suite import write_file

    check_outputs([out], [rig], force=force)
    write_file(out, pdf_of(board_drawing(read_rig(rig).board), paper, strip_drawings()))
    typer.echo(out)


@handle_errors
def sheet(
    suite: SuitePath,
    scene: SceneName,
    out: PdfPath = Path("sheet.pdf"),
    paper: PaperSize = "a3",
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
    force: Force = False,
) -> None:
    """Draw the placement template of a scene and its twin at 1:1."""
    from pactwin.hardware import pdf_of
    from pactwin.real import template_of
    from pactwin.suite import write_file

    check_outputs([out], [suite, robot_mapping], force=force)
    opened = with_trials(suite)
    RobotChoice(None, robot_model, robot_mapping).load()
    template = template_of(opened, scene)
    write_file(out, pdf_of(template.drawing, paper, [template.cover(opened)]))
    typer.echo(out)


@handle_errors
def check(
    suite: SuitePath,
    scene: SceneName,
    rig: RigPath,
    recorded: RecordedIn = None,
    out: PicturePath = Path("placement.png"),
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
    force: Force = False,
) -> None:
    """Compare the objects on the table with a scene."""
    from pactwin.cli.tables import print_check
    from pactwin.hardware import Bench, read_rig
    from pactwin.real import check_table, overlay
    from pactwin.sim import rebuild_layout
    from pactwin.suite import write_picture

    check_outputs([out], [suite, rig, robot_mapping], force=force)
    opened = with_trials(suite)
    RobotChoice(None, robot_model, robot_mapping).load(rendering=False)
    one, other = opened.pair_of(scene)
    layout, twin = rebuild_layout(one), rebuild_layout(other)
    bench_rig = read_rig(rig)
    for camera in bench_rig.cameras:
        bench_rig.calibrated(camera.name)
    with Bench(bench_rig, recorded_in=recorded) as bench:
        frames = bench.grab(thorough=True).frames
    found = check_table(layout, twin, bench_rig, frames)
    print_check(found)
    write_picture(out, overlay(layout, found, bench_rig, frames))
    typer.echo(out)
    if not found.ok:
        raise negative(
            f"scene {opened.numbers()[one.id]}: not as planned: {'; '.join(found.wrong)}"
        )


@handle_errors
def verify(
    suite: SuitePath,
    captured: CapturedPath,
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
) -> None:
    """Repeat the trials with measured poses; make a suite of captures."""
    from pactwin.cli.progress import steps
    from pactwin.real import verify_captures
    from pactwin.sim import ensure_gl

    opened = with_trials(suite)
    RobotChoice(None, robot_model, robot_mapping).load()
    ensure_gl()
    with steps() as progress:
        info, unverified = verify_captures(opened, captured, progress)
    numbers = opened.numbers()
    for scene, why in sorted(unverified.items(), key=lambda item: numbers[item[0]]):
        typer.echo(f"scene {numbers[scene]} is left out: {why}")
    counts = ", ".join(f"{info.counts[key]} {key}" for key in ("pairs", "scenes", "questions"))
    typer.echo(f"{captured} ({info.name}): {counts}; {info.content_hash}")


@handle_errors
def render(
    suite: SuitePath,
    captured: CapturedPath,
    out: NewSuite,
    places: Annotated[
        Literal["measured", "planned"], typer.Option(help="Poses of the objects.")
    ] = "measured",
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
) -> None:
    """Render twins through the cameras of captures."""
    from pactwin.cli.progress import steps
    from pactwin.real import render_captures
    from pactwin.sim import ensure_gl
    from pactwin.suite import Suite, counted

    opened = with_trials(suite)
    RobotChoice(None, robot_model, robot_mapping).load()
    gl = ensure_gl()
    with steps() as progress:
        info = render_captures(opened, Suite.open(captured), out, places, gl.renderer, progress)
    typer.echo(f"{out}: {counted(info.counts['pairs'], 'pairs')}; {info.content_hash}")


@handle_errors
def outcome(
    captured: CapturedPath,
    scene: Annotated[
        str, typer.Argument(metavar="SCENE", help="Id of the scene, or its beginning.")
    ],
    worked: Annotated[
        bool, typer.Option("--worked/--failed", help="Whether the action succeeded.")
    ],
    constraint: Annotated[
        str | None, typer.Option(help="Cause of the failure, e.g. covered.")
    ] = None,
    how: Annotated[str, typer.Option(help="How it failed, in words.")] = "",
    suite: Annotated[
        Path | None,
        typer.Option(metavar="SUITE", help="Simulated suite that SCENE is a number in."),
    ] = None,
) -> None:
    """Record the outcome of an action that was carried out."""
    from pactwin.real import write_outcome
    from pactwin.suite import (
        SCENE_CONSTRAINTS,
        Constraint,
        InvalidInputError,
        Outcome,
        Suite,
        unknown_name,
    )

    known = [c.value for c in SCENE_CONSTRAINTS if c is not Constraint.NONE]
    if constraint is not None and constraint not in known:
        raise unknown_name("constraint", constraint, known)
    if worked and constraint is not None:
        raise InvalidInputError("--constraint: only with --failed")
    if suite is not None:
        scene = Suite.open(suite).scene(scene).id
    cause = None if constraint is None else Constraint(constraint)
    typer.echo(write_outcome(captured, scene, Outcome(worked=worked, constraint=cause, how=how)))


def tell_selection(suite: "Suite", selection: "Selection") -> None:
    """Say which scenes come last or are left out, and which place of a camera would show more."""
    numbers = suite.numbers()
    for scene, how in selection.fragile.items():
        typer.echo(f"scene {numbers[scene]} comes last: {how}")
    for scene, why in selection.left_out.items():
        typer.echo(f"scene {numbers[scene]} is left out: {why}")
    if selection.proposal:
        typer.echo(selection.proposal)


def _table(bill: "Sequence[BillItem]") -> "Table":
    """A row per shape."""
    from pactwin.cli.tables import add_row, plain_table
    from pactwin.real import MASS_TOLERANCE, PRINT_WALL_M

    table = plain_table(["shape"], ["mm", "g"])
    for head in ("colours", "get"):
        table.add_column(head)
    for shape, materials in groupby(bill, key=lambda material: material.shape):
        alike = list(materials)
        one = alike[0]
        add_row(
            table,
            shape,
            " x ".join(f"{1e3 * extent:.0f}" for extent in one.size_m),
            f"{1e3 * one.item.mass_kg:.0f}",
            ", ".join(_colored(material) for material in alike),
            _where(one),
        )
    table.caption = (
        f"Prints: walls of {1e3 * PRINT_WALL_M:.1f} mm, and infill that makes the mass right "
        f"within {MASS_TOLERANCE:.0%}."
    )
    return table


def _colored(material: "BillItem") -> str:
    color = material.item.color
    return color if material.count == 1 else f"{material.count} {color}"


def _where(material: "BillItem") -> str:
    if material.infill is None:
        return material.get
    least, most = material.infill
    printed = f"print, infill {least:.0%}-{most:.0%}"
    return f"{printed}; or {material.get}" if material.get else printed
